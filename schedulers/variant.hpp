// The variants of a scheduler as a user writes them: `work-stealing:deque=chase-lev:victim=last`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schedulers/options.hpp"

namespace stealbench::schedulers {

/// One thing that can be set on a scheduler that has variants.
struct variant_key {
  std::string_view name;
  std::string_view meaning;
  std::vector<std::string_view> values;  ///< The first one is the default.
};

/// deque, victim, idle and join: the order of the canonical form.
[[nodiscard]] const std::vector<variant_key>& variant_keys();

/// Whether this scheduler has variants. All that do have the same keys.
[[nodiscard]] bool has_variants(std::string_view scheduler);

/// One value for each key.
class variant {
 public:
  /// The default.
  variant();

  /// What `settings` say: key=value, joined by colons, in any order. A key that they do not name
  /// keeps its default. Throws std::invalid_argument for an empty setting, one that is no
  /// key=value, an unknown key or value, a key named twice, and for a scheduler that has no
  /// variants; the message names what is valid.
  variant(std::string_view scheduler, std::string_view settings);

  /// Requires: a key of variant_keys().
  [[nodiscard]] std::string_view value_of(std::string_view key) const;

  /// The settings that differ from the default, in the order of the keys; empty for the default.
  [[nodiscard]] std::string settings() const;

  /// The name of the variant in canonical form: the scheduler's, and the settings behind a colon
  /// where there are any.
  [[nodiscard]] std::string name_of(std::string_view scheduler) const;

  /// Lays everything but the deque, which is a matter of types, over the options.
  void apply_to(options& options) const;

 private:
  void assign(std::string_view setting);

  std::vector<std::string_view> values_;  // One for each key, in order; empty: not named so far.
};

}  // namespace stealbench::schedulers
