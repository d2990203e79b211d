// What is being measured right now, for whoever watches.
#pragma once

#include <cstddef>
#include <string>

namespace stealbench::compare {

/// On a terminal one line that is overwritten; elsewhere a plain line for each stage. Writes to the
/// standard error output, so that a redirected table stays clean.
class progress {
 public:
  explicit progress(std::size_t total);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress() { clear(); }

  /// A stage of the whole, such as a round.
  void begin_stage(const std::string& stage);
  /// The cell in hand.
  void begin(const std::string& cell);
  /// So many cells of the total are done, or need not be run.
  void finish(std::size_t count = 1);
  /// A line that stays.
  void note(const std::string& line);

 private:
  void clear();

  bool is_terminal_;
  std::size_t total_;
  std::size_t done_ = 0;
  std::string stage_;
};

}  // namespace stealbench::compare
