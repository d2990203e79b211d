// A worker that loses its processor while it looks for work: the parking lot wakes no other as long
// as it counts as a searcher, so the sleepers must come to look by themselves.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "schedulers/contract/fixture.hpp"
#include "schedulers/contract/rendezvous.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::schedulers::contract {
namespace {

/// Stops a worker that looks for work when asked to, and counts those that sleep.
struct stalling_machine : engine::std_machine {
  // seq_cst by default: flags and a count between the test and the workers, no data with them.
  static inline std::atomic<bool> stalls_next{false};  // Taken back by the worker that stops.
  static inline std::atomic<bool> stalled{false};      // Taken back by the test.
  static inline std::atomic<unsigned> asleep{0};

  // Only workers that look for work yield.
  static void yield_thread() noexcept {
    if (!stalls_next.exchange(false)) return engine::std_machine::yield_thread();
    stalled = true;
    while (stalled) linger();
  }
  static bool wait(const zeroed_atomic<std::uint32_t>& word, std::uint32_t old,
                   std::chrono::nanoseconds at_most) noexcept {
    ++asleep;
    const bool woken = engine::std_machine::wait(word, old, at_most);
    --asleep;
    return woken;
  }
};

static_assert(engine::machine<stalling_machine>);

using stalling_subject = STEALBENCH_SCHEDULER_ON<stalling_machine>;

TEST(StalledSearcher, DoesNotKeepOthersAsleep) {
  if (stalling_subject::policy::directed) GTEST_SKIP() << "whom a job is meant for is woken";
  if (stalling_subject::can.give_at_forks_alone) {
    GTEST_SKIP() << "who stops may have asked for work, and is then given a job";
  }
  stalling_subject scheduler(options{.workers = 4});
  scheduler.run([&](auto worker) {
    // A worker that comes for a job looks for another one when it is done, and then yields.
    stalling_machine::stalls_next = true;
    ASSERT_TRUE(eventually([&] {
      worker->fork_join([](auto) { linger(); }, [](auto) {});
      return stalling_machine::stalled.load();
    }));
    ASSERT_TRUE(eventually([] { return stalling_machine::asleep == 2; }));
    rendezvous place(3);  // Of this worker and the two sleepers.
    worker->parallel_for(0, 3, 1, [&](auto, std::size_t) { place.arrive(); });
    stalling_machine::stalled = false;
  });
}

}  // namespace
}  // namespace stealbench::schedulers::contract
