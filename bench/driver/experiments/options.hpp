// Options that several experiments have.
#pragma once

#include <string>
#include <vector>

#include "bench/driver/experiments/settings.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "schedulers/options.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments {

CLI::Option* add_schedulers(settings& options, std::vector<std::string>& schedulers,
                            const std::string& shown_default = "all that are built");

/// Canonical names without repetitions; an empty list, or `all`, becomes all that are built. Throws
/// bad_input.
void resolve_schedulers(std::vector<std::string>& schedulers,
                        const rounds::installation& installed);

/// Numbers and ranges, such as `1-4,8`.
CLI::Option* add_workers(settings& options, std::vector<unsigned>& workers,
                         const std::string& shown_default, unsigned most = schedulers::max_workers);

/// 1, 2, 4, … and `processors`.
[[nodiscard]] std::vector<unsigned> usual_worker_counts(unsigned processors);

/// Whether a benchmark with one of these worker counts is measured: serial code has one worker,
/// whatever it is given, so it is measured once, beside the greatest count.
[[nodiscard]] bool is_measured_with(unsigned workers, const std::vector<unsigned>& all,
                                    const std::string& scheduler);

CLI::Option* add_size(settings& options, std::string& size);
CLI::Option* add_assignments(settings& options, std::vector<std::string>& set,
                             const std::string& help);

/// Throws bad_input for what is no `KEY=VALUE`.
[[nodiscard]] std::vector<kit::assignment> assignments_in(const std::vector<std::string>& set);

/// The sizes of an experiment on several workloads: one for all, and others for some.
class workload_sizes {
 public:
  void declare(settings& options);
  /// Throws bad_input if one is given for another workload than these, or does not exist.
  void check(const std::vector<std::string>& workloads) const;
  /// Throws bad_input if the workload lacks the size, or what is set.
  [[nodiscard]] std::vector<dataset::instance> instances_of(
      const std::string& workload, const std::vector<kit::assignment>& set = {}) const;

 private:
  std::string of_all_ = "standard";
  std::vector<std::string> of_some_;  // WORKLOAD=SIZE; the last for a workload counts.
};

}  // namespace stealbench::experiments
