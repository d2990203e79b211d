// Random fork-join programs whose result is known: trees of everything that a worker offers. A
// program is data, so that one which fails can be made smaller and printed.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <vector>

namespace stealbench::schedulers::contract {

/// What a closure does with its parts.
enum class act : std::uint8_t {
  compute,          ///< Nothing: a leaf, whatever its parts.
  sequence,         ///< Runs them one after the other, up to the first that throws.
  fork,             ///< Forks and joins the first two.
  swallow,          ///< The same, but what they throw ends here.
  group,            ///< Spawns them into a group and syncs it.
  unsynced_group,   ///< Leaves the sync to the group's destructor, which drops what they throw.
  abandoned_group,  ///< Throws before the sync.
  loop,             ///< A loop, an index for each; what they throw ends there.
  group_and_forks,  ///< Spawns the first, forks the next two and so on, through one handle, then
                    ///< syncs. What a fork throws ends there.
};

struct program {
  act does = act::compute;
  bool throws_first = false;
  bool throws_last = false;
  std::vector<program> parts;

  /// The part at `index`; an empty program where there is none.
  [[nodiscard]] const program& part(std::uint64_t index) const;
};

/// The value of a leaf; spreads its argument over 64 bits (the finaliser of SplitMix64; Steele, Lea
/// & Flood, OOPSLA 2014).
[[nodiscard]] std::uint64_t mix(std::uint64_t value);

/// A closure's name is its place in the tree. Requires: parts are counted from 0.
[[nodiscard]] constexpr std::uint64_t name_of_part(std::uint64_t parent, std::uint64_t index) {
  return parent * 31 + index + 1;
}
inline constexpr std::uint64_t name_of_root = 1;

/// What a closure of that name throws, as failure::where, by the moment at which it does.
enum class moment : std::uint8_t { first, last, before_sync };
[[nodiscard]] unsigned thrown_at(std::uint64_t name, moment when);

/// What there is to see of a run from outside. The names of the closures that ran are in it as a
/// sum that does not depend on their order.
struct observation {
  std::uint64_t value = 0;
  std::optional<unsigned> thrown;  ///< Instead of a value.
  std::uint64_t names = 0;
  std::uint64_t closures = 0;
  bool operator==(const observation&) const = default;
};

/// What the laws of schedulers/scheduler.hpp say that a run shows.
[[nodiscard]] observation meaning(const program& whole);

// For RapidCheck's report, which looks for them by this name.
// NOLINTNEXTLINE(readability-identifier-naming)
void showValue(const program& shown, std::ostream& to);
// NOLINTNEXTLINE(readability-identifier-naming)
void showValue(const observation& shown, std::ostream& to);

/// Whether `run` shows the meaning of each of 300 programs, the same ones at every call. Prints the
/// smallest that it can find for which it does not.
[[nodiscard]] bool shows_what_programs_mean(const std::function<observation(const program&)>& run);

}  // namespace stealbench::schedulers::contract
