// What experiments choose from, as options: schedulers, worker counts, workloads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/driver/experiments/settings.hpp"
#include "bench/driver/rounds/cell_process.hpp"
#include "bench/driver/rounds/installation.hpp"
#include "results/analysis/strategies/ablation.hpp"
#include "schedulers/options.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments {

using analysis::contrast;

CLI::Option* add_schedulers(settings& options, std::vector<std::string>& schedulers,
                            const std::string& shown_default = "all that are built");

/// Those of the schedulers that are built.
[[nodiscard]] std::vector<std::string> built_among(std::vector<std::string> schedulers,
                                                   const rounds::installation& installed);

/// Whether schedulers are timed, or simulated by executables of their own.
enum class execution : std::uint8_t { timed, simulated };

/// Canonical names without repetitions; an empty list, or `all`, becomes all that are built. Throws
/// bad_input.
void resolve_schedulers(std::vector<std::string>& schedulers, const rounds::installation& installed,
                        execution how = execution::timed);

/// Of the schedulers named, each against the strategy that it says it is compared with, or work
/// stealing, where that is among them; and each value of their settings against the default. Where
/// a value requires a value of another setting, both sides have that.
[[nodiscard]] std::vector<contrast> contrasts_among(const std::vector<std::string>& schedulers,
                                                    const rounds::installation& installed);

/// Every strategy in the contrasts, once.
[[nodiscard]] std::vector<std::string> strategies_in(const std::vector<contrast>& all);

/// Numbers and ranges, such as `1-4,8`.
CLI::Option* add_workers(settings& options, std::vector<unsigned>& workers,
                         const std::string& shown_default, unsigned most = schedulers::max_workers);

/// 1, 2, 4, … up to `cores` (0: not known), and `processors`.
[[nodiscard]] std::vector<unsigned> usual_worker_counts(unsigned processors, unsigned cores);

/// By instance, then workers, then scheduler. Serial code has one worker, whatever it is given, so
/// it is measured once, beside the greatest count.
[[nodiscard]] std::vector<dataset::cell> every_cell(const std::vector<dataset::instance>& instances,
                                                    const std::vector<unsigned>& workers,
                                                    const std::vector<std::string>& schedulers);

void add_workloads(settings& options, std::vector<std::string>& workloads);

/// The workloads that can be simulated, in the order of the suite.
[[nodiscard]] std::vector<std::string> simulated_workloads();
/// One of them, or `all`. The message says why another workload cannot be simulated.
[[nodiscard]] CLI::Validator simulated_workload();

void add_pin(settings& options, rounds::target& pattern);

/// Without repetitions; `all` becomes the names of all. Throws bad_input if others are beside it.
void resolve_workloads(std::vector<std::string>& workloads, std::string_view option,
                       const std::vector<std::string>& all);

/// Throws bad_input for what is no `KEY=VALUE`.
[[nodiscard]] std::vector<kit::assignment> assignments_in(const std::vector<std::string>& set);

/// What is run of several workloads: their size, others for some, and what is set on them.
class instance_options {
 public:
  void declare(settings& options);
  [[nodiscard]] const std::string& size() const { return size_; }
  /// Of one workload all that is set, of several what each has. Throws bad_input if a size is given
  /// for another workload than these, or does not exist, or what is set is a parameter of none.
  [[nodiscard]] std::vector<dataset::instance> all_of(
      const std::vector<std::string>& workloads) const;

 private:
  std::string size_ = "standard";
  std::vector<std::string> size_of_;  // WORKLOAD=SIZE; the last for a workload counts.
  std::vector<std::string> set_;
};

}  // namespace stealbench::experiments
