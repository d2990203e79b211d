// What is being measured right now, for whoever watches.
#pragma once

#include <optional>
#include <string>

namespace stealbench::rounds {

/// How far a measurement has come.
struct outlook {
  double done = 0;                          ///< The part that is done, 0 to 1.
  std::optional<double> seconds_left = {};  ///< None: it cannot be known yet.
};

/// `1:05 left`, `2:00:00 left`; nothing where that is not known.
[[nodiscard]] std::string text_of(const outlook& ahead);

/// On a terminal one line that is overwritten: the stage, a bar, the time left, the cell in hand.
/// Elsewhere a plain line for each stage. Writes to the standard error output, so that a redirected
/// table stays clean.
class progress {
 public:
  explicit progress(std::string stage = {});
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress() { end(); }

  /// A stage of the whole, such as a round.
  void begin_stage(const std::string& stage, const outlook& ahead);
  /// The cell in hand.
  void begin(const std::string& cell, const outlook& ahead);
  /// A line that stays.
  void note(const std::string& line) const;
  /// Nothing is shown until the next cell.
  void end() const;

 private:
  bool is_terminal_;
  std::string stage_;
};

}  // namespace stealbench::rounds
