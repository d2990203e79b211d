// What a comparison is asked to do, checked before anything runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/compare/cells.hpp"
#include "bench/compare/names.hpp"

namespace stealbench::compare {

/// As typed, lists with their commas. An empty list of schedulers stands for all; an empty seed for
/// a random one.
struct compare_request {
  std::string workloads = "fib,mergesort,uts";
  std::string schedulers;
  bool ablation = false;  ///< In place of schedulers.
  std::string workers = "1,2";
  std::string size = "standard";
  std::string rounds = "5";
  std::string timeout_seconds = "120";
  std::string seed;
  std::filesystem::path output = "stealbench-results";
  bool resume = false;
  bool overwrite = false;          ///< An unfinished comparison in the output folder.
  std::vector<std::string> typed;  ///< Names of the options that were given.
};

inline constexpr std::uint64_t most_rounds = 1000;
inline constexpr std::uint64_t most_timeout_seconds = 86'400;

struct plan {
  std::vector<cell> cells;  ///< By workload instance, then workers, then scheduler.
  std::uint64_t rounds;
  std::chrono::seconds timeout;
  std::uint64_t seed;
};

/// Throws workloads::bad_input on the first thing that a user must correct.
[[nodiscard]] plan plan_for(const compare_request& asked, const installation& here);

}  // namespace stealbench::compare
