// Counts of a worker in simulated time: they cost it nothing, and tell the simulation what it does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "schedulers/counters.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/engine/tally.hpp"
#include "schedulers/options.hpp"
#include "schedulers/virtual_machine/simulation.hpp"

namespace stealbench::virtual_machine {
struct machine;
}  // namespace stealbench::virtual_machine

namespace stealbench::engine {

template <>
class pool_tally<virtual_machine::machine, true> {
 public:
  explicit pool_tally(const schedulers::options& /*chosen*/) {}

  std::uint64_t add_live_job() { return ++live_; }
  void remove_live_job() { --live_; }
  void raise_most_live(std::uint64_t to) { most_live_ = std::max(most_live_, to); }
  void add_to(schedulers::counters& sum) const { sum.most_live_jobs = most_live_; }

 private:
  std::uint64_t live_ = 0;
  std::uint64_t most_live_ = 0;
};

template <>
class tally<virtual_machine::machine, true> {
  using doing = virtual_machine::doing;

 public:
  tally(pool_tally<virtual_machine::machine, true>& all, unsigned index)
      : all_(all), index_(index) {}

  [[nodiscard]] auto in_run() {
    turn_to(doing::running);
    return at_exit<tally, &tally::leaves>(*this);
  }
  [[nodiscard]] auto until_finished() { return at_exit<tally, &tally::finished>(*this); }

  void offered() { live_with_offered_ = all_.add_live_job(); }
  void refused() {
    all_.remove_live_job();
    inlined();
  }
  void spawned() {
    ++counted_.jobs_spawned;
    all_.raise_most_live(live_with_offered_);
  }
  void occupied(std::ptrdiff_t bytes) {
    counted_.queue_bytes = std::max(counted_.queue_bytes, static_cast<std::uint64_t>(bytes));
  }
  void ran() {
    ++counted_.jobs_run;
    ++own_.jobs_run;
  }
  void finished() { all_.remove_live_job(); }
  void inlined() { ++counted_.jobs_inlined; }
  void stole(unsigned victim) {
    ++counted_.steals;
    counted_.jobs_moved += victim != index_ ? 1 : 0;
    turn_to(doing::running);
  }
  void tried(const steal_attempts& outcomes) {
    counted_.attempts_taken += outcomes.taken;
    counted_.attempts_empty += outcomes.empty;
    counted_.attempts_lost += outcomes.lost;
  }
  void parked() { ++counted_.parks; }
  void unparked() {}
  void woke(std::uint64_t times) { counted_.wakes += times; }
  void exposed(std::uint64_t jobs) { counted_.jobs_exposed += jobs; }
  void searches() { turn_to(doing::searching); }
  void goes_on() { turn_to(doing::running); }
  void leaves() { turn_to(doing::nothing); }

  void add_to(schedulers::counters& sum) const {
    for (const auto& [name, value, is_sum] : schedulers::every_counter) {
      sum.*value += counted_.*value;
    }
    sum.per_worker.push_back(own_);
  }

 private:
  void turn_to(doing next) {
    if (current_ == next) return;
    const virtual_machine::picoseconds now = virtual_machine::here.now;
    if (current_ == doing::running) own_.busy_ns += static_cast<std::uint64_t>(now - since_) / 1000;
    current_ = next;
    since_ = now;
    virtual_machine::here.all->does(next);
  }

  pool_tally<virtual_machine::machine, true>& all_;
  const unsigned index_;
  schedulers::counters counted_;
  schedulers::worker_counters own_;
  std::uint64_t live_with_offered_ = 0;
  doing current_ = doing::nothing;
  virtual_machine::picoseconds since_ = 0;
};

}  // namespace stealbench::engine
