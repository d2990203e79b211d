// The laws of schedulers/scheduler.hpp for task groups.
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

TEST_P(SchedulerContract, RunsEveryChildOfAGroupOnce) {
  for (const std::size_t count : {0U, 1U, 2U, 3U, 100U, 5000U}) {
    std::vector<std::atomic<int>> runs(count);
    scheduler_.run([&](auto worker) {
      auto group = worker->task_group();
      for (auto& each : runs) group.spawn([&each](auto) { ++each; });
      group.sync();
    });
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(runs[i], 1) << i << " of " << count;
  }
}

TEST_P(SchedulerContract, SyncsAGroupOnlyWhenItsChildrenHaveFinished) {
  std::uint64_t total = 0;
  scheduler_.run([&](auto worker) {
    auto group = worker->task_group();
    for (std::size_t round = 0; round < 20; ++round) {
      std::array<std::uint64_t, 30> results{};  // Plain memory: ThreadSanitizer would see a race.
      for (std::size_t i = 0; i < results.size(); ++i) {
        group.spawn([&results, i](auto) {
          if (i % 10 == 3) linger();
          results[i] = i;
        });
      }
      group.sync();
      for (const std::uint64_t result : results) total += result;
    }
  });
  EXPECT_EQ(total, 20U * 435);
}

TEST_P(SchedulerContract, WaitsForAGroupThatIsLeftWithoutASyncOrUnwoundAndDropsItsExceptions) {
  for (const bool throws : {false, true}) {
    scheduler_.run([throws](auto worker) {
      std::array<int, 40> results{};
      const auto thrown = thrown_by([&] {
        auto group = worker->task_group();
        for (int& result : results) {
          group.spawn([&result, throws](auto) {
            linger();
            result = 1;
            if (throws) throw failure{1};
          });
        }
        if (throws) throw failure{2};
      });
      EXPECT_EQ(thrown, throws ? std::optional(2U) : std::nullopt);
      for (const int result : results) EXPECT_EQ(result, 1);
    });
  }
}

TEST_P(SchedulerContract, RethrowsTheExceptionOfTheFirstChildSpawned) {
  scheduler_.run([](auto worker) {
    auto group = worker->task_group();
    for (unsigned first = 0; first < 12; ++first) {
      std::array<int, 12> runs{};
      for (unsigned i = 0; i < runs.size(); ++i) {
        group.spawn([&runs, i, first](auto) {
          ++runs[i];
          if (i == first) linger();
          if (i >= first) throw failure{i};
        });
      }
      EXPECT_EQ(thrown_by([&] { group.sync(); }), first);
      for (const int count : runs) EXPECT_EQ(count, 1);
      EXPECT_EQ(thrown_by([&] { group.sync(); }), std::nullopt) << "thrown twice";
    }
  });
}

/// Of the worker's job stack, in-house.
template <class Worker>
const void* above_children([[maybe_unused]] Worker worker) {
  if constexpr (requires { worker->owner().above_children; }) {
    return worker->owner().above_children;
  } else {
    return nullptr;
  }
}

/// Makes, spawns, syncs and ends four groups in a random order; the children do likewise.
template <class Worker>
void take_turns(Worker worker, std::mt19937::result_type seed, unsigned depth) {
  std::mt19937 random(seed);
  const void* const above_at_first = above_children(worker);
  using task_group = decltype(worker->task_group());
  std::array<std::unique_ptr<task_group>, 4> groups;
  std::array<std::optional<unsigned>, groups.size()> expected;
  std::atomic<unsigned> runs = 0;
  unsigned spawned = 0;
  for (unsigned step = 0; step < 25; ++step) {
    const std::size_t chosen = random() % groups.size();
    auto& group = groups[chosen];
    if (group == nullptr || random() % 8 == 0) {
      group.reset(new task_group(worker->task_group()));  // NOLINT: it cannot be moved
      expected[chosen].reset();
    }
    if (random() % 4 == 0) {
      EXPECT_EQ(thrown_by([&] { group->sync(); }), std::exchange(expected[chosen], {})) << seed;
      continue;
    }
    const bool throws = random() % 2 == 0;
    if (throws && !expected[chosen]) expected[chosen] = step;
    const auto child = [&runs, step, throws, depth, below = random()](auto w) {
      ++runs;
      if (depth > 0) take_turns(w, below, depth - 1);
      if (throws) throw failure{step};
    };
    const auto kind = random() % 4;
    if (kind == 0) {
      group->spawn([child, text = std::string("not plain")](auto w) { child(w); });
    } else if (kind == 1) {
      group->spawn([child, large = std::array<char, 64>{}](auto w) {
        if (large.back() == 0) child(w);
      });
    } else {
      group->spawn(child);
    }
    ++spawned;
  }
  for (auto& group : groups) group.reset();
  EXPECT_EQ(runs, spawned);
  EXPECT_EQ(above_children(worker), above_at_first) << seed;
}

TEST_P(SchedulerContract, RethrowsTheFirstChildsExceptionWhereGroupsTakeTurns) {
  scheduler_.run([](auto worker) {
    for (unsigned seed = 1; seed <= 200; ++seed) {
      worker->fork_join([=](auto w) { take_turns(w, seed, seed % 2); }, [](auto) {});
    }
  });
}

TEST_P(SchedulerContract, SpawnsCopiesOfAClosure) {
  std::array<std::atomic<int>, 3> calls{};
  scheduler_.run([&](auto worker) {
    auto group = worker->task_group();
    const auto counting = [&calls, own = 0](auto) mutable {
      ++calls.at(static_cast<std::size_t>(own++));
    };
    auto mine = counting;
    group.spawn(counting);
    group.spawn(mine);
    group.spawn(mine);
    group.sync();
  });
  EXPECT_EQ(calls[0], 3) << "each is as it was at its spawn";
}

// The slot of such a handle is a child's. Thieves take the child, or the forks above it, or both.
TEST_P(SchedulerContract, RunsEveryClosureOnceThatIsForkedBetweenSpawnsWhileThievesLook) {
  constexpr std::size_t children = 4;
  subject scheduler(options{.workers = GetParam(), .idle = idle_policy::yield_thread});
  const auto root_thread = std::this_thread::get_id();
  std::atomic<int> taken = 0;  // By other workers, which on a busy machine seldom come.
  // OpenMP's threads spin at each join, and on a busy machine have a round take a millisecond.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{1};
  for (int round = 0; round < 10'000 && taken < 10'000; ++round) {
    if (std::chrono::steady_clock::now() > end) break;
    std::array<std::array<std::atomic<int>, 4>, children> runs{};
    scheduler.run([&](auto worker) {
      auto group = worker->task_group();
      for (auto& each : runs) {
        const auto closure = [&](std::size_t index, unsigned steps) {
          return [&taken, &each, root_thread, yields = round % 2 == 0, index, steps](auto) {
            if (std::this_thread::get_id() != root_thread) ++taken;
            // Takes a microsecond or two; lets a thief have the processor, or stays on it.
            if (index == 1 && yields) std::this_thread::yield();
            for (unsigned i = 0; i < steps; ++i)
              std::atomic_signal_fence(std::memory_order_seq_cst);
            ++each[index];
          };
        };
        group.spawn(closure(0, 1000));
        worker->fork_join([&](auto w) { w->fork_join(closure(1, 4000), closure(2, 2000)); },
                          closure(3, 1000));
      }
      group.sync();
    });
    for (const auto& each : runs) {
      for (const auto& count : each) ASSERT_EQ(count, 1) << "round " << round;
    }
  }
}

/// A tree in which each node spawns its children: `width` at the root, three below, down to
/// `depth`; the first child of a node has the subtree. Returns the nodes.
template <class Worker>
std::uint64_t spawn_tree(Worker worker, unsigned width, unsigned depth) {
  if (depth == 0) return 1;
  std::vector<std::uint64_t> nodes(width);
  auto group = worker->task_group();
  for (unsigned i = 0; i < width; ++i) {
    const unsigned below = i == 0 || width > 3 ? depth - 1 : 0;
    group.spawn([&nodes, i, below](auto w) { nodes[i] = spawn_tree(w, 3, below); });
  }
  group.sync();
  std::uint64_t sum = 1;
  for (const std::uint64_t count : nodes) sum += count;
  return sum;
}

TEST_P(SchedulerContract, NestsGroupsDeepAndWide) {
  if (!may_be_called_from_any_thread<subject>())
    GTEST_SKIP() << "the backend bears one thread only";
  constexpr unsigned deep_group = deep / 20;
  operating_system::run_on_stack(deep_stack_bytes, [] {
    subject scheduler(options{.workers = GetParam(), .stack_bytes = deep_stack_bytes});
    EXPECT_EQ(scheduler.run([](auto w) { return spawn_tree(w, 3, deep_group); }),
              3 * std::uint64_t{deep_group} + 1);
    EXPECT_EQ(scheduler.run([](auto w) { return spawn_tree(w, 2000, 20); }),
              2000 * std::uint64_t{3 * 19 + 1} + 1);
  });
}

// In-house, a worker's job stack has room for a million children. Where fibers migrate they do not
// wait in one.
TEST_P(SchedulerContract, RunsMoreChildrenThanAJobStackHolds) {
  constexpr std::size_t count = fibers_migrate<subject>() ? 110'000 : 1'100'000;
  std::vector<std::uint8_t> runs(count);
  std::uint64_t nodes = 0;
  scheduler_.run([&](auto worker) {
    auto group = worker->task_group();
    // The eldest one has a slot, those that throw below have none.
    for (const bool eldest_throws : {false, true}) {
      for (auto& each : runs) {
        group.spawn([&each, throws = eldest_throws && &each == runs.data()](auto) {
          ++each;
          if (throws) throw failure{1};
        });
      }
      for (unsigned i = 0; i < 10; ++i) {
        group.spawn([&nodes, i](auto w) {
          if (i == 9) nodes = spawn_tree(w, 3, 10);
          if (i >= 4) throw failure{i};
        });
      }
      auto other = worker->task_group();
      for (const unsigned i : {20U, 21U}) other.spawn([i](auto) { throw failure{i}; });
      EXPECT_EQ(thrown_by([&] { other.sync(); }), 20U);
      EXPECT_EQ(thrown_by([&] { group.sync(); }), eldest_throws ? 1U : 4U);
    }
  });
  EXPECT_EQ(std::count(runs.begin(), runs.end(), 2), std::ptrdiff_t{count});
  EXPECT_EQ(nodes, 31U);
}

// Closures of every kind.

TEST_P(SchedulerContract, GivesAChildAClosureOfItsOwn) {
  scheduler_.run([](auto worker) {
    std::vector<std::string> copies(200);
    auto group = worker->task_group();
    for (std::size_t i = 0; i < copies.size(); ++i) {
      std::string text = "too long to be within the string itself: " + std::to_string(i);
      const auto child = [&copies, text, i](auto) { copies[i] = text; };
      group.spawn(child);  // `child` and `text` go before the child may have begun.
    }
    group.sync();
    for (std::size_t i = 0; i < copies.size(); ++i) {
      EXPECT_EQ(copies[i], "too long to be within the string itself: " + std::to_string(i));
    }
  });
}

TEST_P(SchedulerContract, DestroysTheClosuresOfAGroupByItsSync) {
  const auto shared = std::make_shared<int>(0);
  scheduler_.run([&](auto worker) {
    auto group = worker->task_group();
    for (int i = 0; i < 100; ++i) {
      group.spawn([shared, i](auto) {
        if (i % 3 == 0) throw failure{0};
      });
    }
    EXPECT_EQ(thrown_by([&] { group.sync(); }), 0U);
    EXPECT_EQ(shared.use_count(), 1);
  });
}

struct alignas(64) cache_line {
  std::array<unsigned char, 64> bytes{};
};

/// Trivially copyable, though it cannot be copied.
struct only_moved {
  int* result;

  explicit only_moved(int& to) : result(&to) {}
  only_moved(only_moved&&) = default;
  only_moved(const only_moved&) = delete;
  only_moved& operator=(const only_moved&) = delete;
  ~only_moved() = default;
  void operator()(auto) const { ++*result; }
};
static_assert(std::is_trivially_copyable_v<only_moved>);

TEST_P(SchedulerContract, TakesClosuresThatAreMutableOrMovedAndNotCopied) {
  scheduler_.run([](auto worker) {
    std::array<std::array<int, 2>, 50> results{};
    auto group = worker->task_group();
    for (auto& [result, other] : results) {
      group.spawn(only_moved(result));
      group.spawn([&other = other, owned = std::make_unique<int>(6), calls = 0](auto) mutable {
        ++calls;
        other = *owned + calls;
      });
    }
    group.sync();
    for (std::size_t i = 0; i < results.size(); i += 2) {
      worker->fork_join(only_moved(results[i][0]), only_moved(results[i + 1][0]));
    }
    for (const auto& [result, other] : results) {
      EXPECT_EQ(result, 2);
      EXPECT_EQ(other, 7);
    }
    const auto both = worker->fork_join(
        [owned = std::make_unique<int>(1)](auto) mutable { return std::move(owned); },
        [owned = std::make_unique<int>(2)](auto) mutable { return std::move(owned); });
    EXPECT_EQ(*both.first + *both.second, 3);
  });
}

/// Throws when it is moved once too often.
struct throws_when_moved {
  int moves_left;
  int* runs;

  throws_when_moved(int moves, int& to) : moves_left(moves), runs(&to) {}
  throws_when_moved(throws_when_moved&& other)  // NOLINT: it is to throw
      : moves_left(other.moves_left - 1), runs(other.runs) {
    if (moves_left < 0) throw failure{1};
  }
  throws_when_moved(const throws_when_moved&) = delete;
  throws_when_moved& operator=(const throws_when_moved&) = delete;
  ~throws_when_moved() = default;
  void operator()(auto) const { ++*runs; }
};

TEST_P(SchedulerContract, KeepsAGroupWithoutAClosureThatThrewAtItsSpawn) {
  scheduler_.run([](auto worker) {
    bool has_run = false;
    for (int moves = 0; moves < 10; ++moves) {
      std::array<int, 3> runs{};
      auto group = worker->task_group();
      group.spawn([&runs](auto) { ++runs[0]; });
      const auto thrown = thrown_by([&] { group.spawn(throws_when_moved(moves, runs[1])); });
      group.spawn([&runs](auto) { ++runs[2]; });
      group.sync();
      EXPECT_EQ(runs, (std::array{1, thrown ? 0 : 1, 1})) << moves;
      has_run = !thrown;
    }
    EXPECT_TRUE(has_run) << "more than nine moves";
  });
}

TEST_P(SchedulerContract, TakesLargeAndOverAlignedClosures) {
  scheduler_.run([](auto worker) {
    std::array<std::uint64_t, 128> large{};
    for (std::size_t i = 0; i < large.size(); ++i) large[i] = i;
    cache_line line;
    line.bytes.fill(3);
    const auto check = [](const auto& numbers, const cache_line& aligned) {
      std::uint64_t sum = 0;
      for (const std::uint64_t number : numbers) sum += number;
      for (const unsigned char byte : aligned.bytes) sum += byte;
      const bool is_aligned = reinterpret_cast<std::uintptr_t>(&aligned) % alignof(cache_line) == 0;
      return is_aligned ? sum : 0;
    };
    std::array<std::uint64_t, 60> sums{};
    auto group = worker->task_group();
    for (auto& sum : sums) {
      group.spawn([=, &sum](auto w) {
        const auto branch = [=](auto) { return check(large, line); };
        const auto both = w->fork_join(branch, branch);
        if (both.first == both.second) sum = check(large, line);
      });
    }
    group.sync();
    for (const std::uint64_t sum : sums) EXPECT_EQ(sum, 128U * 127 / 2 + 64 * 3);
  });
}

}  // namespace
}  // namespace stealbench::schedulers::contract
