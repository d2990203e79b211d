// The options that the pipeline itself has, for every experiment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>
#include <thread>

#include "bench/driver/experiments/experiment.hpp"

namespace stealbench::experiments {

struct pipeline_options {
  unsigned budget_seconds = 0;
  double target_percent = 2;
  unsigned rounds = 0;  ///< 0: as many as budget and target ask for.
  unsigned seeds =
      rounds::fewest_rounds;  ///< Of an experiment that simulates, instead of these three.
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());  ///< Of such a one, at once.
  unsigned timeout_seconds = 120;
  std::uint64_t seed = std::random_device{}();
  std::filesystem::path output = "stealbench-results";
  bool resume = false;
  bool overwrite = false;
  bool as_json = false;
};

/// Declares those that this experiment has.
void declare(pipeline_options& chosen, settings& options, const traits& about);

}  // namespace stealbench::experiments
