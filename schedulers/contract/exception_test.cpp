// A program of numbered tasks, any one of which throws, as it begins or as it ends: the caller gets
// that exception, nothing is left running, and the next run works.
#include <array>
#include <atomic>
#include <cstddef>
#include <optional>

#include "schedulers/contract/fixture.hpp"

namespace stealbench::schedulers::contract {
namespace {

/// What the tasks of one run tell, and which of them throws. Two places a task: as it begins, and
/// after all that it has forked has been joined.
class ledger {
 public:
  ledger(unsigned tasks, std::optional<unsigned> place_that_throws)
      : tasks_(tasks), throwing_(place_that_throws) {}

  /// Runs `body` as task `number`.
  template <class Body>
  void task(unsigned number, const Body& body) {
    ++begun_;
    const ends ending{*this};
    throw_at(2 * number);
    body();
    throw_at(2 * number + 1);
  }

  [[nodiscard]] unsigned begun() const { return begun_; }
  [[nodiscard]] unsigned ended() const { return ended_; }

 private:
  struct ends {
    ledger& book;
    ~ends() { ++book.ended_; }
  };

  // Lingers at the place that throws, so that others are under way then; and half-way to it from
  // either end, so that it may be one of them that comes there.
  void throw_at(unsigned place) const {
    if (!throwing_) return;
    const unsigned throwing = *throwing_;
    if (place == throwing || place == throwing / 2 || place == throwing / 2 + tasks_) linger();
    if (place == throwing) throw failure{place};
  }

  const unsigned tasks_;
  const std::optional<unsigned> throwing_;
  std::atomic<unsigned> begun_ = 0;
  std::atomic<unsigned> ended_ = 0;
};

// Tasks are numbered in the serial order: a subtree has the numbers after its root's.

/// Every call a task, as in workloads/fib.
struct fib_program {
  static constexpr unsigned n = 7;
  static constexpr std::array<unsigned, n + 1> calls = {1, 1, 3, 5, 9, 15, 25, 41};
  static constexpr unsigned tasks = calls[n];

  template <class Worker>
  static void run(Worker worker, ledger& book, unsigned k = n, unsigned number = 0) {
    book.task(number, [&] {
      if (k < 2) return;
      const unsigned left = number + 1;
      const unsigned right = left + calls[k - 1];
      worker->fork_join([&](auto w) { run(w, book, k - 1, left); },
                        [&](auto w) { run(w, book, k - 2, right); });
    });
  }
};

/// Every node a task and a group, as in workloads/uts.
struct tree_program {
  static constexpr unsigned children = 3;
  static constexpr unsigned depth = 3;
  static constexpr std::array<unsigned, depth + 1> nodes = {1, 4, 13, 40};
  static constexpr unsigned tasks = nodes[depth];

  template <class Worker>
  static void run(Worker worker, ledger& book, unsigned below = depth, unsigned number = 0) {
    book.task(number, [&] {
      if (below == 0) return;
      auto group = worker->task_group();
      for (unsigned child = 0; child < children; ++child) {
        const unsigned first = number + 1 + child * nodes[below - 1];
        group.spawn([&book, below, first](auto w) { run(w, book, below - 1, first); });
      }
      group.sync();
    });
  }
};

/// Every index a task.
struct loop_program {
  static constexpr unsigned tasks = 48;

  template <class Worker>
  static void run(Worker worker, ledger& book) {
    worker->parallel_for(0, tasks, 3,
                         [&](auto, std::size_t i) { book.task(static_cast<unsigned>(i), [] {}); });
  }
};

/// Two forks in a row in each task, as in workloads/mergesort: halves, and then their merge.
struct sort_program {
  static constexpr unsigned levels = 3;
  static constexpr std::array<unsigned, levels + 1> calls = {1, 5, 13, 29};
  static constexpr unsigned tasks = calls[levels];

  template <class Worker>
  static void run(Worker worker, ledger& book, unsigned below = levels, unsigned number = 0) {
    book.task(number, [&] {
      if (below == 0) return;
      const unsigned half = calls[below - 1];
      worker->fork_join([&](auto w) { run(w, book, below - 1, number + 1); },
                        [&](auto w) { run(w, book, below - 1, number + 1 + half); });
      worker->fork_join([&](auto) { book.task(number + 1 + 2 * half, [] {}); },
                        [&](auto) { book.task(number + 2 + 2 * half, [] {}); });
    });
  }
};

template <class Program>
void run_whole(subject& scheduler) {
  ledger book(Program::tasks, std::nullopt);
  scheduler.run([&](auto worker) { Program::run(worker, book); });
  ASSERT_EQ(book.begun(), Program::tasks);
  ASSERT_EQ(book.ended(), Program::tasks);
}

template <class Program>
void throw_everywhere(subject& scheduler) {
  run_whole<Program>(scheduler);
  for (unsigned place = 0; place < 2 * Program::tasks; ++place) {
    ledger book(Program::tasks, place);
    const auto thrown =
        thrown_by([&] { scheduler.run([&](auto worker) { Program::run(worker, book); }); });
    ASSERT_EQ(thrown, place);
    ASSERT_EQ(book.begun(), book.ended()) << "left running by " << place;
    run_whole<Program>(scheduler);
  }
}

void throw_everywhere_in_each_program(subject& scheduler) {
  throw_everywhere<fib_program>(scheduler);
  throw_everywhere<tree_program>(scheduler);
  throw_everywhere<loop_program>(scheduler);
  throw_everywhere<sort_program>(scheduler);
}

TEST_P(SchedulerContract, EndsForksGroupsAndLoopsWhicheverTaskThrows) {
  throw_everywhere_in_each_program(scheduler_);
}

TEST(ManyWorkers, OnFewProcessorsGiveTheRightAnswersAndEndWhicheverTaskThrows) {
  subject scheduler(options{.workers = 16});
  throw_everywhere_in_each_program(scheduler);
}

}  // namespace
}  // namespace stealbench::schedulers::contract
