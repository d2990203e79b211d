#include "schedulers/engine/sleep/parking_lot.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/contract/test_limit.hpp"
#include "schedulers/engine/sleep/directed_lot.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::engine {
namespace {

const auto yes = [] { return true; };
const auto no = [] { return false; };
const auto nothing = [] { return search_end::nothing; };

/// Where the compiler fence orders, as with membarrier, and where it does not.
struct asymmetric_machine : std_machine {
  static bool asymmetric() { return true; }
};
struct symmetric_machine : std_machine {
  static bool asymmetric() { return false; }
  static void light_fence() { fence(order::seq_cst); }
  static void heavy_fence() { fence(order::seq_cst); }
};

TEST(Parker, ReturnsAtOnceWhenItsTokenCameFirst) {
  parker<std_machine> parker;
  parker.unpark();
  parker.park();  // Would hang.
}

TEST(Parker, PublishesWhatTheWakerWrote) {
  parker<std_machine> parker;
  int message = 0;  // Not atomic: ThreadSanitizer checks the edge P1.
  std::thread sleeper([&] {
    parker.park();
    EXPECT_EQ(message, 1);
  });
  message = 1;
  parker.unpark();
  sleeper.join();
}

/// A lot and what its workers own.
template <class M>
struct lot_of {
  using lot_type = parking_lot<M>;
  using flag = typename lot_type::request_flag;

  explicit lot_of(unsigned workers, unsigned most_searchers = 1,
                  answers answered = answers::requests)
      : lot(workers, most_searchers, answered), flags(workers), sleepers(workers) {
    for (unsigned i = 0; i < workers; ++i) lot.enlist(i, flags[i]);
  }

  std::vector<bool> requests() const {
    std::vector<bool> all;
    for (const flag& each : flags) all.push_back(lot_type::is_requested(each));
    return all;
  }
  void answer_all() {
    for (flag& each : flags) static_cast<void>(lot.answer(each));
  }
  /// How many more may search.
  unsigned room() {
    unsigned most = 0;
    while (lot.start_searching()) ++most;
    for (unsigned i = 0; i < most; ++i) lot.stop_searching(0, nothing);
    return most;
  }

  lot_type lot;
  std::vector<flag> flags;  // Made in place: a flag does not move.
  std::vector<typename lot_type::sleeper> sleepers;
};
using tested_lot = lot_of<asymmetric_machine>;
using bools = std::vector<bool>;

// A worker that falls asleep beside the others, and sleeps until it is woken.
class sleeping_thread {
 public:
  sleeping_thread(tested_lot& all, unsigned index)
      : thread_([this, &all, index] {
          searches_ = all.lot.park(
              all.sleepers[index], false, no,
              [this] {
                falls_asleep_.store(true);
                return false;
              },
              naps);
          if (searches_) all.lot.stop_searching(0, nothing);
        }) {
    while (!falls_asleep_.load()) std::this_thread::yield();
  }
  sleeping_thread(const sleeping_thread&) = delete;
  sleeping_thread& operator=(const sleeping_thread&) = delete;
  ~sleeping_thread() { wait(); }

  /// Whether it counted as a searcher when it woke.
  bool wait() {
    if (thread_.joinable()) thread_.join();
    return searches_;
  }

 private:
  // It looks after each, so that who does not look first is known to be asleep.
  static constexpr engine::naps naps{.first = std::chrono::milliseconds{1},
                                     .longest = std::chrono::milliseconds{1}};
  std::atomic<bool> falls_asleep_{false};
  bool searches_ = false;
  std::thread thread_;
};

TEST(ParkingLot, AsksTheWorkerThatIsNamedUntilItAnswers) {
  tested_lot all(3);
  EXPECT_EQ(all.requests(), (bools{false, false, false}));
  EXPECT_TRUE(all.lot.answers_requests());
  all.lot.request(1);
  all.lot.request(1);
  EXPECT_EQ(all.requests(), (bools{false, true, false}));
  EXPECT_TRUE(all.lot.answer(all.flags[1])) << "a sleeper may be why it was asked";
  EXPECT_EQ(all.requests(), (bools{false, false, false}));
}

TEST(ParkingLot, SendsEveryPushOnToAFenceWhereACompilerFenceOrdersNothing) {
  for (const answers answered : {answers::requests, answers::pushes}) {
    lot_of<symmetric_machine> all(2, 1, answered);
    EXPECT_EQ(all.requests(), (bools{true, true}));
    all.lot.request(1);
    EXPECT_TRUE(all.lot.answer(all.flags[0]));
    EXPECT_TRUE(all.lot.answer(all.flags[1]));
    EXPECT_EQ(all.requests(), (bools{true, true}));
  }
}

TEST(ParkingLot, LooksAtTheCountsOnRequestAloneWhereEachPushIsAnswered) {
  tested_lot all(2, 1, answers::pushes);
  EXPECT_EQ(all.requests(), (bools{true, true}));
  EXPECT_FALSE(all.lot.answers_requests());
  EXPECT_FALSE(all.lot.answer(all.flags[0])) << "all workers share the counts";
  all.lot.request(0);
  EXPECT_TRUE(all.lot.answer(all.flags[0]));
  EXPECT_FALSE(all.lot.answer(all.flags[0]));
  EXPECT_TRUE(all.lot.park(all.sleepers[1], false, no, yes)) << "having asked all";
  EXPECT_TRUE(all.lot.answer(all.flags[0]));
  EXPECT_EQ(all.requests(), (bools{true, true}));
}

template <class M>
void expect_beats_alone_are_answered() {
  lot_of<M> all(2, 1, answers::beats);
  all.lot.request(1);
  EXPECT_TRUE(all.lot.park(all.sleepers[1], false, no, yes));
  EXPECT_EQ(all.requests(), (bools{false, false}));
  all.lot.beat();
  all.lot.beat();
  EXPECT_EQ(all.requests(), (bools{true, true}));
  EXPECT_TRUE(all.lot.answer(all.flags[1])) << "no request tells of a sleeper";
  EXPECT_EQ(all.requests(), (bools{true, false}));
  all.lot.beat();
  EXPECT_EQ(all.requests(), (bools{true, true})) << "whoever else has not answered yet";
}

TEST(ParkingLot, AnswersBeatsAlone) {
  expect_beats_alone_are_answered<asymmetric_machine>();
  expect_beats_alone_are_answered<symmetric_machine>();
}

TEST(ParkingLot, LetsSoManySearchAtATime) {
  tested_lot all(8, 3);
  EXPECT_EQ(all.room(), 3U);
  ASSERT_TRUE(all.lot.start_searching());
  EXPECT_EQ(all.room(), 2U);
}

TEST(ParkingLot, KeepsAWorkerAwakeThatFindsWorkInTheLastLookOrWhomNobodyWouldWake) {
  tested_lot all(2);
  EXPECT_TRUE(all.lot.park(all.sleepers[0], false, no, yes));  // Would hang.
  EXPECT_FALSE(all.lot.start_searching()) << "it is one already";
  EXPECT_TRUE(all.lot.park(all.sleepers[0], true, no, yes));
  EXPECT_FALSE(all.lot.start_searching());
  all.lot.stop_searching(0, nothing);
  EXPECT_EQ(all.room(), 1U);
  EXPECT_FALSE(all.lot.park(all.sleepers[0], false, yes, no)) << "it did not search";
  ASSERT_TRUE(all.lot.start_searching());
  EXPECT_TRUE(all.lot.park(all.sleepers[0], true, yes, no)) << "others rely on it";
  EXPECT_FALSE(all.lot.park(all.sleepers[1], false, yes, no)) << "they rely on the other one";
  all.lot.stop_searching(0, nothing);
  EXPECT_EQ(all.room(), 1U);
}

TEST(ParkingLot, AsksAllWhenNoSearcherIsLeftBehindAndThenLooks) {
  tested_lot all(3);
  bools asked_before_look;
  const auto look = [&] {
    asked_before_look = all.requests();
    return true;
  };
  EXPECT_TRUE(all.lot.park(all.sleepers[0], false, no, look));
  EXPECT_EQ(asked_before_look, (bools{true, true, true}));

  all.answer_all();
  asked_before_look.clear();
  EXPECT_TRUE(all.lot.park(all.sleepers[0], true, no, look)) << "the last searcher";
  EXPECT_EQ(asked_before_look, (bools{true, true, true}));
}

TEST(ParkingLot, AsksNobodyAndLooksNowhereBesideASearcher) {
  tested_lot all(3, 2);
  ASSERT_TRUE(all.lot.start_searching());
  ASSERT_TRUE(all.lot.start_searching());
  all.sleepers[0].parker.unpark();  // So that it returns, not woken from the list.
  const auto look = [] {
    ADD_FAILURE();
    return true;
  };
  EXPECT_FALSE(all.lot.park(all.sleepers[0], true, no, look));
  EXPECT_EQ(all.requests(), (bools{false, false, false}));
  EXPECT_TRUE(all.lot.start_searching()) << "one searcher less";
}

TEST(ParkingLot, WakesNobodyBesideASearcherAndTheNextAsTheLastOneStops) {
  tested_lot all(3, 2);
  sleeping_thread one(all, 1);
  sleeping_thread two(all, 2);
  ASSERT_TRUE(all.lot.start_searching());
  EXPECT_EQ(all.lot.wake_any(0), 0U) << "this thread searches";
  EXPECT_EQ(all.lot.stop_searching(0, nothing), 1U) << "the last searcher hands over";
  EXPECT_TRUE(two.wait());
  EXPECT_TRUE(one.wait()) << "handed over by the other one";
  EXPECT_EQ(all.room(), 2U);
}

TEST(ParkingLot, TellsASleeperWhoHasWokenIt) {
  tested_lot all(2);
  constexpr unsigned workers = 2;
  EXPECT_GE(all.sleepers[1].woken_by(), workers) << "no worker";
  {
    sleeping_thread only(all, 1);
    EXPECT_EQ(all.lot.wake_any(0), 1U);
  }
  EXPECT_EQ(all.sleepers[1].woken_by(), 0U);
  EXPECT_FALSE(all.lot.park(all.sleepers[1], false, yes, no));
  EXPECT_GE(all.sleepers[1].woken_by(), workers) << "it has risen by itself";
}

TEST(ParkingLot, ASleeperThatIsNotWokenLooksAgainAndSeesWhatItWaitsFor) {
  constexpr naps short_ones{.first = std::chrono::milliseconds{1},
                            .longest = std::chrono::milliseconds{2}};
  tested_lot all(1);
  int looks = 0;
  const auto fourth_time = [&] { return ++looks == 4; };
  EXPECT_TRUE(all.lot.park(all.sleepers[0], false, no, fourth_time, short_ones));
  EXPECT_EQ(looks, 4);
  all.lot.stop_searching(0, nothing);
  looks = 0;
  EXPECT_FALSE(all.lot.park(all.sleepers[0], false, fourth_time, no, short_ones));
  EXPECT_EQ(looks, 4);
  EXPECT_EQ(all.room(), 1U);
}

/// A lot, and what happens in it step by step: a job comes (+), or the search of one ends with
/// nothing (-), a job (j) or more jobs (m); behind each, how many are woken for it.
struct scene {
  const char* what;
  unsigned workers;
  unsigned may_search;
  unsigned asleep;
  unsigned searchers;
  std::string_view steps;
};

TEST(ParkingLot, WakesAsManyAsMaySearchForWhatThereIs) {
  for (const scene& each : {scene{"nobody sleeps", 2, 1, 0, 0, "+0"},
                            {"nor beside a searcher", 2, 1, 0, 1, "+0 m0"},
                            {"nobody searches", 2, 1, 1, 0, "+1"},
                            {"another one searches", 2, 2, 1, 2, "-0 -1"},
                            {"a searcher has seen more", 5, 5, 3, 2, "m2 -1"},
                            {"beside another searcher", 8, 3, 2, 2, "j1 j1"},
                            {"one, and a quarter of six, is enough", 8, 8, 2, 3, "+0 j0 +0 j1 -1"},
                            {"one for each four that are awake", 6, 6, 2, 2, "j1 -1"},
                            {"no more may search", 8, 1, 2, 1, "+0 -1"},
                            {"the last searcher has seen more", 3, 2, 2, 1, "m2"},
                            {"only one may search", 3, 1, 2, 1, "m1"}}) {
    SCOPED_TRACE(each.what);
    tested_lot all(each.workers, each.may_search);
    std::deque<sleeping_thread> asleep;
    for (unsigned i = 1; i <= each.asleep; ++i) asleep.emplace_back(all, i);
    for (unsigned i = 0; i < each.searchers; ++i) ASSERT_TRUE(all.lot.start_searching());
    for (std::size_t i = 0; i < each.steps.size(); i += 3) {
      const char act = each.steps[i];
      const auto end = [act] {
        return act == '-'   ? search_end::nothing
               : act == 'j' ? search_end::job
                            : search_end::more_jobs;
      };
      const unsigned woken = act == '+' ? all.lot.wake_any(0) : all.lot.stop_searching(0, end);
      const auto expected = static_cast<unsigned>(each.steps[i + 1] - '0');
      EXPECT_EQ(woken, expected) << "by step " << i / 3;
      if (woken != expected) {  // Else those that sleep would for ever.
        for (auto& left : all.sleepers) left.parker.unpark();
        break;
      }
      for (unsigned left = woken; left > 0; --left) {  // The latest to fall asleep come first.
        EXPECT_TRUE(asleep.back().wait());
        asleep.pop_back();
      }
    }
  }
}

// Jobs of which each is pushed by the worker that has run the one before, as none, some or all of
// the others fall asleep, and which one of these must take: the pusher is in a long leaf. A lost
// wake-up hangs the test.
TEST(ParkingLot, LosesNoWakeUpWhereWorkersSleepAllTheTime) {
  constexpr unsigned workers = 8;
  constexpr unsigned jobs = 3000;
  lot_of<std_machine> all(workers, 4);
  std::atomic<unsigned> pushed{1};
  std::atomic<unsigned> taken{0};
  std::atomic<unsigned> parking{0};
  std::atomic<unsigned> runs{0};
  const auto take = [&] {
    unsigned next = taken.load(std::memory_order_relaxed);
    return next < pushed.load(std::memory_order_acquire) &&
           taken.compare_exchange_strong(next, next + 1);
  };
  const auto work = [&](unsigned self) {
    const auto over = [&] { return taken.load() == jobs; };
    const auto has_work = [&] { return taken.load() < pushed.load(); };
    while (!over()) {
      bool searches = false;
      bool found = false;
      while (!over() && !(found = take())) {
        all.lot.request((self + 1) % workers);
        if (!searches) searches = all.lot.start_searching();
        parking.fetch_add(1);
        searches = all.lot.park(all.sleepers[self], searches, over, has_work);
        parking.fetch_sub(1);
      }
      if (searches) {
        all.lot.stop_searching(self, [&] {
          if (!found) return search_end::nothing;
          return taken.load() % 2 == 0 ? search_end::job : search_end::more_jobs;
        });
      }
      if (!found) return;
      runs.fetch_add(1);
      const unsigned mine = taken.load();
      if (mine == jobs) {
        for (auto& each : all.sleepers) each.parker.unpark();
        return;
      }
      while (parking.load() < mine % workers) std::this_thread::yield();
      pushed.store(mine + 1, std::memory_order_release);
      if (all.lot.is_requested(all.flags[self]) && all.lot.answer(all.flags[self])) {
        all.lot.wake_any(self);
      }
      while (taken.load() == mine) std::this_thread::yield();
    }
  };
  std::vector<std::thread> threads;
  for (unsigned self = 0; self < workers; ++self) threads.emplace_back(work, self);
  for (auto& each : threads) each.join();
  EXPECT_EQ(runs.load(), jobs);
}

using tested_directed_lot = directed_lot<std_machine>;

TEST(DirectedLot, WakesNobodyWhoIsAwake) {
  tested_directed_lot lot(2, 1);
  tested_directed_lot::sleeper state;
  EXPECT_EQ(lot.wake(state), 0U);
  EXPECT_FALSE(lot.park(state, false, no, yes)) << "since it has seen a job";  // Would hang.
  EXPECT_TRUE(lot.park(state, true, yes, no)) << "since no worker would wake it";
  EXPECT_EQ(lot.wake(state), 0U);
}

TEST(DirectedLot, WakesTheSleeperThatIsMeant) {
  tested_directed_lot lot(2, 1);
  std::vector<tested_directed_lot::sleeper> states(2);
  std::atomic<unsigned> asleep{0};
  std::atomic<bool> awake[2]{};
  std::vector<std::thread> threads;
  for (unsigned self = 0; self < 2; ++self) {
    threads.emplace_back([&, self] {
      const auto look = [&] {
        asleep.fetch_add(1);
        return false;
      };
      EXPECT_FALSE(lot.park(states[self], false, no, look));
      awake[self].store(true);
    });
  }
  while (asleep.load() < 2) std::this_thread::yield();
  EXPECT_EQ(lot.wake(states[1]), 1U);
  threads[1].join();
  EXPECT_FALSE(awake[0].load());
  EXPECT_EQ(lot.wake(states[1]), 0U);
  EXPECT_EQ(lot.wake(states[0]), 1U);
  EXPECT_EQ(lot.wake(states[0]), 0U) << "it has been woken";
  threads[0].join();
}

// Tokens go round a ring of workers that sleep as often as they can. A lost wake-up hangs the test.
TEST(DirectedLot, LosesNoWakeUpWhereWorkersSleepAllTheTime) {
  constexpr unsigned workers = 4;
  constexpr unsigned rounds = 2000;
  tested_directed_lot lot(workers, 1);
  std::vector<tested_directed_lot::sleeper> sleepers(workers);
  std::vector<std::atomic<unsigned>> inbox(workers);
  std::vector<std::thread> threads;
  threads.reserve(workers);
  for (unsigned self = 0; self < workers; ++self) {
    threads.emplace_back([&, self] {
      for (unsigned round = 1; round <= rounds; ++round) {
        const auto has_work = [&] { return inbox[self].load(std::memory_order_acquire) >= round; };
        while (!has_work()) EXPECT_FALSE(lot.park(sleepers[self], false, no, has_work));
        const unsigned next = (self + 1) % workers;
        inbox[next].store(next == 0 ? round + 1 : round, std::memory_order_release);
        lot.wake(sleepers[next]);
      }
    });
  }
  inbox[0].store(1, std::memory_order_release);
  lot.wake(sleepers[0]);
  for (auto& each : threads) each.join();
  EXPECT_EQ(inbox[0].load(), rounds + 1);
}

}  // namespace
}  // namespace stealbench::engine
