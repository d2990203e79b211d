// What a comparison is asked to do, checked before anything runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/compare/cells.hpp"
#include "bench/compare/measure.hpp"
#include "bench/compare/names.hpp"

namespace stealbench::compare {

/// As typed, lists with their commas. An empty list of schedulers stands for all; an empty seed for
/// a random one; no rounds for as many as target and budget ask for.
struct compare_request {
  std::string workloads = "fib,mergesort,uts";
  std::string schedulers;
  bool ablation = false;  ///< In place of schedulers.
  std::string workers = "1,2";
  std::string size = "standard";
  std::string budget_seconds = "300";
  std::string target_percent = "2";
  std::string rounds;  ///< In place of budget and target.
  std::string timeout_seconds = "120";
  std::string seed;
  std::filesystem::path output = "stealbench-results";
  bool resume = false;
  bool overwrite = false;          ///< An unfinished comparison in the output folder.
  std::vector<std::string> typed;  ///< Names of the options that were given.
};

inline constexpr std::uint64_t most_rounds = 1000;
inline constexpr std::uint64_t most_timeout_seconds = 86'400;
inline constexpr std::uint64_t most_budget_seconds = 86'400;

/// How many rounds are measured: so many, or else until the interval of every median is narrow
/// enough or the time is spent, whichever comes first.
struct stopping_rule {
  std::optional<std::uint64_t> rounds = {};
  double target = 0.02;              ///< Half of an interval's width, as a part of the median.
  std::chrono::seconds budget{300};  ///< Another round begins if half of it would fit.
};

struct plan {
  std::vector<cell> cells;  ///< By workload instance, then workers, then scheduler.
  stopping_rule until;
  std::chrono::seconds timeout;
  std::uint64_t seed;
  bool counts = true;  ///< Whether one more run of each cell counts its events.
  std::chrono::milliseconds sample_time = compare::sample_time;  ///< Of the runs of a process.
};

/// From options that are typed as text; throws workloads::bad_input.
[[nodiscard]] stopping_rule parse_stopping_rule(const std::string& rounds,
                                                const std::string& target_percent,
                                                const std::string& budget_seconds);
/// Likewise. An empty text stands for a random seed.
[[nodiscard]] std::uint64_t parse_seed(const std::string& text);
[[nodiscard]] std::chrono::seconds parse_timeout(const std::string& text);

/// From lists as typed; no name stands for all schedulers that are built. Throws
/// workloads::bad_input.
[[nodiscard]] std::vector<runnable> chosen_schedulers(const std::string& typed,
                                                      const installation& here);
[[nodiscard]] std::vector<unsigned> chosen_workers(const std::string& typed);

/// Throws workloads::bad_input on the first thing that a user must correct.
[[nodiscard]] plan plan_for(const compare_request& asked, const installation& here);

}  // namespace stealbench::compare
