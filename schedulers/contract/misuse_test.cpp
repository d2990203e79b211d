// What the contract forbids and a build with assertions notices: of the in-house schedulers alone.

#ifndef NDEBUG

#include <thread>

#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

// Templates, so that a scheduler without the engine need not compile them.
template <class S>
concept runs_on_the_engine = requires {
  typename S::policy;
};

/// Calls `misuse` with worker 0 on another thread than worker 0's.
template <class S, class Misuse>
void on_another_thread(const Misuse& misuse) {
  S scheduler(options{.workers = 2});
  scheduler.run([&](auto worker) { std::thread([&] { misuse(worker); }).join(); });
}

template <class S>
void check_other_threads() {
  if constexpr (runs_on_the_engine<S>) {
    const auto fork = [](auto worker) { worker->fork_join([](auto) {}, [](auto) {}); };
    EXPECT_DEATH(on_another_thread<S>(fork), "is_this_thread");
    const auto spawn = [](auto worker) { worker->task_group().spawn([](auto) {}); };
    EXPECT_DEATH(on_another_thread<S>(spawn), "is_this_thread");
  } else {
    GTEST_SKIP() << "has no such assertion";
  }
}

TEST(MisuseDeathTest, AWorkerOnAnotherThreadThanItsOwnIsNoticed) { check_other_threads<subject>(); }

}  // namespace
}  // namespace stealbench::schedulers::contract

#endif
