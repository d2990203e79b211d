// The k-th allocation fails, for every k: a run ends with its answer or with std::bad_alloc, leaks
// nothing, and leaves a scheduler that works.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <vector>

#include "schedulers/contract/faults/operators_fixture.hpp"
#include "schedulers/contract/fixture.hpp"

namespace {

// Of all threads. Relaxed: plain counts, read when the threads that count have been joined.
std::atomic<std::int64_t> allocations{0};
std::atomic<std::int64_t> alive{0};
// The allocations from the `first_to_fail`-th to the `last_to_fail`-th get no memory. Written
// between runs.
std::atomic<std::int64_t> first_to_fail{std::numeric_limits<std::int64_t>::max()};
std::atomic<std::int64_t> last_to_fail{std::numeric_limits<std::int64_t>::max()};

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  const std::int64_t number = allocations.fetch_add(1, std::memory_order_relaxed) + 1;
  if (number >= first_to_fail.load(std::memory_order_relaxed) &&
      number <= last_to_fail.load(std::memory_order_relaxed)) {
    return nullptr;
  }
  const std::size_t whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) & ~(alignment - 1);
  void* const memory = std::aligned_alloc(alignment, whole);
  if (memory != nullptr) alive.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void release(void* memory) noexcept {
  if (memory != nullptr) alive.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

namespace stealbench::schedulers::contract {
namespace {

/// While it lives, the `first`-th allocation fails, and `count - 1` after it.
class no_memory {
 public:
  static constexpr std::int64_t for_ever = std::numeric_limits<std::int64_t>::max() / 2;

  no_memory(std::int64_t first, std::int64_t count) : before_(allocations) {
    last_to_fail = before_ + first + count - 1;
    first_to_fail = before_ + first;
  }
  no_memory(const no_memory&) = delete;
  no_memory& operator=(const no_memory&) = delete;
  ~no_memory() { first_to_fail = std::numeric_limits<std::int64_t>::max(); }

  /// Allocations since, also those that failed.
  [[nodiscard]] std::int64_t attempted() const { return allocations - before_; }

 private:
  const std::int64_t before_;
};

/// To be copied with a closure: eight bytes on the heap.
using owned = std::vector<std::uint64_t>;

/// Forks closures that own memory, and allocates in their leaves.
template <class Worker>
std::uint64_t fork_owning(Worker worker, unsigned depth) {
  const owned one(1, 1);
  if (depth == 0) return one[0];
  const auto branch = [one, depth](auto w) { return fork_owning(w, depth - 1) * one[0]; };
  const auto [left, right] = worker->fork_join(branch, branch);
  return left + right;
}

/// Every kind of fork, each with closures of every kind: in the slot, on the stack of closures
/// (more than a chunk of it), and too large for either. More plain children than a deque at first
/// has room for, so that it grows. `pause` lets other workers come to what has been forked.
template <class Worker, class Pause>
std::uint64_t allocate_everywhere(Worker worker, const Pause& pause) {
  constexpr std::size_t plain_children = 1500;
  constexpr std::size_t owning_children = 70;
  const auto [left, right] = worker->fork_join(
      [&, one = owned(1, 1)](auto w) {
        pause();
        return fork_owning(w, 2) * one[0];
      },
      [one = owned(1, 1)](auto w) { return fork_owning(w, 2) * one[0]; });
  std::atomic<std::uint64_t> sum = left + right;
  auto group = worker->task_group();
  for (std::size_t i = 0; i < plain_children; ++i) group.spawn([&sum](auto) { ++sum; });
  for (std::size_t i = 0; i < owning_children; ++i) {
    if (i % 10 != 0) {
      group.spawn([&sum, one = owned(1, 1), board = std::array<owned, 16>()](auto) {
        sum += owned(one)[0] + board[0].size();
      });
    } else {
      const auto copied = [&sum, one = owned(1, 1), large = std::array<owned, 64>()](auto w) {
        sum += fork_owning(w, 1) - one[0] + large[0].size();
      };
      group.spawn(copied);
    }
  }
  // Above the other's children, so that it needs memory; without it, it goes on.
  auto upper = worker->task_group();
  const auto spawn_above = [&] { upper.spawn([&sum](auto) { ++sum; }); };
  try {
    spawn_above();
  } catch (const std::bad_alloc&) {
    spawn_above();
  }
  pause();
  upper.sync();
  group.sync();
  worker->parallel_for(0, 20, 1, [&](auto, std::size_t i) {
    if (i == 0) pause();
    sum += owned(1, 1)[0];
  });
  return sum;
}
constexpr std::uint64_t answer = 8 + 1500 + 70 + 1 + 20;

/// What became of a scheduler and its run.
struct history {
  bool constructed = false;
  std::optional<std::uint64_t> first;   // What the run returned whose allocation failed, if it did.
  std::optional<std::uint64_t> second;  // The same for the next run, with memory.
  std::int64_t attempted = 0;           // Allocations up to the end of the first run.
  std::int64_t lost = 0;                // Allocations that are still alive in the end.
};

history run_without(std::int64_t first, std::int64_t count, unsigned workers) {
  history seen;
  const std::int64_t alive_before = alive;
  {
    std::optional<subject> scheduler;
    {
      const no_memory failing(first, count);
      try {
        scheduler.emplace(options{.workers = workers});
        seen.constructed = true;
        seen.first = scheduler->run([&](auto worker) {
          return allocate_everywhere(worker, [&] {
            if (workers > 1) linger();
          });
        });
      } catch (const std::bad_alloc&) {  // What else is thrown ends the test.
      }
      seen.attempted = failing.attempted();
    }
    if (scheduler) {
      seen.second = scheduler->run([](auto worker) { return allocate_everywhere(worker, [] {}); });
    }
    const no_memory failing(1, no_memory::for_ever);  // To go takes no memory.
    scheduler.reset();
  }
  seen.lost = alive - alive_before;
  return seen;
}

/// The parameter is the number of workers asked for.
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class AllocationFault : public testing::TestWithParam<unsigned> {};

INSTANTIATE_TEST_SUITE_P(Workers, AllocationFault, testing::Values(1U, 3U),
                         testing::PrintToStringParamName());

void fail_each_allocation(std::int64_t count, unsigned workers) {
  ASSERT_EQ(run_without(no_memory::for_ever, 1, workers).first, answer);
  std::int64_t bad_allocs = 0;
  for (std::int64_t k = 1;; ++k) {
    const history seen = run_without(k, count, workers);
    ASSERT_EQ(seen.first.value_or(answer), answer) << "allocation " << k;
    ASSERT_EQ(seen.second.has_value(), seen.constructed) << "allocation " << k;
    ASSERT_EQ(seen.second.value_or(answer), answer) << "the run after allocation " << k;
    ASSERT_EQ(seen.lost, 0) << "leaked after allocation " << k;
    bad_allocs += seen.first.has_value() ? 0 : 1;
    if (seen.attempted < k) break;
  }
  EXPECT_GT(bad_allocs, 100) << "too few to tell anything";
}

TEST_P(AllocationFault, AnyOneEndsInTheAnswerOrInBadAlloc) { fail_each_allocation(1, GetParam()); }

TEST_P(AllocationFault, SoDoesAnyOneWithAllThatFollow) {
  fail_each_allocation(no_memory::for_ever, GetParam());
}

}  // namespace
}  // namespace stealbench::schedulers::contract
