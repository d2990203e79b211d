// A search over all ranks: each expands tasks on its own pool, and rank 0 has the result.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include "bench/cell/cell.hpp"
#include "bench/cluster/world.hpp"
#include "bench/system/usage.hpp"
#include "schedulers/cluster/form.hpp"
#include "schedulers/cluster/options.hpp"
#include "schedulers/cluster/rank.hpp"
#include "schedulers/cluster/step_size.hpp"

namespace stealbench::cluster {

/// A workload on all ranks, its types erased. All ranks call the same functions in the same order.
class part {
 public:
  part() = default;
  part(const part&) = delete;
  part& operator=(const part&) = delete;
  virtual ~part() = default;

  /// Searches.
  virtual void take_part() = 0;
};

/// What every rank says after a search.
template <class Result>
struct contribution {
  Result result{};
  rank_counts counts{};
  system::usage used{};
};

template <class Scheduler, distributed_form Form>
class part_of final : public part {
 public:
  using workload = typename Form::workload;

  part_of(world& all, const schedulers::options& options, const kit::parameters& chosen)
      : world_(all),
        how_(schedulers::own_options<cluster::options>(options).how),
        input_(workload::prepare(chosen)),
        pool_(options) {}

  void take_part() override {
    try {
      const system::usage before = system::usage_of_process();
      const std::chrono::nanoseconds begin = world_.now();
      contribution<typename Form::result> own{search(), counts_, {}};
      took_ = world_.now() - begin;
      own.used = system::usage_of_process() - before;
      expect_conserved(own.counts);
      std::string bytes(sizeof own, '\0');
      std::memcpy(bytes.data(), static_cast<const void*>(&own), sizeof own);
      gathered_.clear();
      for (const std::string& each : world_.gather(bytes)) {
        std::memcpy(static_cast<void*>(&gathered_.emplace_back()), each.data(), sizeof own);
      }
    } catch (const std::exception& error) {
      world_.give_up(error.what());  // The others are in the middle of a search.
    }
  }

  [[nodiscard]] const typename workload::input& input() const { return input_; }
  [[nodiscard]] unsigned workers() const { return pool_.worker_count(); }
  /// The latest search, by the clock of MPI.
  [[nodiscard]] std::chrono::nanoseconds took() const { return took_; }
  /// On rank 0, of each rank in the latest search.
  [[nodiscard]] const std::vector<contribution<typename Form::result>>& gathered() const {
    return gathered_;
  }

 private:
  typename Form::result search() {
    typename Form::result found{};
    typename Form::known known(input_);
    // Several stacks for each worker: the others go on where one is soon used up.
    constexpr std::size_t stacks_of_worker = 4;
    const std::size_t workers = pool_.worker_count();
    rank<Form> self(world_, how_, known, workers == 1 ? 1 : stacks_of_worker * workers);
    if (world_.rank() == 0) Form::begin(input_, self.roots());
    // One run for all steps: between two of them the pool's workers go on looking for work.
    pool_.run([&](typename Scheduler::worker worker) {
      step_size step;
      const auto expand = [&](bag<typename Form::task>& tasks) {
        const std::chrono::nanoseconds before = world_.now();
        const std::uint64_t expanded =
            expand_some<Form>(worker, input_, known, tasks, found, step.tasks());
        world::has_expanded(expanded);
        if (expanded >= step.tasks()) step.took(world_.now() - before);
        return expanded;
      };
      while (self.turn(expand)) world_.has_turned(self.was_idle());
    });
    while (self.winds_down()) world_.has_turned(/*is_idle=*/true);
    counts_ = self.counts();
    return found;
  }

  world& world_;
  balance how_;
  typename workload::input input_;
  Scheduler pool_;
  rank_counts counts_{};
  std::chrono::nanoseconds took_{};
  std::vector<contribution<typename Form::result>> gathered_;
};

}  // namespace stealbench::cluster
