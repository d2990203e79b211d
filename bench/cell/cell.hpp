// One workload instance on one scheduler, with both types erased: the edge between templates and
// the rest of the suite. A warm cell goes from its cold start to its steady state.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "bench/system/usage.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/options.hpp"
#include "workloads/kit/parameters.hpp"
#include "workloads/workload.hpp"

namespace stealbench::cell {

using clock = std::chrono::steady_clock;

/// One run. Its times and its usage are those of `execute` alone.
struct measurement {
  clock::time_point begin;
  std::chrono::nanoseconds wall;
  system::usage used;
  std::optional<bool> verified;  ///< Nothing where no answer is known.
};

class cell {
 public:
  cell() = default;
  cell(const cell&) = delete;
  cell& operator=(const cell&) = delete;
  virtual ~cell() = default;

  /// Brings the input to its first state. Untimed; before each `execute`.
  virtual void reset() = 0;
  /// Runs the workload once: what is timed.
  virtual void execute() = 0;
  /// How long the scheduler took to be made: its threads are started, where it starts them at once.
  [[nodiscard]] virtual std::chrono::nanoseconds start_up() const { return {}; }
  /// Whether the latest answer is right; nothing where no answer is known.
  [[nodiscard]] virtual std::optional<bool> verified() const = 0;
  /// The latest answer.
  [[nodiscard]] virtual nlohmann::ordered_json answer() const = 0;
  /// Tasks of the latest run.
  [[nodiscard]] virtual std::uint64_t fork_count() const = 0;
  /// Workers that the scheduler really has.
  [[nodiscard]] virtual unsigned worker_count() const = 0;
  /// What the other processes of the latest run have used.
  [[nodiscard]] virtual system::usage used_elsewhere() const { return {}; }
  /// What the scheduler has counted in all runs, where it counts.
  [[nodiscard]] virtual std::optional<schedulers::counters> counters() const { return {}; }
  /// Of a scheduler that counts something else, in the latest run: by name; null if it does not.
  [[nodiscard]] virtual nlohmann::ordered_json own_counters() const { return nullptr; }

  /// Resets, executes and checks. For tests of all that has to notice a slower scheduler, a run can
  /// be made longer by a part of its time, `slowed_by`.
  measurement run(double slowed_by = 0);
};

/// Whether the environment variable STEALBENCH_INJECT_ERROR names this workload: its answers are
/// then corrupted (fault injection), for tests of all that has to notice.
[[nodiscard]] bool error_is_injected(std::string_view workload);

/// The part of its time by which the environment variable STEALBENCH_INJECT_DELAY, written as
/// SCHEDULER=PERCENT, makes every run on this scheduler longer; else 0. For tests likewise. Throws
/// std::invalid_argument if it is written otherwise.
[[nodiscard]] double injected_delay(std::string_view scheduler);

/// A scheduler, or what runs a workload's sequential version: that has no `worker`, is not started
/// and offers no branches.
template <class Scheduler, class Workload>
class cell_of final : public cell {
 public:
  cell_of(const schedulers::options& options, const kit::parameters& chosen)
      : input_(Workload::prepare(chosen)), start_(clock::now()), scheduler_(options) {}

  void reset() override { Workload::reset(input_); }
  void execute() override {
    if constexpr (is_parallel) {
      output_.emplace(scheduler_.run(
          [this](typename Scheduler::worker worker) { return Workload::run(worker, input_); }));
      if (is_corrupted_) Workload::corrupt(input_, *output_);
    } else {
      output_.emplace(Workload::sequential(input_));
    }
  }
  [[nodiscard]] std::chrono::nanoseconds start_up() const override { return start_up_; }
  [[nodiscard]] std::optional<bool> verified() const override {
    return Workload::verify(input_, output_.value());
  }
  [[nodiscard]] nlohmann::ordered_json answer() const override {
    return Workload::answer(input_, output_.value());
  }
  [[nodiscard]] std::uint64_t fork_count() const override {
    return is_parallel ? Workload::fork_count(input_, output_.value()) : 0;
  }
  [[nodiscard]] unsigned worker_count() const override { return scheduler_.worker_count(); }
  [[nodiscard]] std::optional<schedulers::counters> counters() const override {
    return scheduler_.counters();
  }

 private:
  static constexpr bool is_parallel = requires { typename Scheduler::worker; };

  typename Workload::input input_;
  std::optional<typename Workload::output> output_;
  clock::time_point start_;
  Scheduler scheduler_;
  std::chrono::nanoseconds start_up_ =
      is_parallel ? clock::now() - start_ : std::chrono::nanoseconds();
  bool is_corrupted_ = error_is_injected(Workload::describe().name);
};

/// Makes cells of one workload on one scheduler.
using cell_maker = std::unique_ptr<cell> (*)(const schedulers::options&, const kit::parameters&);

template <class Cell>
std::unique_ptr<cell> make_cell(const schedulers::options& options, const kit::parameters& chosen) {
  return std::make_unique<Cell>(options, chosen);
}

/// Several runs of a cell, one after the other. All values are of one run.
struct steady_state {
  double seconds;      ///< Median of the wall times.
  system::usage used;  ///< Mean.
  /// Threads that waited for a processor: mean, resets and checks included; where readable.
  std::optional<double> waiting_threads;
  std::size_t runs;
  bool is_wrong;  ///< The answer of the last run was.
};

/// Runs a cell once, which faults in its memory, fills the caches and starts what threads its
/// scheduler starts late; and then as often as it is told.
class warm_cell {
 public:
  /// For tests: the part of its time by which each run is made longer, and the folder in /proc of
  /// another process than this one.
  explicit warm_cell(std::unique_ptr<cell> subject, double slowed_by = 0,
                     std::filesystem::path process = "/proc/self")
      : cell_(std::move(subject)),
        slowed_by_(slowed_by),
        first_(cell_->run(slowed_by)),
        process_(std::move(process)) {}

  /// At least once, and until the runs have lasted for `at_least` together or an answer is wrong.
  [[nodiscard]] steady_state run_for(std::chrono::nanoseconds at_least);

  [[nodiscard]] const cell& subject() const { return *cell_; }
  [[nodiscard]] const measurement& first_run() const { return first_; }

 private:
  std::unique_ptr<cell> cell_;
  double slowed_by_;
  measurement first_;
  std::filesystem::path process_;
};

}  // namespace stealbench::cell
