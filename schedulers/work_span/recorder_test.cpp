// Work and span of programs whose dag is known: drawn by hand, and random ones that a second
// computation measures by their structure.
#include "schedulers/work_span/recorder.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ctime>
#include <numeric>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/random.hpp"
#include "schedulers/work_span/scheduler.hpp"

namespace {

std::uint64_t thread_time_ns = 0;  // What the system says; the truth if this is 0.

}  // namespace

// What the linker calls where the recorder asks the system.
int real_clock_gettime(clockid_t which, timespec* now) __asm__("__real_clock_gettime");
int wrapped_clock_gettime(clockid_t which, timespec* now) __asm__("__wrap_clock_gettime");
int wrapped_clock_gettime(clockid_t which, timespec* now) {
  if (which != CLOCK_THREAD_CPUTIME_ID || thread_time_ns == 0) {
    return real_clock_gettime(which, now);
  }
  *now = {.tv_sec = static_cast<time_t>(thread_time_ns / 1'000'000'000),
          .tv_nsec = static_cast<long>(thread_time_ns % 1'000'000'000)};
  return 0;
}

namespace stealbench::work_span {
namespace {

std::uint64_t fake_time_ns = 0;

/// A strand of that length, by the clock; and in units, which need not be in proportion.
void strand(worker /*unused*/, std::uint64_t ns, std::uint64_t units = 0) {
  fake_time_ns += ns;
  worker::machine::work(units);
}

constexpr auto nothing = [](worker) {};

/// A branch or a child of one strand.
auto part_of(std::uint64_t ns, std::uint64_t units = 0) {
  return [=](worker inner) { strand(inner, ns, units); };
}

template <class Program>
record record_of(const Program& program, double burden_ns = 0) {
  recording::chosen = {.burden_ns = burden_ns, .clock = [] { return fake_time_ns; }};
  scheduler({}).run(program);
  return recording::latest;
}

TEST(WorkSpan, OfAStrandAreItsLength) {
  const record seen = record_of([](worker w) { strand(w, 7, 3); });
  EXPECT_EQ(seen.work_ns, 7);
  EXPECT_EQ(seen.span_ns, 7);
  EXPECT_EQ(seen.work_units, 3);
  EXPECT_EQ(seen.span_units, 3);
  EXPECT_EQ(seen.tasks, 0);
  EXPECT_EQ(seen.strands, 1);
  EXPECT_EQ(seen.depth, 0);
  EXPECT_EQ(seen.interval_ns, 1);
  EXPECT_EQ(seen.work_over_time, std::vector<double>(7, 1.0)) << "until the end of the span";
}

TEST(WorkSpan, OfAForkAreTheSumAndTheLongerBranch) {
  for (const auto& [left, right, burdens] : {std::tuple(10U, 30U, 1U), {30U, 10U, 0U}}) {
    const record seen = record_of(
        [first = left, second = right](worker w) {
          strand(w, 1);
          w->fork_join(part_of(first), part_of(second));
          strand(w, 2);
        },
        5);
    EXPECT_EQ(seen.work_ns, 43);
    EXPECT_EQ(seen.span_ns, 33);
    EXPECT_EQ(seen.burdened_span_ns, 33 + 5 * burdens) << "the second branch is the stolen one";
    EXPECT_EQ(seen.burdens, burdens);
    EXPECT_EQ(seen.tasks_of_kind, (std::array<std::uint64_t, 3>{1, 0, 0}));
    EXPECT_EQ(seen.strands, 4);
  }
}

TEST(WorkSpan, OfUnitsHaveALongestChainOfTheirOwn) {
  const record seen = record_of([](worker w) { w->fork_join(part_of(10, 1), part_of(1, 10)); });
  EXPECT_EQ(seen.span_ns, 10);
  EXPECT_EQ(seen.span_units, 10);
  EXPECT_EQ(seen.work_units, 11);
}

TEST(WorkSpan, TheClockIsTheThreadsProcessorTimeUnlessAnotherIsChosen) {
  thread_time_ns = 5'999'999'990;
  recording::chosen = {};
  scheduler({}).run([](worker) { thread_time_ns += 2'000'000'020; });
  thread_time_ns = 0;
  EXPECT_EQ(recording::latest.work_ns, 2'000'000'020);
}

TEST(WorkSpan, AStrandIsAsLongAsTheClockSaysWithoutItsReadingOrAsThePriceOfItsUnits) {
  const auto recorded = [](const settings& chosen, const auto& program) {
    recording::chosen = chosen;
    scheduler({}).run(program);
    return recording::latest;
  };
  const auto clock = [] { return fake_time_ns; };
  EXPECT_EQ(recorded({.unit_ns = 4, .clock = clock}, part_of(100, 3)).work_ns, 12);
  const record dearer = recorded({.clock_ns = 100, .burden_ns = 30, .clock = clock},
                                 [](worker w) { w->fork_join(nothing, part_of(7)); });
  EXPECT_EQ(dearer.work_ns, 700);
  EXPECT_EQ(dearer.span_ns, 700);
  EXPECT_EQ(dearer.burdened_span_ns, 730);
  EXPECT_EQ(dearer.strands_of_length[9], 1) << "of 512 to 1024 ns";
  const record slow = recorded({.clock = [] { return fake_time_ns += 5; }},
                               [](worker w) { w->fork_join(part_of(10), part_of(30)); });
  EXPECT_EQ(slow.work_ns, 40);
  EXPECT_EQ(slow.span_ns, 30);
  EXPECT_EQ(slow.strands, 2);
}

// Of the readings before the program some are cheap, and some are interrupted.
TEST(WorkSpan, AReadingOfTheClockTakesTheMedianAndAStrandNoLessThanNothing) {
  static unsigned readings = 0;
  static std::uint64_t in_program = 0;
  recording::chosen = {.clock = [] {
    constexpr std::array<std::uint64_t, 3> before{1, 5, 100};
    return fake_time_ns += in_program > 0 ? in_program : before.at(readings++ / 2 % 3);
  }};
  scheduler({}).run([](worker w) {
    in_program = 5;
    strand(w, 10);
    w->fork_join([](worker) { in_program = 2; }, [](worker) {});
  });
  EXPECT_EQ(recording::latest.work_ns, 10);
  EXPECT_EQ(recording::latest.strands, 1);
}

TEST(WorkSpan, OfAGroupJoinTheLongestChildAtItsSync) {
  const record seen = record_of(
      [](worker w) {
        auto group = w->task_group();
        group.spawn(part_of(50));  // ends at 50
        strand(w, 20);
        group.spawn(part_of(10));  // ends at 30
        strand(w, 5);
        group.sync();
        strand(w, 1);
        group.spawn(part_of(2));
        strand(w, 9);
        group.sync();
      },
      100);
  EXPECT_EQ(seen.work_ns, 97);
  EXPECT_EQ(seen.span_ns, 60);
  EXPECT_EQ(seen.burdens, 2);
  EXPECT_EQ(seen.burdened_span_ns, 253);  // 100 + 50, then 1 + 100 + 2: both children are stolen.
  EXPECT_EQ(seen.tasks_of_kind, (std::array<std::uint64_t, 3>{0, 3, 0}));
}

TEST(WorkSpan, OfALoopAreThoseOfAsManyPiecesAsItMayHave) {
  const auto loop = [](std::size_t begin, std::size_t end, std::size_t grain) {
    return record_of(
        [=](worker w) {
          w->parallel_for(begin, end, grain, [](worker inner, std::size_t i) { strand(inner, i); });
        },
        7);
  };
  const record seen = loop(3, 14, 4);
  EXPECT_EQ(seen.tasks_of_kind, (std::array<std::uint64_t, 3>{0, 0, 2}));  // 3 to 8 and 9 to 13.
  EXPECT_EQ(seen.work_ns, 88);
  EXPECT_EQ(seen.span_ns, 9 + 10 + 11 + 12 + 13);
  EXPECT_EQ(seen.burdened_span_ns, seen.span_ns + 7);
  EXPECT_EQ(seen.depth, 1);
  EXPECT_EQ(loop(5, 5, 1).tasks, 0) << "it is empty";
  EXPECT_EQ(loop(0, 3, 10).tasks, 1) << "it is shorter than its grain";
  EXPECT_EQ(loop(0, 3, 10).span_ns, 3);
}

TEST(WorkSpan, PlacesDivideWorkAndSpan) {
  unsigned line = 0;
  const record seen = record_of([&line](worker w) {
    strand(w, 1);
    line = __LINE__ + 1;
    w->fork_join(part_of(10), part_of(30));
    strand(w, 2);
  });
  ASSERT_EQ(seen.places.size(), 2);
  EXPECT_EQ(seen.places[0].work_ns, 1);
  EXPECT_EQ(seen.places[0].span_ns, 1);
  EXPECT_EQ(seen.places[1].line, line);
  EXPECT_EQ(seen.places[1].work_ns, 42);
  EXPECT_EQ(seen.places[1].span_ns, 32);
  EXPECT_EQ(seen.span_ns_at_depth[0], 3);
  EXPECT_EQ(seen.span_ns_at_depth[1], 30);
}

TEST(WorkSpan, PlacesOfAGroupAreItsSpawnUntilItsSync) {
  const record seen = record_of([&](worker w) {
    strand(w, 1);
    auto group = w->task_group();
    group.spawn(part_of(10), "file", 7);
    strand(w, 20);
    group.sync("file", 9);
    strand(w, 2);
  });
  ASSERT_EQ(seen.places.size(), 3);
  EXPECT_EQ(seen.places[0].work_ns, 1);
  EXPECT_EQ(seen.places[1].line, 7);
  EXPECT_EQ(seen.places[1].work_ns, 30);
  EXPECT_EQ(seen.places[1].span_ns, 20);
  EXPECT_EQ(seen.places[2].line, 9);
  EXPECT_EQ(seen.places[2].work_ns, 2);
}

TEST(WorkSpan, WhatFollowsAGroupBelongsToItsLastSyncIfThatHasJoinedAllAndElseToItsSpawn) {
  for (const bool is_synced : {true, false}) {
    unsigned spawned = 0;
    unsigned synced = 0;
    const record seen = record_of([&](worker w) {
      {
        auto group = w->task_group();
        synced = __LINE__ + 1;
        group.sync();
        spawned = __LINE__ + 1;
        group.spawn(part_of(10));
        if (is_synced) group.sync("later", 1);
        strand(w, 1);
      }
      strand(w, 2);
      { const auto unused = w->task_group(); }
      strand(w, 4);
    });
    ASSERT_EQ(seen.places.size(), is_synced ? 4 : 3);
    EXPECT_EQ(seen.places[1].line, synced);
    EXPECT_EQ(seen.places[1].work_ns, 0);
    EXPECT_EQ(seen.places[2].line, spawned);
    EXPECT_EQ(seen.places[2].work_ns, is_synced ? 10 : 17);
    EXPECT_EQ(seen.places.back().work_ns, is_synced ? 7 : 17);
    EXPECT_EQ(seen.span_ns, is_synced ? 17 : 16);
  }
}

void nested_forks(worker w, unsigned forks) {
  strand(w, 1);
  if (forks > 0) {
    w->fork_join([forks](worker inner) { nested_forks(inner, forks - 1); }, nothing);
  }
}

TEST(WorkSpan, StrandsBeyondTheDeepestCountAsTheDeepest) {
  const record seen = record_of([](worker w) { nested_forks(w, most_depths + 5); });
  EXPECT_EQ(seen.depth, most_depths + 5);
  EXPECT_EQ(seen.span_ns_at_depth[most_depths - 2], 1);
  EXPECT_EQ(seen.span_ns_at_depth[most_depths - 1], 7);
}

TEST(WorkSpan, AllChildrenOfAGroupAreLiveWhileAnyOfThemRuns) {
  const auto fork = [&](worker w) { w->fork_join(nothing, nothing); };
  const auto pair = [&](worker w) {
    auto group = w->task_group();
    for (int i = 0; i < 2; ++i) group.spawn(nothing);
    group.sync();
  };
  const record three = record_of([&](worker w) {
    auto group = w->task_group();
    group.spawn(pair);
    group.spawn(nothing);
    group.spawn(fork);
    group.sync();  // Three, and the two in the first one.
    for (int i = 0; i < 4; ++i) group.spawn(nothing);
    group.sync();  // Four, and none in them.
  });
  EXPECT_EQ(three.most_live_tasks, 5);
  const record beside_others = record_of([&](worker w) {
    auto waiting = w->task_group();
    for (int i = 0; i < 2; ++i) waiting.spawn(fork);  // Each waits while `group` is joined.
    auto group = w->task_group();
    group.spawn(pair);
    group.sync();
    fork(w);
  });
  EXPECT_EQ(beside_others.most_live_tasks, 2 + 1 + 2);
}

TEST(WorkSpan, PlacesAreToldApartByTheirFilesAndBeyondTheLastCountAsTheLast) {
  const record of_files = record_of([](worker w) {
    for (const char* const file : {"one", "other", "one"})
      w->fork_join(part_of(1), nothing, file, 1);
  });
  ASSERT_EQ(of_files.places.size(), 3);
  EXPECT_EQ(of_files.places[1].work_ns, 2);
  EXPECT_EQ(of_files.places[2].work_ns, 1);
  const record of_lines = record_of([](worker w) {
    for (unsigned line = 1; line <= most_places + 5; ++line) {
      w->fork_join(part_of(1), nothing, "file", line);
    }
  });
  ASSERT_EQ(of_lines.places.size(), most_places);
  EXPECT_EQ(of_lines.places[1].work_ns, 1);
  EXPECT_EQ(of_lines.places.back().work_ns, 7) << "its own, and those of six more lines";
}

TEST(WorkSpan, StrandsAreCountedByTheirLength) {
  const record seen = record_of([](worker w) {
    for (const std::uint64_t ns : {1UL, 2UL, 3UL, 4UL, 1000UL, 1UL << 45U}) {
      auto group = w->task_group();
      group.spawn(part_of(ns));
      group.sync();
    }
  });
  EXPECT_EQ(seen.strands_of_length[0], 1);
  EXPECT_EQ(seen.strands_of_length[1], 2);
  EXPECT_EQ(seen.strands_of_length[2], 1);
  EXPECT_EQ(seen.strands_of_length[9], 1);
  EXPECT_EQ(seen.strands_of_length.back(), 1) << "however long";
}

TEST(WorkSpan, WorkOverTimeIsThatOfTheEarliestSchedule) {
  const record seen = record_of([](worker w) {
    strand(w, 512);
    w->parallel_for(0, 4, 1, [](worker inner, std::size_t) { strand(inner, 512); });
  });
  EXPECT_EQ(seen.interval_ns, 16);
  ASSERT_EQ(seen.work_over_time.size(), 64);
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(seen.work_over_time[i], i < 32 ? 16 : 64) << i;
  }
}

TEST(WorkSpan, AnExceptionLosesNoStrandAndLeavesALoopAndASync) {
  const auto throwing = [](worker inner) {
    strand(inner, 10);
    throw 1;
  };
  const record seen = record_of([=](worker w) {
    EXPECT_THROW(w->fork_join(throwing, part_of(30)), int);
    strand(w, 4);
  });
  EXPECT_EQ(seen.work_ns, 44);
  EXPECT_EQ(seen.span_ns, 34);
  const auto loop = [=](worker w) {
    w->parallel_for(0, 2, 1, [=](worker inner, std::size_t i) {
      if (i == 1) throwing(inner);
    });
  };
  const auto group = [=](worker w) {
    auto children = w->task_group();
    children.spawn(throwing);
    children.spawn([](worker) { throw "later"; });
    children.sync();
  };
  EXPECT_THROW(record_of(loop), int);
  EXPECT_THROW(record_of(group), int);
}

/// A series-parallel program: a strand, and then its parts, as `does` says.
struct node {
  enum class act { series, fork, group, loop } does = act::series;
  std::uint64_t ns = 0;
  std::vector<node> parts;
};

node grown(std::uint64_t& random, int depth) {
  using schedulers::next_random;
  node made{.does = static_cast<node::act>(next_random(random) % 4),
            .ns = next_random(random) % 100,
            .parts = {}};
  if (depth == 0) return made;
  const std::uint64_t parts = made.does == node::act::fork ? 2 : next_random(random) % 5;
  for (std::uint64_t i = 0; i < parts; ++i) made.parts.push_back(grown(random, depth - 1));
  return made;
}

void run(worker w, const node& whole) {
  strand(w, whole.ns, whole.ns);
  const auto part = [&whole](std::size_t i) {
    return [&whole, i](worker inner) { run(inner, whole.parts[i]); };
  };
  if (whole.parts.empty()) return;
  switch (whole.does) {
    case node::act::series:
      for (const node& each : whole.parts) run(w, each);
      return;
    case node::act::fork:
      w->fork_join(part(0), part(1));
      return;
    case node::act::loop:
      w->parallel_for(0, whole.parts.size(), 1,
                      [&](worker inner, std::size_t i) { part(i)(inner); });
      return;
    case node::act::group: {
      auto group = w->task_group();
      for (std::size_t i = 0; i < whole.parts.size(); ++i) {
        group.spawn(part(i));
        strand(w, 3, 3);
      }
      group.sync();
    }
  }
}

struct lengths {
  double work = 0;
  double span = 0;
  double burdened = 0;
  std::uint64_t most_live = 0;
  std::uint64_t tasks = 0;
  std::uint64_t depth = 0;
};

/// By the structure alone.
lengths lengths_of(const node& whole, double burden) {
  const auto ns = static_cast<double>(whole.ns);
  lengths found{.work = ns, .span = ns, .burdened = ns};
  lengths longest;
  double parent = 0;  // How far the parent of a group is.
  for (std::size_t i = 0; i < whole.parts.size(); ++i) {
    const lengths part = lengths_of(whole.parts[i], burden);
    found.work += part.work;
    found.most_live = std::max(found.most_live, part.most_live);
    found.tasks += part.tasks;
    found.depth = std::max(found.depth, part.depth);
    if (whole.does == node::act::series) {
      found.span += part.span;
      found.burdened += part.burdened;
      continue;
    }
    const bool is_stolen = whole.does == node::act::group || i > 0;
    longest.span = std::max(longest.span, parent + part.span);
    longest.burdened =
        std::max(longest.burdened, parent + part.burdened + (is_stolen ? burden : 0));
    if (whole.does == node::act::group) {
      parent += 3;
      found.work += 3;
    }
  }
  if (!whole.parts.empty() && whole.does != node::act::series) {
    found.most_live += whole.does == node::act::group ? whole.parts.size() : 1;
    found.tasks += whole.does == node::act::fork ? 1 : whole.parts.size();
    ++found.depth;
  }
  found.span += std::max(longest.span, parent);
  found.burdened += std::max(longest.burdened, parent);
  return found;
}

TEST(WorkSpan, OfRandomProgramsAreThoseOfTheirStructure) {
  std::uint64_t random = 20261125;
  double widest = 0;
  for (int i = 0; i < 300; ++i) {
    const node whole = grown(random, 1 + i % 6);
    const record seen = record_of([&](worker w) { run(w, whole); }, 40);
    const lengths known = lengths_of(whole, 40);
    ASSERT_EQ(seen.work_ns, known.work) << i;
    ASSERT_EQ(seen.span_ns, known.span) << i;
    ASSERT_EQ(seen.burdened_span_ns, known.burdened) << i;
    ASSERT_EQ(static_cast<double>(seen.work_units), known.work) << i;
    ASSERT_EQ(static_cast<double>(seen.span_units), known.span) << i;
    ASSERT_EQ(seen.most_live_tasks, known.most_live) << i;
    ASSERT_EQ(seen.tasks, known.tasks) << i;
    ASSERT_EQ(seen.depth, known.depth) << i;
    double at_places = 0;
    for (const place& each : seen.places) at_places += each.span_ns;
    ASSERT_EQ(at_places, known.span) << i;
    const auto& over_time = seen.work_over_time;
    ASSERT_NEAR(std::accumulate(over_time.begin(), over_time.end(), 0.0), known.work, 1e-6) << i;
    widest = std::max(widest, seen.parallelism());
  }
  EXPECT_GT(widest, 10);
}

}  // namespace
}  // namespace stealbench::work_span
