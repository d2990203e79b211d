// Every workload at its test size, on one scheduler, with an exception from one of its tasks, as it
// begins or as it ends: the caller gets that exception, no other task is lost or left running, and
// later runs on the same scheduler are right.
//
// A task is the root, a branch of a fork, a child of a group or an index of a loop. Tasks are
// numbered as they begin: with one worker a number is always the same task, with several it is
// whichever comes to it. Up to the throw all goes as in a whole run, so every number is reached.
//
// To throw at every task in turn takes as many runs as there are tasks, minutes for each scheduler:
// the deep tests do that, but for trees of more than 11,000 tasks, of which they take a sample. The
// everyday test takes the first eight tasks and a sample of the others, which is all of them where
// a workload has no more than forty.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/outcome.hpp"
#include "schedulers/scheduler.hpp"
#include "workloads/all_workloads_fixture.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::workloads {
namespace {

using tested_scheduler = STEALBENCH_SCHEDULER;

/// What a task throws: no workload throws it, and `place` tells one from another.
struct injected {
  std::uint64_t place;
};

/// What the tasks of one run tell, and which of them throws. Two places a task: as it begins, and
/// after all that it has forked has been joined.
class ledger {
 public:
  ledger() = default;
  /// With `workers` about.
  ledger(std::uint64_t place_that_throws, unsigned workers)
      : throwing_(place_that_throws), lingers_(workers > 1) {}

  /// Calls `f(worker)` as the next task.
  template <class F, class Worker>
  schedulers::result_of<F&, Worker> task(F& f, Worker worker) {
    const std::uint64_t number = begun_.next();
    const ends ending{*this};
    throw_at(2 * number);
    schedulers::result_of<F&, Worker> result = schedulers::call(f, worker);
    throw_at(2 * number + 1);
    return result;
  }

  void fork() { forks_.next(); }
  void spawn() { spawns_.next(); }
  /// Of a loop, as it is come to: behind an exception a piece leaves out the rest.
  void index() { indices_.next(); }

  [[nodiscard]] std::uint64_t begun() const { return begun_.value(); }
  [[nodiscard]] std::uint64_t ended() const { return ended_.value(); }
  /// What law 1 says of `begun`, also where one has thrown: the root, and all that was offered.
  [[nodiscard]] std::uint64_t offered() const {
    return 1 + 2 * forks_.value() + spawns_.value() + indices_.value();
  }

 private:
  class counter {
   public:
    // Relaxed: one variable's changes have one order, so that no number comes twice; and a stronger
    // order would hide the workload's own races from ThreadSanitizer.
    std::uint64_t next() { return count_.fetch_add(1, std::memory_order_relaxed); }
    // Relaxed: read after the run, which has joined whoever counted.
    [[nodiscard]] std::uint64_t value() const { return count_.load(std::memory_order_relaxed); }

   private:
    std::atomic<std::uint64_t> count_ = 0;
  };

  struct ends {
    ledger& book;
    ~ends() { book.ended_.next(); }
  };

  // Lingers at the place that throws, so that others are under way then; and half-way to it, so
  // that it may be one of them that comes there.
  void throw_at(std::uint64_t place) const {
    if (!throwing_) return;
    if (lingers_ && (place == *throwing_ || place == *throwing_ / 2)) {
      std::this_thread::sleep_for(std::chrono::microseconds{300});
    }
    if (place == *throwing_) throw injected{place};
  }

  const std::optional<std::uint64_t> throwing_;
  const bool lingers_ = false;
  counter begun_;
  counter ended_;
  counter forks_;
  counter spawns_;
  counter indices_;
};

template <class Inner>
class throwing_worker;

/// A group of `Inner`'s, whose children are tasks of the ledger.
template <class Inner>
class throwing_group {
 public:
  throwing_group(Inner inner, ledger& book) : inner_(inner->task_group()), book_(book) {}
  throwing_group(const throwing_group&) = delete;
  throwing_group& operator=(const throwing_group&) = delete;
  ~throwing_group() = default;

  template <class F>
  void spawn(F&& f) {
    book_.spawn();
    inner_.spawn([own = std::decay_t<F>(std::forward<F>(f)), &book = book_](Inner w) mutable {
      book.task(own, throwing_worker<Inner>(w, book));
    });
  }

  void sync() { inner_.sync(); }

 private:
  decltype(std::declval<Inner&>()->task_group()) inner_;
  ledger& book_;
};

/// Forks, loops and spawns as `Inner` does; each closure is a task of the ledger.
template <class Inner>
class throwing_worker {
 public:
  throwing_worker(Inner inner, ledger& book) : inner_(inner), book_(&book) {}
  const throwing_worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    book_->fork();
    // The caller waits here, so that what is captured by reference outlives the join.
    return inner_->fork_join(
        [&f, book = book_](Inner w) { return book->task(f, throwing_worker(w, *book)); },
        [&g, book = book_](Inner w) { return book->task(g, throwing_worker(w, *book)); });
  }

  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const Body& body) const {
    inner_->parallel_for(first, last, grain, [&body, book = book_](Inner w, std::size_t i) {
      book->index();
      const auto index = [&body, i](throwing_worker self) { body(self, i); };
      book->task(index, throwing_worker(w, *book));
    });
  }

  [[nodiscard]] throwing_group<Inner> task_group() const {
    return throwing_group<Inner>(inner_, *book_);
  }

 private:
  Inner inner_;
  ledger* book_;
};

static_assert(schedulers::worker<throwing_worker<tested_scheduler::worker>>);

/// At most about `most` of the places before `all`: the first few, and one at random from each of
/// equal parts of the others. The same for the same seed.
std::vector<std::uint64_t> some_places(std::uint64_t all, std::uint64_t most, unsigned seed) {
  constexpr std::uint64_t few = 16;
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> places;
  for (std::uint64_t place = 0; place < std::min(all, few); ++place) places.push_back(place);
  if (all <= few) return places;
  const std::uint64_t others = all - few;
  const std::uint64_t parts = std::min(others, most);
  for (std::uint64_t part = 0; part < parts; ++part) {
    const std::uint64_t begin = others * part / parts;
    const std::uint64_t end = others * (part + 1) / parts;
    places.push_back(few + begin + random() % (end - begin));
  }
  return places;
}

/// How many places of an instance throw, beside the first few: as many as make `tasks` tasks in
/// all, from 16 to `most`.
struct budget {
  std::uint64_t tasks;
  std::uint64_t most;
};
constexpr budget everyday{.tasks = 500'000, .most = 64};
constexpr budget deep{.tasks = 250'000'000, .most = std::numeric_limits<std::uint64_t>::max()};

template <class Workload>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class ThrowingWorkload : public testing::Test {
 protected:
  static void throw_within(budget allowed) {
    for (const unsigned workers : {1U, 3U}) {
      tested_scheduler scheduler(schedulers::options{.workers = workers});
      for (const kit::parameters& instance : test_instances<Workload>()) {
        input in = Workload::prepare(instance);
        const std::uint64_t tasks = run_whole(scheduler, in);
        const std::uint64_t most =
            std::clamp<std::uint64_t>(allowed.tasks / tasks, 16, allowed.most);
        ASSERT_NO_FATAL_FAILURE(
            throw_at(some_places(2 * tasks, most, workers), tasks, scheduler, in));
      }
    }
  }

 private:
  using input = typename Workload::input;
  using output = typename Workload::output;

  static output run(tested_scheduler& scheduler, input& in, ledger& book) {
    Workload::reset(in);
    return scheduler.run([&](auto worker) {
      const auto root = [&in](auto self) { return Workload::run(self, in); };
      return book.task(root, throwing_worker(worker, book));
    });
  }

  /// Returns how many tasks there are.
  static std::uint64_t run_whole(tested_scheduler& scheduler, input& in) {
    ledger book;
    const output out = run(scheduler, in, book);
    EXPECT_EQ(Workload::verify(in, out), true);
    EXPECT_EQ(book.begun(), book.offered());
    EXPECT_EQ(book.ended(), book.offered());
    return book.begun();
  }

  static void throw_at(const std::vector<std::uint64_t>& places, std::uint64_t tasks,
                       tested_scheduler& scheduler, input& in) {
    constexpr std::size_t runs_between_whole_ones = 8;
    for (std::size_t i = 0; i < places.size(); ++i) {
      ledger book(places[i], scheduler.worker_count());
      ASSERT_EQ(thrown_by([&] { run(scheduler, in, book); }), places[i]);
      ASSERT_EQ(book.begun(), book.offered()) << "lost, or run twice, after " << places[i];
      ASSERT_EQ(book.ended(), book.offered()) << "left running by " << places[i];
      if (i % runs_between_whole_ones != 0 && i + 1 < places.size()) continue;
      ASSERT_EQ(run_whole(scheduler, in), tasks) << "after " << places[i];
      ASSERT_FALSE(testing::Test::HasFailure()) << "after " << places[i];
    }
  }

  template <class F>
  static std::optional<std::uint64_t> thrown_by(const F& f) {
    try {
      f();
    } catch (const injected& caught) {
      return caught.place;
    }
    return std::nullopt;
  }
};

TYPED_TEST_SUITE(ThrowingWorkload, all_workloads);

TYPED_TEST(ThrowingWorkload, EndsWhicheverOfSomeTasksThrows) { this->throw_within(everyday); }

// For the deep tests alone.
TYPED_TEST(ThrowingWorkload, DISABLED_EndsWhicheverTaskThrows) { this->throw_within(deep); }

}  // namespace
}  // namespace stealbench::workloads
