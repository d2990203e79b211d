// One worker's counts, or nothing: counting is compiled in or out. What counts also records what
// its worker does, if it is given a timeline.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "schedulers/counters.hpp"
#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/options.hpp"
#include "schedulers/timeline.hpp"

namespace stealbench::engine {

/// What a tally on `M` counts in, and what it calls when its worker turns to something else: M's
/// own words and nothing, but in simulated time.
template <class M>
struct tally_hooks {
  using words = M;
  static void turns_to(schedulers::activity /*next*/) {}
};

/// What the tallies of a pool's workers share: nothing.
template <class M, bool Counting>
class pool_tally {
 public:
  explicit pool_tally(const schedulers::options& /*chosen*/) {}
  void add_to(schedulers::counters& /*sum*/) const {}
};

/// The live jobs of all workers, and the most that there were. Relaxed is enough: the changes of
/// one word have one order whatever else they order, and the number after each is exact. A job
/// comes before it goes, since its spawner adds it before the queue publishes it. Whoever reads the
/// greatest number has joined the jobs, and so their spawners' raises.
template <class M>
class alignas(64) pool_tally<M, true> {
 public:
  explicit pool_tally(const schedulers::options& chosen) : recording_(chosen.recording) {}

  /// Where this worker records what it does, or null.
  [[nodiscard]] schedulers::track* track_of(unsigned worker) const {
    return recording_ == nullptr ? nullptr : &recording_->of(worker);
  }

  /// Returns how many are live with this one.
  std::uint64_t add_live_job() { return live_.fetch_add(1, order::relaxed) + 1; }
  void remove_live_job() { live_.fetch_sub(1, order::relaxed); }

  void raise_most_live(std::uint64_t to) {
    std::uint64_t most = most_live_.load(order::relaxed);
    while (most < to && !most_live_.compare_exchange_strong(most, to, order::relaxed,  //
                                                            order::relaxed)) {
    }
  }

  void add_to(schedulers::counters& sum) const {
    sum.most_live_jobs = most_live_.load(order::relaxed);
  }

 private:
  using count = typename tally_hooks<M>::words::template atomic<std::uint64_t>;

  schedulers::timeline* const recording_;
  count live_;
  count most_live_;
};

/// Has a tally note something as the scope ends.
template <class Tally, void (Tally::*Act)()>
struct at_exit {
  Tally& counts;
  ~at_exit() { (counts.*Act)(); }
};

/// Counts nothing, costs nothing: for timed runs.
template <class M, bool Counting>
class tally {
  struct nothing {
    template <class... Any>
    [[gnu::always_inline]] constexpr nothing operator()(const Any&... /*unused*/) const {
      return {};
    }
  };

 public:
  tally(pool_tally<M, Counting>& /*all*/, unsigned /*index*/) {}

  static constexpr nothing in_run{}, until_finished{}, offered{}, refused{}, spawned{}, ran{},
      finished{}, inlined{}, stole{}, tried{}, parked{}, unparked{}, woke{}, exposed{}, searches{},
      goes_on{}, leaves{}, add_to{};
};

/// Written by its worker alone, so a relaxed load and a relaxed store make an increment. Relaxed is
/// enough: whoever reads a sum has joined the jobs that it counts, and what belongs to a job is
/// written before its latch is opened. The clock is read only where what the worker does changes,
/// never for a job that its owner takes back.
template <class M>
class tally<M, true> {
  using counters = schedulers::counters;

 public:
  tally(pool_tally<M, true>& all, unsigned index)
      : all_(all), index_(index), track_(all.track_of(index)) {}

  /// The caller of `run` is busy as worker 0 for as long as the result lives.
  [[nodiscard]] auto in_run() {
    turn_to(activity::running);
    return at_exit<tally, &tally::leaves>{*this};
  }
  /// A job that its owner took back is live for as long as the result lives.
  [[nodiscard]] auto until_finished() { return at_exit<tally, &tally::finished>{*this}; }

  void offered() { live_with_offered_ = all_.add_live_job(); }  ///< Before the queue has it.
  void refused() {  ///< The queue has not taken what was offered.
    all_.remove_live_job();
    inlined();
  }
  void spawned() {  ///< The queue has taken what was offered.
    add<&counters::jobs_spawned>();
    all_.raise_most_live(live_with_offered_);
  }
  /// It has jobs in so much of its job stack.
  void occupied(std::ptrdiff_t bytes) {
    const auto now = static_cast<std::uint64_t>(bytes);
    auto& most = at<&counters::queue_bytes>(*this);
    if (now > most.load(order::relaxed)) most.store(now, order::relaxed);
  }
  void ran() { add<&counters::jobs_run>(); }
  void finished() { all_.remove_live_job(); }
  void inlined() { add<&counters::jobs_inlined>(); }
  void stole(unsigned victim) {
    add<&counters::steals>();
    if (victim != index_) add<&counters::jobs_moved>();
    turn_to(activity::running);
    current_.victim = victim;
  }
  void tried(const steal_attempts& outcomes) {
    add<&counters::attempts_taken>(outcomes.taken);
    add<&counters::attempts_empty>(outcomes.empty);
    add<&counters::attempts_lost>(outcomes.lost);
    current_.failed_steals += outcomes.empty + outcomes.lost;
  }
  void parked() {  ///< Before it goes to sleep.
    add<&counters::parks>();
    if (track_ != nullptr) turn_to(activity::parked);  // Else it is not busy, and that is enough.
  }
  void unparked() {
    if (track_ != nullptr) turn_to(activity::searching);
  }
  void woke(std::uint64_t times) { add<&counters::wakes>(times); }
  void exposed(std::uint64_t jobs) { add<&counters::jobs_exposed>(jobs); }
  void searches() { turn_to(activity::searching); }  ///< It has nothing to do, or has to wait.
  void goes_on() { turn_to(activity::running); }     ///< It no longer has to wait.
  void leaves() { turn_to(activity::away); }         ///< Its run, or its life, is over.

  /// Appends the worker to `sum.per_worker`.
  void add_to(schedulers::counters& sum) const {
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      sum.*schedulers::every_counter[i].value += counts_[i].load(order::relaxed);
    }
    sum.per_worker.push_back({.jobs_run = at<&counters::jobs_run>(*this).load(order::relaxed),
                              .busy_ns = busy_ns_.load(order::relaxed)});
  }

 private:
  using activity = schedulers::activity;
  using hooks = tally_hooks<M>;
  using count = typename hooks::words::template atomic<std::uint64_t>;

  template <std::uint64_t counters::*Which, class Self>
  static auto& at(Self& self) {
    constexpr auto row =
        std::ranges::find(schedulers::every_counter, Which, &schedulers::counter::value);
    return self.counts_[static_cast<std::size_t>(row - schedulers::every_counter.begin())];
  }
  static void add(count& to, std::uint64_t times) {
    to.store(to.load(order::relaxed) + times, order::relaxed);
  }
  template <std::uint64_t counters::*Which>
  void add(std::uint64_t times = 1) {
    add(at<Which>(*this), times);
  }

  // Ends the current interval and begins the next. An interval that goes on costs no look at the
  // clock: all jobs that a worker runs one after another are one interval.
  void turn_to(activity next) {
    if (current_.what == next) return;
    current_.end = M::now();
    if (current_.what == activity::running) {
      const std::chrono::nanoseconds lasted = current_.end - current_.begin;
      add(busy_ns_, static_cast<std::uint64_t>(lasted.count()));
    }
    if (track_ != nullptr && current_.what != activity::away) track_->add(current_);
    current_ = {.begin = current_.end, .end = {}, .what = next};
    hooks::turns_to(next);
  }

  pool_tally<M, true>& all_;
  const unsigned index_;
  schedulers::track* const track_;
  schedulers::interval current_;
  std::uint64_t live_with_offered_ = 0;  // The live jobs as the latest one was offered.
  std::array<count, schedulers::every_counter.size()> counts_;
  count busy_ns_;
};

}  // namespace stealbench::engine
