#include "bench/costs/figures.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "schedulers/in_order.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/serial/scheduler.hpp"
#include "schedulers/work_stealing/scheduler.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::costs {
namespace {

// What a program has asked of the worker of the pool below.
struct asked {
  std::uint64_t forks = 0;
  std::uint64_t groups = 0;
  std::uint64_t spawns = 0;
  std::size_t bytes_of_child = 0;
  std::uint64_t runs = 0;
  std::uint64_t loops = 0;
  std::uint64_t indices = 0;
};

// One worker, which notes what it is asked to do.
class noting_pool {
 public:
  class worker;

  class group {
   public:
    explicit group(asked& notes) : notes_(notes) {}
    template <class F>
    void spawn(const F& f) {
      ++notes_.spawns;
      notes_.bytes_of_child = sizeof(F);
      f(worker(notes_));
    }
    void sync() {}

   private:
    asked& notes_;
  };

  class worker {
   public:
    explicit worker(asked& notes) : notes_(&notes) {}
    const worker* operator->() const { return this; }
    template <class F, class G>
    auto fork_join(const F& f, const G& g) const {
      ++notes_->forks;
      return schedulers::fork_join_in_order(*this, f, g);
    }
    template <class Body>
    void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                      const Body& body) const {
      EXPECT_EQ(grain, 1U);
      ++notes_->loops;
      notes_->indices += last - first;
      for (; first < last; ++first) body(*this, first);
    }
    [[nodiscard]] group task_group() const {
      ++notes_->groups;
      return group(*notes_);
    }

   private:
    asked* notes_;
  };

  template <class F>
  auto run(const F& f) {
    ++notes.runs;
    return f(worker(notes));
  }

  asked notes;
};

template <class Subject>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class FigureOnScheduler : public testing::Test {};

using subjects = testing::Types<serial::scheduler, work_stealing::scheduler>;
TYPED_TEST_SUITE(FigureOnScheduler, subjects);

void expect_above_zero(const figure_times& times) {
  ASSERT_FALSE(times.ns_per_operation.empty());
  EXPECT_GT(*std::min_element(times.ns_per_operation.begin(), times.ns_per_operation.end()), 0);
}

TYPED_TEST(FigureOnScheduler, IsAboveZero) {
  for (const figure_description& each : figures()) {
    SCOPED_TRACE(each.name);
    if (!why_not_applicable(each, TypeParam::name).empty()) continue;
    if (each.needs_other_workers && operating_system::processor_count() < 2) continue;
    // Pinned, lest a machine with other work to do put both workers on one processor.
    const schedulers::options options{.workers = each.workers, .pin = true};
    const figure_result result = measure_figure<TypeParam>(each.which, options);
    expect_above_zero(result.times);
    EXPECT_EQ(result.worker_count, TypeParam(options).worker_count());
    EXPECT_EQ(result.bytes_per_worker > 0, each.unit == figure_unit::bytes);
  }
}

TYPED_TEST(FigureOnScheduler, OffersOtherWorkersEveryForkAndSpawnThatItCounts) {
  if constexpr (!requires { typename TypeParam::counting_variant; }) {
    GTEST_SKIP() << "it counts nothing";
  } else {
    for (const figure which : {figure::fork, figure::spawn, figure::spawn_8, figure::steal}) {
      const unsigned workers = which == figure::steal ? 2 : 1;
      if (operating_system::processor_count() < workers) continue;
      typename TypeParam::counting_variant pool({.workers = workers, .pin = true});
      const figure_times times = time_figure(which, pool);
      EXPECT_EQ(pool.counters().value().jobs_spawned, times.all_operations);
    }
  }
}

TEST(Figures, CountEveryFork) {
  noting_pool pool;
  EXPECT_EQ(time_figure(figure::fork, pool).all_operations, pool.notes.forks);
}

TEST(Figures, CountEverySpawnInGroupsOfTheirSize) {
  const std::pair<figure, std::uint64_t> sizes[]{{figure::spawn, 1000},
                                                 {figure::spawn_8, 8},
                                                 {figure::spawn_1, 1},
                                                 {figure::capture_8, 8},
                                                 {figure::capture_256, 8}};
  for (const auto& [which, size] : sizes) {
    noting_pool pool;
    EXPECT_EQ(time_figure(which, pool).all_operations, pool.notes.spawns);
    EXPECT_EQ(pool.notes.spawns, size * pool.notes.groups);
  }
}

TEST(Figures, HaveEachChildCaptureAsManyBytesAsTheNameSays) {
  const std::pair<figure, std::size_t> sizes[]{{figure::capture_8, 8},
                                               {figure::capture_32, 32},
                                               {figure::capture_64, 64},
                                               {figure::capture_128, 128},
                                               {figure::capture_256, 256}};
  for (const auto& [which, bytes] : sizes) {
    noting_pool pool;
    static_cast<void>(time_figure(which, pool));
    EXPECT_EQ(pool.notes.bytes_of_child, bytes);
  }
}

TEST(Figures, SpawnAllJobsBeforeALongLeaf) {
  noting_pool pool;
  const figure_times times = time_figure(figure::long_leaf, pool);
  EXPECT_EQ(times.all_operations, pool.notes.runs);
  EXPECT_EQ(pool.notes.spawns, jobs_per_leaf * pool.notes.runs);
}

TEST(Figures, RunBeforeEachIdleTime) {
  noting_pool pool;
  const figure_times times = time_figure(figure::idle, pool);
  EXPECT_EQ(times.all_operations, pool.notes.runs);
}

TEST(Figures, CountEveryRun) {
  noting_pool pool;
  EXPECT_EQ(time_figure(figure::run, pool).all_operations, pool.notes.runs);
}

TEST(Figures, CountEveryLoopOverNothing) {
  noting_pool pool;
  EXPECT_EQ(time_figure(figure::loop_0, pool).all_operations, pool.notes.loops);
  EXPECT_EQ(pool.notes.indices, 0U);
}

TEST(Figures, CountEveryIndexOfALoop) {
  noting_pool pool;
  EXPECT_EQ(time_figure(figure::loop_1000, pool).all_operations, pool.notes.indices);
  EXPECT_EQ(pool.notes.indices, 1000 * pool.notes.loops);
}

TEST(Figures, AreAllKnownByTheirNames) {
  for (const figure_description& each : figures()) {
    EXPECT_EQ(find_figure(each.name).which, each.which);
    EXPECT_FALSE(each.raw.empty()) << each.name;
  }
  EXPECT_THROW(static_cast<void>(find_figure("forks")), kit::bad_input);
}

TEST(Figures, ApplyToSerialUnlessTheyNeedAnotherWorker) {
  for (const figure_description& each : figures()) {
    EXPECT_EQ(why_not_applicable(each, "serial").empty(), !each.needs_other_workers) << each.name;
    EXPECT_EQ(why_not_applicable(each, "openmp"), "") << each.name;
    EXPECT_EQ(why_not_applicable(each, "sequential"), "") << each.name;
  }
}

TEST(RawCosts, AreAboveZeroForEveryFigure) {
  for (const figure_description& each : figures()) {
    SCOPED_TRACE(each.name);
    if (each.needs_other_workers && operating_system::processor_count() < 2) continue;
    const figure_result result = measure_raw(each.which, {.workers = each.workers, .pin = true});
    expect_above_zero(result.times);
    EXPECT_EQ(result.worker_count, each.workers);
    EXPECT_EQ(result.bytes_per_worker > 0, each.unit == figure_unit::bytes);
  }
}

TEST(Figures, RefuseTimesThatAreWithinAStepOfTheClock) {
  constexpr double second = 1e9;
  EXPECT_THROW(static_cast<void>(time_batches(
                   1, [] {}, second)),
               std::runtime_error);
}

}  // namespace
}  // namespace stealbench::costs
