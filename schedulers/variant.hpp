// The variants of a scheduler as a user writes them: `work-stealing:deque=chase-lev:victim=random`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "schedulers/description.hpp"

namespace stealbench::schedulers {

struct setting_value {
  std::string word;
  description about = {};

  friend bool operator==(const setting_value&, const setting_value&) = default;
};

/// What a value of a setting makes no sense without.
struct requirement {
  std::string value;
  std::string other;                ///< Another setting of the same scheduler.
  std::vector<std::string> values;  ///< The values that the other setting may then have.
  std::string reason;               ///< Goes on behind a colon.

  friend bool operator==(const requirement&, const requirement&) = default;
};

/// The same requirement of each of these values.
[[nodiscard]] std::vector<requirement> each_requires(const std::vector<std::string>& values,
                                                     const std::string& other,
                                                     const std::vector<std::string>& others,
                                                     const std::string& reason);

/// One thing that can be set on a scheduler.
struct setting {
  std::string name;
  std::string meaning;
  std::vector<setting_value> values;  ///< The first one is the default.
  std::vector<requirement> requirements = {};

  [[nodiscard]] const std::string& standard() const { return values.front().word; }
  [[nodiscard]] std::vector<std::string> words() const;

  friend bool operator==(const setting&, const setting&) = default;
};

/// `deque=split|chase-lev|…, victim=…`, all of it.
[[nodiscard]] std::string text_of(const std::vector<setting>& settings);

/// `deque=chase-lev`: what a value requires of the other settings, where their defaults are not
/// enough.
[[nodiscard]] std::vector<std::string> required_by(const setting& owner, const std::string& value,
                                                   const std::vector<setting>& all);

/// One value for each setting of a scheduler.
class variant {
 public:
  /// The default of a scheduler that has these settings.
  explicit variant(std::vector<setting> valid = {});

  /// What `typed` says: key=value, joined by colons, in any order. A setting that it does not name
  /// keeps its default. Throws std::invalid_argument for an empty setting, one that is no
  /// key=value, an unknown key or value, a key named twice, a requirement that is not met, and if
  /// the scheduler has no settings; the message names what is valid.
  variant(std::string_view scheduler, std::vector<setting> valid, std::string_view typed);

  /// Empty if the scheduler has no such setting.
  [[nodiscard]] std::string_view value_of(std::string_view key) const;

  /// The settings that differ from the default, in their order; empty for the default.
  [[nodiscard]] std::string settings() const;

  /// The name of the variant in canonical form: the scheduler's, and the settings behind a colon
  /// where there are any.
  [[nodiscard]] std::string name_of(std::string_view scheduler) const;

 private:
  [[nodiscard]] std::size_t index_of(std::string_view key) const;
  void assign(std::string_view typed);
  void check_requirements() const;

  std::vector<setting> valid_;
  std::vector<std::string> values_;  // One for each setting, in order; empty: not named so far.
};

}  // namespace stealbench::schedulers
