// What the contract tests share. They are compiled once per scheduler, so that each executable
// holds one backend and links no other.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "schedulers/contract/test_limit.hpp"
#include "schedulers/operating_system/sanitizers.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/options.hpp"
#include "schedulers/scheduler.hpp"

#ifdef STEALBENCH_MACHINE_HEADER
#include STEALBENCH_MACHINE_HEADER
#endif

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::schedulers::contract {

#ifdef STEALBENCH_MACHINE
using subject = STEALBENCH_SCHEDULER_ON<STEALBENCH_MACHINE>;
#else
using subject = STEALBENCH_SCHEDULER;
#endif
static_assert(scheduler<subject>);

/// Levels of a deep recursion. ThreadSanitizer keeps a call stack of its own, of 65 536 frames.
#ifdef STEALBENCH_THREAD_SANITIZER
inline constexpr unsigned deep = 3'000;
#else
inline constexpr unsigned deep = 100'000;
#endif

/// Stack of a caller that nests `deep` forks; the caller's stack is worker 0's.
inline constexpr std::size_t deep_stack_bytes = std::size_t{1} << 30;

/// Whether schedulers may be used by one thread after another. False only where a backend is
/// defective.
template <class S>
constexpr bool may_be_called_from_any_thread() {
  if constexpr (requires { S::needs_one_calling_thread; }) return !S::needs_one_calling_thread;
  return true;
}

/// Whether one scheduler may. False also where a library keeps for whom it works.
template <class S>
constexpr bool runs_for_any_thread() {
  if constexpr (requires { S::runs_for_its_maker_only; }) return !S::runs_for_its_maker_only;
  return may_be_called_from_any_thread<S>();
}

/// Whether the root runs on the thread that calls `run`. False only where a library has no way.
template <class S>
constexpr bool calls_root_itself() {
  if constexpr (requires { S::root_has_another_thread; }) return !S::root_has_another_thread;
  return true;
}

/// What the tests throw: `where` tells one from another.
struct failure {
  unsigned where;
};

/// Calls `f` and returns the `where` of the failure that it throws, if it throws one.
template <class F>
std::optional<unsigned> thrown_by(F&& f) {
  try {
    std::forward<F>(f)();
  } catch (const failure& caught) {
    return caught.where;
  }
  return std::nullopt;
}

/// Long enough for another worker to get ahead, if it is going to.
inline void linger() { std::this_thread::sleep_for(std::chrono::microseconds{300}); }

/// Forks a full binary tree, 2^levels - 1 times, and calls `leaf()` at each leaf. Returns how many.
template <class Worker, class Leaf = void (*)()>
unsigned fork_leaves(
    Worker worker, unsigned levels, const Leaf& leaf = [] {}) {
  if (levels == 0) {
    leaf();
    return 1;
  }
  const auto half = [&leaf, levels](auto w) { return fork_leaves(w, levels - 1, leaf); };
  const auto [left, right] = worker->fork_join(half, half);
  return left + right;
}

/// Calls `step` until it returns true. False after a minute, so that a scheduler which has lost a
/// worker fails and does not hang.
template <class Step>
bool eventually(Step&& step) {
  waiting_time<> waited;
  while (!step()) {
    if (waited.is_over()) return false;
  }
  return true;
}

template <class S>
concept counts = requires {
  typename S::counting_variant;
};

/// Whether what is behind a join or a spawn may go on at another worker. A group's child then
/// begins at its spawn, before the spawner goes on, so with fewer workers than children these
/// cannot wait for what the spawner does later.
template <class S>
constexpr bool fibers_migrate() {
  if constexpr (requires { S::fibers_migrate; }) return S::fibers_migrate;
  return false;
}

/// Calls `check` with a new scheduler that counts. A template, so that one without a counting
/// variant need not compile it.
template <class S, class Check>
void with_counting_variant(unsigned workers, const Check& check) {
  if constexpr (counts<S>) {
    typename S::counting_variant counting(options{.workers = workers});
    check(counting);
  } else {
    GTEST_SKIP() << "counts nothing";
  }
}

/// The parameter is the number of workers asked for.
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class SchedulerContract : public testing::TestWithParam<unsigned> {
 protected:
  subject scheduler_{options{.workers = GetParam()}};  // NOLINT: GoogleTest's fixtures are open
};

}  // namespace stealbench::schedulers::contract
