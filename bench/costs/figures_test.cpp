#include "bench/costs/figures.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "bench/costs/catalogue.hpp"
#include "bench/system/fake_time_fixture.hpp"
#include "schedulers/in_order.hpp"
#include "schedulers/operating_system/thread.hpp"
#include "schedulers/serial/scheduler.hpp"
#include "schedulers/work_stealing/scheduler.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::costs {
namespace {

using system::fake_time;

// What each operation takes on the pool below, in time that the test sets.
constexpr std::chrono::nanoseconds per_fork{40};
constexpr std::chrono::nanoseconds per_spawn{25};
constexpr std::chrono::nanoseconds per_sync{800};
constexpr std::chrono::nanoseconds per_run{60};
constexpr std::chrono::nanoseconds per_loop{50};
constexpr std::chrono::nanoseconds per_index{15};

// What a program has asked of the worker of the pool below.
struct work_noted {
  std::uint64_t forks = 0;
  std::uint64_t groups = 0;
  std::uint64_t spawns = 0;
  std::chrono::nanoseconds first_spawn{};
  std::size_t bytes_of_child = 0;
  std::uint64_t runs = 0;
  std::uint64_t loops = 0;
  std::uint64_t indices = 0;
  std::chrono::nanoseconds passed{};
};

// One worker, which notes what it is asked to do.
class noting_pool {
 public:
  class worker;

  class group {
   public:
    explicit group(work_noted& notes) : notes_(notes) {}
    template <class F>
    void spawn(const F& f) {
      if (++notes_.spawns == 1) notes_.first_spawn = fake_time::passed();
      fake_time::pass(per_spawn);
      notes_.bytes_of_child = sizeof(F);
      f(worker(notes_));
    }
    void sync() { fake_time::pass(per_sync); }

   private:
    work_noted& notes_;
  };

  class worker {
   public:
    explicit worker(work_noted& notes) : notes_(&notes) {}
    const worker* operator->() const { return this; }
    template <class F, class G>
    auto fork_join(const F& f, const G& g) const {
      ++notes_->forks;
      fake_time::pass(per_fork);
      return schedulers::fork_join_in_order(*this, f, g);
    }
    template <class Body>
    void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                      const Body& body) const {
      EXPECT_EQ(grain, 1U);
      ++notes_->loops;
      fake_time::pass(per_loop + (last - first) * per_index);
      notes_->indices += last - first;
      for (; first < last; ++first) body(*this, first);
    }
    [[nodiscard]] group task_group() const {
      ++notes_->groups;
      return group(*notes_);
    }

   private:
    work_noted* notes_;
  };

  template <class F>
  auto run(const F& f) {
    ++notes.runs;
    fake_time::pass(per_run);
    return f(worker(notes));
  }

  work_noted notes;
};

template <class Subject>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class FigureOnScheduler : public testing::Test {};

using subjects = testing::Types<serial::scheduler, work_stealing::scheduler>;
TYPED_TEST_SUITE(FigureOnScheduler, subjects);

/// What `measure` gives, or nothing where a hand-over needs a second processor that the machine has
/// no time for now: the figure then has to say so, and that it does is tested with made rounds.
template <class Measure>
auto unless_busy(bool needs_other_workers, const Measure& measure)
    -> std::optional<decltype(measure())> {
  try {
    return measure();
  } catch (const std::runtime_error& error) {
    const bool says_so = std::string(error.what()).find(" rounds count, ") != std::string::npos;
    EXPECT_TRUE(needs_other_workers && says_so) << error.what();
    return std::nullopt;
  }
}

/// What `measure` gives of a figure. Pinned, lest a machine with other work to do put both workers
/// on one processor.
template <class Measure>
void expect_above_zero(const figure_description& figure, const Measure& measure, unsigned workers) {
  SCOPED_TRACE(figure.name);
  if (figure.needs_other_workers && operating_system::processor_count() < 2) return;
  const auto found = unless_busy(figure.needs_other_workers, [&] {
    return measure(figure.name, schedulers::options{.workers = figure.workers, .pin = true});
  });
  if (!found) return;
  ASSERT_FALSE(found->times.ns_per_operation.empty());
  EXPECT_GT(std::ranges::min(found->times.ns_per_operation), 0);
  EXPECT_EQ(found->worker_count, workers);
  EXPECT_EQ(found->bytes_per_worker > 0, figure.unit == figure_unit::bytes);
}

TYPED_TEST(FigureOnScheduler, IsAboveZero) {
  for (const figure_description& each : figures()) {
    if (!why_not_applicable(each, TypeParam::name).empty()) continue;
    const unsigned workers = TypeParam({.workers = each.workers}).worker_count();
    expect_above_zero(each, measure_figure<TypeParam>, workers);
  }
}

TYPED_TEST(FigureOnScheduler, OffersOtherWorkersEveryForkAndSpawnThatItCounts) {
  if constexpr (!requires { typename TypeParam::counting_variant; }) {
    GTEST_SKIP() << "it counts nothing";
  } else {
    for (const std::string_view which : {"fork", "spawn", "spawn_8", "steal"}) {
      const unsigned workers = which == "steal" ? 2 : 1;
      if (operating_system::processor_count() < workers) continue;
      typename TypeParam::counting_variant pool({.workers = workers, .pin = true});
      const auto times = unless_busy(workers > 1, [&] { return time_figure(which, pool); });
      if (!times) continue;
      EXPECT_EQ(pool.counters().value().jobs_spawned, times->all_operations);
    }
  }
}

/// On a pool that does nothing but pass the time above.
struct noted_figure {
  work_noted notes;
  figure_times times;
};
noted_figure note(std::string_view which) {
  const fake_time time(std::chrono::nanoseconds(30));
  noting_pool pool;
  figure_times times = time_figure(which, pool);
  pool.notes.passed = fake_time::passed();
  return {pool.notes, std::move(times)};
}

void expect_each(const figure_times& times, std::chrono::duration<double, std::nano> expected) {
  ASSERT_FALSE(times.ns_per_operation.empty());
  for (const double each : times.ns_per_operation) EXPECT_NEAR(each, expected.count(), 1e-6);
}

TEST(Figures, CountAndTimeEveryOperationInGroupsRunsAndLoopsOfTheirSize) {
  using nanoseconds = std::chrono::duration<double, std::nano>;
  const auto spawn_in = [](double size) { return per_spawn + nanoseconds(per_sync) / size; };
  struct figure {
    std::string_view which;
    std::uint64_t work_noted::*operations;
    nanoseconds each;
    std::uint64_t size = 1;  ///< Operations for each of the next ones.
    std::uint64_t work_noted::*wholes = nullptr;
    std::uint64_t batch = 1;
    std::size_t bytes_of_child = 0;
  };
  constexpr auto spawns = &work_noted::spawns;
  constexpr auto groups = &work_noted::groups;
  for (const figure& expected :
       {figure{"fork", &work_noted::forks, per_fork, 1, nullptr, operations_per_batch},
        {"run", &work_noted::runs, per_run, 1, nullptr, runs_per_batch},
        {"loop_0", &work_noted::loops, per_loop},
        {"loop_1000", &work_noted::indices, per_index + nanoseconds(per_loop) / 1000, 1000,
         &work_noted::loops},
        {"spawn", spawns, spawn_in(1000), 1000, groups},
        {"spawn_8", spawns, spawn_in(8), 8, groups},
        {"spawn_1", spawns, spawn_in(1), 1, groups},
        {"capture_8", spawns, spawn_in(8), 8, groups, 1, 8},
        {"capture_32", spawns, spawn_in(8), 8, groups, 1, 32},
        {"capture_64", spawns, spawn_in(8), 8, groups, 1, 64},
        {"capture_128", spawns, spawn_in(8), 8, groups, 1, 128},
        {"capture_256", spawns, spawn_in(8), 8, groups, 1, 256}}) {
    SCOPED_TRACE(expected.which);
    const auto& [notes, times] = note(expected.which);
    const std::uint64_t operations = notes.*expected.operations;
    EXPECT_EQ(times.all_operations, operations);
    expect_each(times, expected.each);
    if (expected.wholes != nullptr) {
      EXPECT_EQ(operations, expected.size * notes.*expected.wholes);
    }
    EXPECT_EQ(times.operations_per_run % expected.batch, 0U);
    if (expected.bytes_of_child > 0) {
      EXPECT_EQ(notes.bytes_of_child, expected.bytes_of_child);
    }
    EXPECT_EQ(notes.indices > 0, expected.which == "loop_1000");
  }
}

TEST(Figures, SpawnAllJobsBeforeALongLeaf) {
  const auto& [notes, times] = note("long_leaf");
  EXPECT_EQ(times.all_operations, notes.runs);
  EXPECT_EQ(notes.spawns, jobs_per_leaf * notes.runs);
  EXPECT_LT(notes.first_spawn, leaf);
  EXPECT_EQ(times.ns_per_operation.size(), long_leaves);
  // One worker has all of it to do, and reads the clock meanwhile.
  for (const double each : times.ns_per_operation) EXPECT_NEAR(each, 164e6, 1e5);
}

TEST(Figures, RunBeforeEachIdleTime) {
  const auto& [notes, times] = note("idle");
  EXPECT_EQ(times.all_operations, notes.runs);
  EXPECT_EQ(notes.forks, notes.runs);
  EXPECT_GE(notes.passed, notes.runs * (2 * job + std::chrono::milliseconds(220)))
      << "both branches occupy a worker";
}

/// Takes a known time to be made, and has another number of workers than it was asked for.
class slow_pool : public noting_pool {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): templates make the pool
  static inline work_noted notes_of_latest;

  explicit slow_pool(const schedulers::options& options) : workers_(options.workers + 5) {
    fake_time::pass(std::chrono::milliseconds(7));
  }
  ~slow_pool() { notes_of_latest = notes; }
  slow_pool(const slow_pool&) = delete;
  slow_pool& operator=(const slow_pool&) = delete;
  [[nodiscard]] unsigned worker_count() const { return workers_; }

 private:
  unsigned workers_;
};

/// Starts a thread for each child, and says how many branches ran at the same time. The order of
/// its counters is the default: each is read and changed as one, and nothing follows from them.
struct pool_of_new_threads {
  std::atomic<unsigned> running{0};
  std::atomic<unsigned> most{0};

  void run_here(const auto& f) {
    const unsigned now = ++running;
    for (unsigned seen = most; seen < now && !most.compare_exchange_weak(seen, now);) {
    }
    f(worker{this});
    --running;
  }

  struct group {
    pool_of_new_threads* pool;
    std::vector<std::jthread> threads = {};
    void spawn(auto f) {
      threads.emplace_back([this, f] { pool->run_here(f); });
    }
    void sync() { threads.clear(); }
  };
  struct worker {
    pool_of_new_threads* pool;
    const worker* operator->() const { return this; }
    [[nodiscard]] group task_group() const { return {pool}; }
  };

  [[nodiscard]] static unsigned worker_count() { return 16; }
  void run(const auto& f) { run_here(f); }
};

// It gives up after a while, in which a busy machine may not have started all threads.
TEST(Figures, OfMemoryAreTakenWhenAllWorkersHaveRunAtTheSameTime) {
  pool_of_new_threads pool;
  for (int attempt = 0; attempt < 100 && pool.most < 16; ++attempt) occupy_all_workers(pool);
  EXPECT_EQ(pool.most, 16U);
}

TEST(Figures, SayHowLongThePoolTookToBeMadeAndOfMemoryAreThoseOnceItsWorkersHaveHadAJobEach) {
  for (const auto& [which, workers] : {std::pair{"fork", 1U}, {"memory", 3U}}) {
    const fake_time time(std::chrono::nanoseconds(30));
    const figure_result found = measure_figure<slow_pool>(which, {.workers = workers});
    EXPECT_NEAR(found.start_up_seconds, 7e-3, 1e-7) << which;
    if (workers > 1) {
      EXPECT_EQ(slow_pool::notes_of_latest.runs, 1U);
      EXPECT_EQ(slow_pool::notes_of_latest.spawns, 8U - 1U) << "the first runs the run itself";
    } else {
      EXPECT_EQ(found.worker_count, 6U);
      EXPECT_EQ(found.bytes_per_worker, 0);
      expect_each(found.times, per_fork);
    }
  }
}

TEST(Figures, AreKnownByTheirNamesAndHaveTheWorkersThatTheirMeaningNeeds) {
  const std::map<std::string_view, unsigned> with_several{
      {"steal", 2}, {"steal_0us", 2}, {"steal_10us", 2}, {"wake", 2},   {"waker", 2},
      {"run", 2},   {"long_leaf", 2}, {"idle", 2},       {"memory", 16}};
  const std::set<std::string_view> need_another{"steal", "steal_0us", "steal_10us", "wake",
                                                "waker", "idle",      "memory"};
  std::map<std::string_view, unsigned> several;
  for (const figure_description& each : figures()) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(&find_figure(each.name), &each);
    EXPECT_FALSE(each.raw.empty());
    EXPECT_EQ(each.raw.ends_with(" bytes by value"), each.name.starts_with("capture_"));
    if (each.workers != 1) several.emplace(each.name, each.workers);
    EXPECT_EQ(why_not_applicable(each, "serial").empty(), !need_another.contains(each.name));
    for (const char* const all : {"openmp", "sequential"}) {
      EXPECT_EQ(why_not_applicable(each, all), "") << all;
    }
    EXPECT_NE(why_not_applicable(each, "mpi"), "");
  }
  EXPECT_EQ(several, with_several);
  EXPECT_THROW(static_cast<void>(find_figure("forks")), kit::bad_input);
}

TEST(RawCosts, AreAboveZeroForEveryFigure) {
  for (const figure_description& each : figures()) {
    expect_above_zero(each, measure_raw, each.workers);
  }
}

// Whoever counts the threads may have no processor meanwhile.
TEST(RawCosts, OfMemoryAreThoseOfAThreadForEachWorkerButOne) {
  const std::size_t before = operating_system::threads().size() + 1;  // And the one that counts.
  std::atomic<std::size_t> most{0};
  for (int attempt = 0; attempt < 30 && most < before + 15; ++attempt) {
    const std::jthread counting([&most](const std::stop_token& end) {
      while (!end.stop_requested()) most = std::max(+most, operating_system::threads().size());
    });
    static_cast<void>(measure_raw("memory", {.workers = 16}));
  }
  EXPECT_EQ(most, before + 15);
}

TEST(RawCosts, OfALongLeafAndOfIdlenessAreThoseOfTheThreadThatMeasures) {
  const fake_time time(std::chrono::nanoseconds(30));
  fake_time::use_while_asleep(0.125);
  const figure_result leaf_alone = measure_raw("long_leaf", {.workers = 2});
  EXPECT_EQ(leaf_alone.times.ns_per_operation.size(), long_leaves);
  for (const double each : leaf_alone.times.ns_per_operation) EXPECT_NEAR(each, 100e6, 1e3);
  EXPECT_EQ(leaf_alone.worker_count, 2U);
  const figure_result idle = measure_raw("idle", {.workers = 2});
  for (const double each : idle.times.ns_per_operation) EXPECT_NEAR(each, 0.125e9, 1e5);
}

}  // namespace
}  // namespace stealbench::costs
