// A branch that another worker may run.
#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "schedulers/engine/latch.hpp"
#include "schedulers/engine/parking_lot.hpp"
#include "schedulers/engine/std_model.hpp"
#include "schedulers/outcome.hpp"

namespace stealbench::engine {

template <class Policy, bool Counting>
struct worker_state;

template <class Policy, bool Counting>
class worker;

using bed = parking_lot<std_model>::bed;

/// What queues hold: the head of a branch whose type they do not know. It lives in the memory of
/// the worker that spawned it, which joins it before that memory goes.
template <class Policy, bool Counting>
struct job : Policy::job_links {
  using state = worker_state<Policy, Counting>;
  using function = void (*)(job&, state&) noexcept;
  using share_type = typename Policy::share;

  job(function run, share_type whose) noexcept : execute(run), share(whose) {}

  const function execute;                  ///< Runs the branch and keeps its outcome in the job.
  [[no_unique_address]] share_type share;  ///< What the branch may count on.
  latch<bed, std_model> finished;          ///< Set where another worker has executed it.
};

/// The second branch of a fork: lies in the forking worker's frame.
template <class Policy, bool Counting, class G>
class forked_job final : public job<Policy, Counting> {
  using base = job<Policy, Counting>;
  using worker_type = worker<Policy, Counting>;

 public:
  using value = schedulers::result_of<G&, worker_type>;

  template <class Closure>
  forked_job(Closure&& closure, typename base::share_type whose)
      : base(&run, whose), closure_(std::forward<Closure>(closure)) {}
  forked_job(const forked_job&) = delete;
  forked_job& operator=(const forked_job&) = delete;
  ~forked_job() {
  }  // NOLINT(modernize-use-equals-default): the union's outcome is often never made.

  G& closure() noexcept { return closure_; }

  /// The outcome where another worker ran the branch: once, and only after `finished` is done.
  value take() {
    const destroy_on_exit guard{outcome_};
    return outcome_.take();
  }
  void discard() noexcept { std::destroy_at(&outcome_); }

 private:
  using outcome_type = schedulers::outcome<value>;
  struct destroy_on_exit {
    outcome_type& outcome;
    ~destroy_on_exit() { std::destroy_at(&outcome); }
  };

  static void run(base& self, typename base::state& state) noexcept {
    auto& job = static_cast<forked_job&>(self);
    std::construct_at(&job.outcome_);
    job.outcome_.capture(job.closure_, worker_type(state, job.share));
  }

  G closure_;
  union {
    // NOLINTNEXTLINE(readability-identifier-naming): private, which the check does not see here.
    outcome_type outcome_;  // Made by who executes the job: a branch taken back never touches it.
  };
};

/// A child of a task group: lies in a block of the spawning worker, linked to its elder sibling.
template <class Policy, bool Counting>
struct spawned_job : job<Policy, Counting> {
  using job<Policy, Counting>::job;
  using destroy_function = void (*)(spawned_job&, worker_state<Policy, Counting>&) noexcept;

  schedulers::outcome<std::monostate> outcome;
  spawned_job* elder = nullptr;
  destroy_function destroy = nullptr;
};

template <class Policy, bool Counting, class F>
class spawned_closure final : public spawned_job<Policy, Counting> {
  using base = job<Policy, Counting>;
  using spawned = spawned_job<Policy, Counting>;

 public:
  template <class Closure>
  spawned_closure(Closure&& closure, typename base::share_type whose)
      : spawned(&run, whose), closure_(std::forward<Closure>(closure)) {
    this->destroy = &free;
  }

 private:
  static void run(base& self, typename base::state& state) noexcept {
    auto& job = static_cast<spawned_closure&>(self);
    job.outcome.capture([&job](worker<Policy, Counting> w) { static_cast<void>(job.closure_(w)); },
                        worker<Policy, Counting>(state, job.share));
  }
  static void free(spawned& self, typename base::state& state) noexcept {
    auto& job = static_cast<spawned_closure&>(self);
    std::destroy_at(&job);
    state.blocks.deallocate(&job, sizeof job, alignof(spawned_closure));
  }

  F closure_;
};

}  // namespace stealbench::engine
