// The hand-over of a job, with rounds as they are said to have been, on pools whose time the test
// sets, and whose branches run on other threads.
#include "bench/costs/handover.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <semaphore>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "bench/costs/figures.hpp"
#include "bench/system/fake_time_fixture.hpp"

namespace stealbench::costs {
namespace {

const std::array<char, 2> places{};
const void* const first_thread = &places[0];
const void* const second_thread = &places[1];

/// A round as it is said to have been: which thread ran the job, and which one its own branch.
struct said_round {
  std::int64_t sleeps = 0;
  std::int64_t preemptions = 0;
  std::chrono::nanoseconds after_fork{1000};
  const void* by = second_thread;
  const void* forker = first_thread;
  std::int64_t sleeps_of_forker = 0;
};

constexpr int many = 200;  // Enough rounds for either kind of figure.

/// The fiber that forks is on the thread `forker`.
void add(handover_rounds& to, const said_round& what) {
  answer said;
  const clock::time_point start = clock::now();
  said.give(start + what.after_fork, to.begin());
  said.by = what.by;
  said.switches = {.slept = what.sleeps, .forced = what.preemptions};
  to.add(start, said.begun, said,
         {.gone_on = start, .by = what.forker, .switches = {.slept = what.sleeps_of_forker}});
}

std::string refusal_of(const handover_rounds& rounds) {
  try {
    static_cast<void>(rounds.times());
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

TEST(Handover, WaitsEverLongerForAnotherWorkerWhileTheForkingOneKeepsItsJobs) {
  using std::chrono::milliseconds;
  handover_rounds rounds(other_worker::awake);
  for (const int expected : {1, 2, 4, 8, 16, 32, 64, 64}) {
    EXPECT_EQ(rounds.patience(), milliseconds(expected));
    add(rounds, {.by = first_thread, .forker = first_thread});
  }
  add(rounds, {});
  EXPECT_EQ(rounds.patience(), milliseconds(1)) << "another one has come";
}

// The first round never counts: nothing is known of the other worker before it.
TEST(Handover, EndsWithAllRoundsThatMayCountOrAfterItsTimeIfEnoughDoOrAfterItsLongestTime) {
  using std::chrono::milliseconds;
  const system::fake_time time(std::chrono::nanoseconds(1));
  const auto rounds_of = [](const other_worker::state& before, milliseconds each, const void* by) {
    handover_rounds rounds(before);
    int rounds_added = 0;
    for (; rounds_added < 5000 && rounds.is_another_wanted(); ++rounds_added) {
      system::fake_time::pass(each);
      add(rounds, {.sleeps = before.sleeps ? rounds_added : 0, .by = by});
    }
    return rounds_added;
  };
  EXPECT_EQ(rounds_of(other_worker::awake, milliseconds(0), second_thread), 1 + 2001);
  EXPECT_EQ(rounds_of(other_worker::awake, milliseconds(2), second_thread), 300 / 2);
  EXPECT_EQ(rounds_of(other_worker::awake, milliseconds(4), second_thread), 1 + 101);
  EXPECT_EQ(rounds_of(other_worker::awake, milliseconds(10), first_thread), 5000 / 10);
  EXPECT_EQ(rounds_of(other_worker::asleep, milliseconds(0), second_thread), 1 + 31);
  EXPECT_EQ(rounds_of(other_worker::asleep, milliseconds(100), second_thread), 1500 / 100);
  EXPECT_EQ(rounds_of(other_worker::asleep, milliseconds(200), second_thread), 1 + 11);
  EXPECT_EQ(rounds_of(other_worker::asleep, milliseconds(100), first_thread), 10'000 / 100);
}

TEST(Handover, TellsSleepFromPreemption) {
  const system::fake_time time;
  const thread_switches before = switches_so_far();
  system::fake_time::switch_thread(2, 3);
  const thread_switches after = switches_so_far();
  EXPECT_EQ(after.slept - before.slept, 2);
  EXPECT_EQ(after.forced - before.forced, 3);
}

// Nothing is known of a worker before its first job.
TEST(Handover, CountsAStealByAWorkerThatKeptItsProcessorAndAWakeUpOfOneThatSlept) {
  constexpr std::int64_t last = many - 1;
  const auto sleeper = [](int i) { return said_round{.sleeps = i}; };
  const auto busy = [](int /*i*/) { return said_round{.sleeps = 7}; };
  const auto either = [](int i) {
    return i % 2 == 0 ? said_round{.sleeps = 7}
                      : said_round{.sleeps = 9, .by = first_thread, .forker = second_thread};
  };
  const auto forked_last = [](int i) { return said_round{.sleeps = i, .sleeps_of_forker = 50}; };
  const auto turned = [](std::int64_t sleeps) {
    return said_round{
        .sleeps = sleeps, .by = first_thread, .forker = second_thread, .sleeps_of_forker = 99};
  };
  struct expectation {
    const char* why;
    other_worker::state before;
    std::function<said_round(int)> usual;
    std::vector<said_round> more;
    int counted;
  };
  for (const expectation& each : std::vector<expectation>{
           {"it slept before the first of these",
            other_worker::awake,
            busy,
            {{.sleeps = 8}, {.sleeps = 8, .preemptions = 1}},
            many - 1},
           {"it did not sleep, or was preempted",
            other_worker::asleep,
            sleeper,
            {{.sleeps = last}, {.sleeps = last, .preemptions = 1}},
            many - 1},
           {"whichever of them forks", other_worker::awake, either, {}, many - 2},
           {"it was awake as it forked", other_worker::asleep, forked_last, {turned(50)}, many - 1},
           {"it has slept since", other_worker::asleep, forked_last, {turned(51)}, many}}) {
    handover_rounds rounds(each.before);
    for (int i = 0; i < many; ++i) add(rounds, each.usual(i));
    for (const said_round& one : each.more) add(rounds, one);
    EXPECT_EQ(rounds.times().ns_per_operation.size(), static_cast<std::size_t>(each.counted))
        << each.why;
    EXPECT_EQ(rounds.kept(), 0U) << each.why;
  }
}

TEST(Handover, RefusesOneRoundTooFew) {
  for (const other_worker::state& before : {other_worker::awake, other_worker::asleep}) {
    handover_rounds rounds(before);
    std::int64_t sleeps = 0;
    const auto add_good = [&] { add(rounds, {.sleeps = before.sleeps ? ++sleeps : 0}); };
    for (std::size_t i = 0; i < before.least_times; ++i) add_good();  // The first does not count.
    EXPECT_EQ(refusal_of(rounds).find(std::to_string(before.least_times - 1) + " of "), 0U)
        << refusal_of(rounds);
    const char* const reason =
        before.sleeps ? "the other worker had not slept" : "the other worker had not kept";
    EXPECT_NE(refusal_of(rounds).find(reason), std::string::npos) << refusal_of(rounds);
    add_good();
    EXPECT_EQ(refusal_of(rounds), "none");
  }
}

TEST(Handover, CountsNoJobThatTheForkingWorkerKeptOrThatBeganBeforeItsForkOrWithIt) {
  constexpr std::chrono::nanoseconds reading_the_clock(30);
  const system::fake_time time(reading_the_clock);
  handover_rounds kept(other_worker::awake);
  handover_rounds early(other_worker::awake);
  for (int i = 0; i < many; ++i) {
    const void* const either = i % 2 == 0 ? first_thread : second_thread;
    add(kept, {.by = either, .forker = either});
    add(early, {.after_fork = i % 2 == 0 ? std::chrono::nanoseconds(-1) : reading_the_clock});
  }
  EXPECT_EQ(kept.kept(), 200U);
  const std::string of_kept = refusal_of(kept);
  EXPECT_NE(of_kept.find("0 of 200 rounds count"), std::string::npos) << of_kept;
  EXPECT_NE(of_kept.find("kept 200 jobs"), std::string::npos) << of_kept;
  const std::string of_early = refusal_of(early);
  EXPECT_NE(of_early.find("200 began before their fork"), std::string::npos) << of_early;
}

TEST(Handover, LeavesThePoolAloneTwiceAsLongEachTimeThatItDoesNotSleepUpTo640Milliseconds) {
  handover_rounds rounds(other_worker::asleep);
  std::int64_t sleeps = 0;
  while (sleeps < many) add(rounds, {.sleeps = ++sleeps});
  for (const int milliseconds : {20, 40, 80, 160, 320, 640, 640}) {
    EXPECT_DOUBLE_EQ(rounds.times().still_seconds, milliseconds * 1e-3);
    add(rounds, {.sleeps = sleeps});
  }
  for (int i = 0; i < many; ++i) add(rounds, {.sleeps = ++sleeps});
  EXPECT_DOUBLE_EQ(rounds.times().still_seconds, 0.64) << "also once it sleeps again";
}

/// A thread that runs what it is given, and is waited for.
class lane {
 public:
  void run(const std::function<void()>& job) {
    job_ = &job;
    begins_.release();
    ended_.acquire();
  }
  lane() = default;
  lane(const lane&) = delete;
  lane& operator=(const lane&) = delete;
  ~lane() {
    job_ = nullptr;
    begins_.release();
  }

 private:
  std::binary_semaphore begins_{0};
  std::binary_semaphore ended_{0};
  const std::function<void()>* job_ = nullptr;
  std::jthread thread_{[this] {
    for (begins_.acquire(); job_ != nullptr; begins_.acquire()) {
      (*job_)();
      ended_.release();
    }
  }};
};

constexpr std::chrono::nanoseconds until_job{700};
constexpr std::chrono::nanoseconds until_own_branch{300};

/// Two workers, whose threads are not that on which the pool was entered, or is only one of them:
/// the fiber that forks migrates. Each branch begins a known time after its fork.
class migrating_pool {
 public:
  /// Where the two branches of each fork run; the rounds take turns.
  struct placement {
    unsigned own;
    unsigned job;
    bool has_slept = false;  ///< The worker that runs the job.
  };
  explicit migrating_pool(std::vector<placement> turns) : turns_(std::move(turns)) {}

  class worker {
   public:
    explicit worker(migrating_pool& pool) : pool_(&pool) {}
    const worker* operator->() const { return this; }
    template <class F, class G>
    auto fork_join(const F& f, const G& g) const {
      using result = std::invoke_result_t<const F&, worker>;
      ++pool_->forks;
      if constexpr (std::is_void_v<result>) {  // An empty job.
        return std::pair<std::monostate, std::monostate>();
      } else {
        return std::pair<result, std::monostate>(pool_->round(f, g, *this), {});
      }
    }
    // What other figures ask for.
    struct group {
      template <class F>
      void spawn(const F& /*child*/) {}
      void sync() {}
    };
    [[nodiscard]] group task_group() const { return {}; }
    template <class Body>
    void parallel_for(std::size_t /*first*/, std::size_t /*last*/, std::size_t /*grain*/,
                      const Body& /*body*/) const {}

   private:
    migrating_pool* pool_;
  };

  template <class F>
  auto run(const F& f) {
    return f(worker(*this));
  }

  /// The time for which the pool had been left alone before each fork.
  std::vector<std::chrono::nanoseconds> gaps;
  std::uint64_t forks = 0;

 private:
  template <class F, class G>
  auto round(const F& f, const G& g, worker self) {
    using system::fake_time;
    gaps.push_back(fake_time::passed() - joined_);
    const placement where = turns_[next_++ % turns_.size()];
    forker own_branch;
    const auto own = [&] {
      fake_time::pass(until_own_branch);
      own_branch = f(self);
      fake_time::pass(-until_own_branch);  // Beside the other branch, and not behind it.
    };
    const auto job = [&] {
      if (where.has_slept) fake_time::switch_thread(1, 0);
      fake_time::pass(until_job);
      g(self);
    };
    if (where.own == where.job) {
      on(where.own, own);
      on(where.job, job);
    } else {
      // The job's answer is awaited by the other branch, whose time begins with the fork too.
      const std::chrono::nanoseconds before = fake_time::passed();
      on(where.job, job);
      const std::chrono::nanoseconds taken = fake_time::passed() - before;
      fake_time::pass(-taken);
      on(where.own, own);
      fake_time::pass(taken);
    }
    // Of the first round, which warms up, more than of a later one.
    fake_time::use({.user_seconds = gaps.size() == 1 ? 50.0 : 0.5});
    joined_ = fake_time::passed();
    return own_branch;
  }
  void on(unsigned place, const std::function<void()>& job) {
    if (place == 0) return job();
    lanes_.at(place - 1).run(job);
  }

  std::vector<placement> turns_;
  std::size_t next_ = 0;
  std::chrono::nanoseconds joined_{};
  std::array<lane, 2> lanes_;
};

void expect_all(const figure_times& times, std::chrono::nanoseconds expected) {
  ASSERT_FALSE(times.ns_per_operation.empty());
  for (const double each : times.ns_per_operation) {
    EXPECT_DOUBLE_EQ(each, static_cast<double>(expected.count()));
  }
}

// Place 0 is the thread on which the pool is entered.
TEST(HandoverWhereFibersMigrate, CountsTheJobsThatTheOtherWorkerRan) {
  for (const auto& [own, job] : {std::pair{1U, 2U}, {1U, 0U}, {0U, 1U}}) {
    const system::fake_time time(std::chrono::microseconds(1));
    migrating_pool pool({{own, job}, {job, own}});
    const handover_rounds rounds =
        hand_over_jobs(pool, other_worker::just_done, handover_end::job_begins);
    EXPECT_EQ(rounds.kept(), 0U) << own << ' ' << job;
    expect_all(rounds.times(), until_job);
    EXPECT_EQ(rounds.times().uncounted_runs, 2U);
  }
}

TEST(HandoverWhereFibersMigrate, DoesNotCountTheJobsThatTheForkingWorkerKept) {
  const system::fake_time time(std::chrono::microseconds(1));
  migrating_pool pool({{1, 2}, {1, 1}, {2, 2}, {1, 2}, {0, 0}});
  const handover_rounds rounds =
      hand_over_jobs(pool, other_worker::just_done, handover_end::job_begins);
  const auto all = static_cast<std::uint32_t>(pool.gaps.size());
  const std::uint32_t periods = all / 5;
  EXPECT_NEAR(rounds.kept(), 3 * periods, 3);
  EXPECT_EQ(rounds.times().ns_per_operation.size() + rounds.times().uncounted_runs, all);
  EXPECT_EQ(rounds.times().uncounted_runs, rounds.kept() + 1);
  expect_all(rounds.times(), until_job);
}

// Else the times would be those of the fastest thieves alone.
TEST(HandoverWhereFibersMigrate, WaitsForAnotherWorkerBeforeTheForkingOneIsFreeToRunTheJob) {
  const system::fake_time time(std::chrono::microseconds(10));
  migrating_pool pool({{1, 1}});
  static_cast<void>(hand_over_jobs(pool, other_worker::just_done, handover_end::job_begins));
  EXPECT_NEAR(static_cast<double>(pool.gaps.size()), 6 + (5000 - 63) / 64.0, 2)
      << "5 s of 1, 2, 4 ms and so on up to 64 ms";
}

TEST(HandoverFigures, AreFromTheForkUntilTheBranchThatTheyName) {
  using std::chrono::microseconds;
  using std::chrono::milliseconds;
  for (const auto& [which, has_slept, expected, gap] :
       {std::tuple{"steal_0us", false, until_job, std::chrono::nanoseconds(0)},
        {"steal", false, until_job, microseconds(2)},
        {"steal_10us", false, until_job, microseconds(10)},
        {"wake", true, until_job, milliseconds(20)},
        {"waker", true, until_own_branch, milliseconds(20)}}) {
    SCOPED_TRACE(which);
    constexpr std::chrono::nanoseconds reading{100};
    const system::fake_time time(reading);
    migrating_pool pool({{.own = 0, .job = 1, .has_slept = has_slept}});
    const figure_times times = time_figure(which, pool);
    expect_all(times, expected);
    EXPECT_EQ(times.operations_per_run, 1U);
    EXPECT_EQ(times.all_operations, pool.forks) << "with those that shift the turn";
    EXPECT_GT(pool.forks, pool.gaps.size());
    EXPECT_LT(pool.forks, 2 * pool.gaps.size()) << "not before every round";
    EXPECT_NEAR(times.per_run.user_seconds, 0.5, 1e-9) << "without the first round";
    EXPECT_GE(times.first_run_seconds, std::chrono::duration<double>(until_job).count());
    EXPECT_LE(times.first_run_seconds,
              std::chrono::duration<double>(until_job + 10 * reading).count());
    EXPECT_EQ(times.uncounted_runs, 1U) << "nothing is known before the first";
    EXPECT_NEAR(times.still_seconds, std::chrono::duration<double>(gap).count(), 1e-12);
    for (auto each = pool.gaps.begin() + 1; each != pool.gaps.end(); ++each) {
      EXPECT_GE(*each, gap);
      EXPECT_LE(*each, gap + 10 * reading);
    }
  }
}

TEST(HandoverFigures, DoNotCountAWorkerInTheWrongState) {
  const system::fake_time time(std::chrono::microseconds(100));
  migrating_pool sleeper({{.own = 0, .job = 1, .has_slept = true}});
  EXPECT_THROW(static_cast<void>(time_figure("steal", sleeper)), std::runtime_error);
  migrating_pool spinner({{.own = 0, .job = 1, .has_slept = false}});
  EXPECT_THROW(static_cast<void>(time_figure("wake", spinner)), std::runtime_error);
}

// Both workers sleep and fork in turn; each fourth job is run by one that has slept, but not since
// it forked.
TEST(HandoverFigures, DoNotCountAWorkerThatHasNotSleptSinceItForked) {
  const system::fake_time time(std::chrono::microseconds(1));
  migrating_pool pool({{0, 1, true}, {1, 0, true}, {0, 1, true}, {1, 0, false}});
  const figure_times times = time_figure("wake", pool);
  const std::size_t rounds = pool.gaps.size();
  EXPECT_NEAR(static_cast<double>(times.uncounted_runs), static_cast<double>(rounds) / 4, 2)
      << rounds;
}

}  // namespace
}  // namespace stealbench::costs
