// What has changed between two datasets of one experiment, or differs between two builds of one
// dataset, and how it is shown.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "results/analysis/evidence.hpp"
#include "results/analysis/statistics.hpp"
#include "results/dataset/measurements.hpp"
#include "results/report/table.hpp"

namespace stealbench::sections {

using analysis::estimate;

/// Of the interval of a ratio that is shown. It decides nothing.
inline constexpr double diff_confidence = 0.99;

enum class change : std::uint8_t {
  none,     ///< Not shown, or not above the threshold.
  unknown,  ///< Not told apart yet: a side has fewer than `fewest_for_interval` rounds, or none.
  slower,   ///< Or failed, where it had finished.
  faster,   ///< Or finished, where it had failed.
};

/// Whether the two were measured one after the other, or in the same rounds.
enum class rounds_are : std::uint8_t { apart, shared };

struct cell_change {
  std::string cell;
  change found;
  std::optional<estimate> before;  ///< Seconds; none if it failed.
  std::optional<estimate> after;
  std::optional<estimate> ratio;  ///< After over before, with that confidence.
  std::string failure;            ///< Why it failed afterwards; empty if it did not.
};

struct difference {
  std::vector<cell_change> cells;  ///< Those of both, in the order of the old one.
  std::vector<std::string> only_before;
  std::vector<std::string> only_after;
  std::vector<std::string> warnings;  ///< What else is not the same, such as the compiler.
  rounds_are rounds;
};

/// What two runs must have in common if their times are to be compared: members of the context.
inline constexpr std::initializer_list<const char*> machine_keys{"processor", "num_cpus"};

/// Of a simulation, by what its first line says: the profile without its accuracy. Whether a
/// profile was validated since changes no time.
[[nodiscard]] dataset::json costs_of(const dataset::json& about);

/// A cell has become slower if the ratio of its medians is above 1 by more than `threshold`, and
/// its times are told apart by the test of evidence.hpp, where all cells of the two are one family:
/// of two runs between which nothing changed, at most 5 % have a change. Faster by the inverse. One
/// that failed where it had finished has become slower; with fewer than `fewest_for_interval`
/// rounds on a side, what finished in both is unknown, as is what a side has not measured. The
/// interval of the ratio is drawn by whole rounds where they are shared; the test is the same,
/// because it tells more apart (results/evidence.md). Throws schedulers::bad_input if the two are
/// of different machines or experiments, or have no cell in common.
[[nodiscard]] difference difference_between(const dataset::measurements& before,
                                            const dataset::measurements& after, double threshold,
                                            rounds_are rounds = rounds_are::apart);

/// The cells that have changed, or all.
[[nodiscard]] report::table table_of(const difference& found, bool all);
/// In a sentence or two: how many are slower, faster, neither, and the mean over all.
[[nodiscard]] std::string summary_of(const difference& found, double threshold);

}  // namespace stealbench::sections
