// The laws of schedulers/scheduler.hpp for parallel_for.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

constexpr std::size_t max_index = std::numeric_limits<std::size_t>::max();

struct loop {
  std::size_t first;
  std::size_t last;
  std::size_t grain;
};

// The edges: no index, one, a grain that divides the loop or just does not, one that is longer than
// the loop, and indices and grains at the end of their type.
constexpr loop loops[] = {{0, 0, 1},          {5, 5, 3},       {0, 1, 1},
                          {0, 1, 100},        {3, 10, 1},      {0, 10, 10},
                          {0, 10, 9},         {7, 27, 10},     {7, 26, 10},
                          {0, 1000, 1},       {0, 1000, 7},    {17, 1017, 64},
                          {0, 10, 1000},      {1, 20'000, 33}, {max_index - 10, max_index, 3},
                          {0, 100, max_index}};

/// How often a loop ran each index, and what it rethrew.
struct record {
  explicit record(const loop& shape) : bounds(shape), runs(shape.last - shape.first) {}

  template <class Subject, class Body>
  void run(Subject& scheduler, const Body& body) {
    thrown = thrown_by([&] {
      scheduler.run([&](auto worker) {
        worker->parallel_for(bounds.first, bounds.last, bounds.grain, [&](auto w, std::size_t i) {
          ++runs.at(i - bounds.first);
          body(w, i);
        });
      });
    });
  }

  loop bounds;
  std::vector<std::atomic<int>> runs;
  std::optional<unsigned> thrown;
};

void expect_every_index_once(subject& scheduler) {
  for (const loop& each : loops) {
    record seen(each);
    seen.run(scheduler, [](auto, std::size_t) {});
    for (std::size_t i = 0; i < seen.runs.size(); ++i) {
      ASSERT_EQ(seen.runs[i], 1) << each.first + i << " in " << each.first << "..." << each.last;
    }
  }
}

// A piece ends at its first exception: if every index throws, those that ran began the pieces.
void expect_no_piece_below_the_grain(subject& scheduler) {
  for (const loop& each : loops) {
    record seen(each);
    seen.run(scheduler, [&each](auto, std::size_t i) {
      throw failure{static_cast<unsigned>(i - each.first)};
    });
    const std::size_t length = seen.runs.size();
    EXPECT_EQ(seen.thrown.has_value(), length > 0);
    EXPECT_EQ(seen.thrown.value_or(0), 0U) << "not the exception of the first index";
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= length; ++i) {
      if (i < length && seen.runs[i] == 0) continue;
      if (begin == 0 && i == length) break;  // One piece.
      EXPECT_GE(i - begin, each.grain) << "of " << length << ", from " << begin;
      begin = i;
    }
  }
}

// What a piece leaves out is behind the index that threw, and in the same piece.
void expect_other_pieces_to_run(subject& scheduler) {
  constexpr std::array<std::size_t, 5> throwing = {40, 41, 333, 700, 999};
  const auto throws = [&](std::size_t i) {
    return std::find(throwing.begin(), throwing.end(), i) != throwing.end();
  };
  for (const std::size_t grain : {1U, 10U, 250U, 2000U}) {
    record seen({.first = 0, .last = 1000, .grain = grain});
    seen.run(scheduler, [&](auto, std::size_t i) {
      if (i % 100 == 0) linger();
      if (throws(i)) throw failure{static_cast<unsigned>(i)};
    });
    EXPECT_EQ(seen.thrown, throwing.front());
    for (std::size_t i = 0; i < seen.runs.size(); ++i) {
      ASSERT_LE(seen.runs[i], 1) << i;
      if (seen.runs[i] == 1) continue;
      ASSERT_GT(i, 0U);
      ASSERT_TRUE(seen.runs[i - 1] == 0 || throws(i - 1)) << i << " is missing, grain " << grain;
    }
  }
}

TEST_P(SchedulerContract, CutsNoLoopWhoseGrainIsAllIndices) {
  if (subject::name.starts_with("openmp")) {
    GTEST_SKIP() << "no loop of OpenMP may be left: it goes on to the last index";
  }
  std::atomic<int> runs = 0;
  const auto thrown = thrown_by([&] {
    scheduler_.run([&](auto worker) {
      worker->parallel_for(0, max_index, max_index, [&](auto, std::size_t i) {
        if (++runs == 100 || i == 0) throw failure{7};
      });
    });
  });
  EXPECT_EQ(thrown, 7U);
  EXPECT_EQ(runs, 1) << "the piece ends at its first exception";
}

void expect_all_to_have_run(subject& scheduler) {
  std::vector<std::uint64_t> squares(2000);  // Plain memory: ThreadSanitizer would see a race.
  std::uint64_t sum = 0;
  scheduler.run([&](auto worker) {
    worker->parallel_for(0, squares.size(), 16, [&](auto, std::size_t i) {
      if (i % 128 == 5) linger();
      squares[i] = i * i;
    });
    for (const std::uint64_t square : squares) sum += square;
  });
  EXPECT_EQ(sum, 2'664'667'000U);
}

void fork_loop_and_spawn_in_a_loop(subject& scheduler) {
  std::vector<std::atomic<int>> runs(std::size_t{20} * 30);
  scheduler.run([&](auto worker) {
    worker->parallel_for(0, 20, 1, [&](auto outer_worker, std::size_t outer) {
      const auto count = [&, outer](auto, std::size_t inner) { ++runs[outer * 30 + inner]; };
      outer_worker->fork_join([&](auto w) { w->parallel_for(0, 10, 2, count); },
                              [&](auto w) {
                                auto group = w->task_group();
                                for (std::size_t i = 10; i < 20; ++i)
                                  group.spawn([=](auto v) { count(v, i); });
                                w->parallel_for(20, 30, 1, count);
                                group.sync();
                              });
    });
  });
  for (std::size_t i = 0; i < runs.size(); ++i) ASSERT_EQ(runs[i], 1) << i;
}

void expect_serial_order(subject& scheduler) {
  std::vector<std::size_t> order;
  scheduler.run([&](auto worker) {
    worker->parallel_for(0, 300, 4, [&](auto, std::size_t i) { order.push_back(i); });
  });
  ASSERT_EQ(order.size(), 300U);
  for (std::size_t i = 0; i < order.size(); ++i) ASSERT_EQ(order[i], i);
}

void expect_laws_of_loops(subject& scheduler) {
  expect_every_index_once(scheduler);
  expect_no_piece_below_the_grain(scheduler);
  expect_other_pieces_to_run(scheduler);
  expect_all_to_have_run(scheduler);
  fork_loop_and_spawn_in_a_loop(scheduler);
  if (subject::serial_order_on_one_worker && scheduler.worker_count() == 1) {
    expect_serial_order(scheduler);
  }
}

TEST_P(SchedulerContract, RunsEveryIndexOfALoopOnceInPiecesOfItsGrainWhicheverThrow) {
  expect_laws_of_loops(scheduler_);
}

// Templates, so that a scheduler without the option need not compile them.
template <class S>
constexpr bool cuts_loops_as_told() {
  if constexpr (requires { S::policy::directed; }) {
    return !S::policy::directed && !fibers_migrate<S>();
  }
  return false;
}

TEST_P(SchedulerContract, KeepsTheLawsOfLoopsHoweverTheyAreCut) {
  if (!cuts_loops_as_told<subject>()) GTEST_SKIP() << "has no such option";
  for (const loop_split split : {loop_split::eager, loop_split::guided}) {
    SCOPED_TRACE(static_cast<int>(split));
    subject scheduler(options{.workers = GetParam(), .split = split});
    expect_laws_of_loops(scheduler);
  }
}

/// Tasks that a loop of empty bodies makes.
template <class S>
void expect_tasks(unsigned workers, loop_split split, std::size_t indices, std::size_t grain,
                  std::uint64_t tasks) {
  if constexpr (counts<S>) {
    // Where there is no membarrier each look at the flag finds it set
    // (engine/sleep/parking_lot.hpp).
    if (split == loop_split::lazy && !S::machine::asymmetric()) return;
    typename S::counting_variant counting(options{.workers = workers, .split = split});
    counting.run(
        [&](auto worker) { worker->parallel_for(0, indices, grain, [](auto, std::size_t) {}); });
    EXPECT_EQ(counting.counters().value().jobs_spawned, tasks)
        << static_cast<int>(split) << ", " << indices << " indices, grain " << grain;
  }
}

TEST(LoopSplit, MakesAsManyTasksAsEachWayOfCuttingSays) {
  if (!cuts_loops_as_told<subject>()) GTEST_SKIP() << "has no such option";
  // One worker, whom no other asks for work.
  for (const std::size_t indices : {std::size_t{1024}, std::size_t{100'000}}) {
    expect_tasks<subject>(1, loop_split::lazy, indices, 1, 0);
    expect_tasks<subject>(1, loop_split::eager, indices, 1, indices - 1);
    expect_tasks<subject>(1, loop_split::guided, indices, 1, 0);
  }
  expect_tasks<subject>(1, loop_split::eager, 1024, 64, 15);
  expect_tasks<subject>(1, loop_split::eager, 1, 1, 0);
  // A guided loop offers a child for each other worker, but none that would find no piece.
  expect_tasks<subject>(4, loop_split::guided, 1000, 1, 3);
  expect_tasks<subject>(4, loop_split::guided, 1000, 400, 1);
  expect_tasks<subject>(4, loop_split::guided, 1000, 501, 0);
}

}  // namespace
}  // namespace stealbench::schedulers::contract
