// One worker's counts, or nothing: counting is compiled in or out.
#pragma once

#include <cstdint>

#include "schedulers/counters.hpp"
#include "schedulers/engine/std_model.hpp"

namespace stealbench::engine {

/// Counts nothing, costs nothing: for timed runs.
template <bool Counting>
struct tally {
  void spawned() {}
  void ran() {}
  void inlined() {}
  void stole() {}
  void missed(std::uint64_t /*times*/) {}
  void parked() {}
  void woke(std::uint64_t /*times*/) {}
  void add_to(schedulers::counters& /*sum*/) const {}
};

/// Written by its worker alone, so a relaxed load and a relaxed store make an increment. Relaxed is
/// enough: whoever reads a sum has joined the jobs that it counts.
template <>
struct tally<true> {
  void spawned() { add(spawned_, 1); }
  void ran() { add(ran_, 1); }
  void inlined() { add(inlined_, 1); }
  void stole() { add(stole_, 1); }
  void missed(std::uint64_t times) { add(missed_, times); }
  void parked() { add(parked_, 1); }
  void woke(std::uint64_t times) { add(woke_, times); }

  void add_to(schedulers::counters& sum) const {
    sum.jobs_spawned += spawned_.load(order::relaxed);
    sum.jobs_run += ran_.load(order::relaxed);
    sum.jobs_inlined += inlined_.load(order::relaxed);
    sum.steals += stole_.load(order::relaxed);
    sum.failed_steals += missed_.load(order::relaxed);
    sum.parks += parked_.load(order::relaxed);
    sum.wakes += woke_.load(order::relaxed);
  }

 private:
  using count = std_model::atomic<std::uint64_t>;
  static void add(count& to, std::uint64_t times) {
    to.store(to.load(order::relaxed) + times, order::relaxed);
  }

  count spawned_;
  count ran_;
  count inlined_;
  count stole_;
  count missed_;
  count parked_;
  count woke_;
};

}  // namespace stealbench::engine
