// Where time went: programs whose shares are known in advance. A transfer takes 100 ns, a hit 1 ns.
#include <array>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/timetable.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::virtual_machine {
namespace {

using engine::order;

TIMETABLES(Shares, R"(
OfOneThreadAreThoseOfItsParts
  A: far copied, far changed, far stored, begin, work 300, fork, load copied, add changed,
     store stored, wait own 1000 ->0,                     # It waits for nothing.
     end threads=1 units=300 work=300 lines=200 asleep=200+2000+1000
         length=300+7+101+105+1+3200 unnamed=2/200
# Of a search the waits for lines and the sleep are not the search's own.
OfASearchAreWithoutItsWaitsAndItsSleep
  A: far copied, far before, begin, load before, wait own 500 ->0, search, spin, yield, look,
     load copied, wait own 1000 ->0, run, work 50, search, spin, away, spin, search, spin,
     end work=50 search=20+300+2+1+20+20 lines=200 asleep=2700+3200 unnamed=2/200
AreOfTheWindowAlone
  A: far before, far between, far inside, search, load before, work 10, 2x fork,
     begin, spin, run, end search=20 length=20 units=0 forks=0,
     search, load between, work 20, 2x fork,
     begin, spin, run, load inside, work 40, 2x fork,
     end work=40 search=20 lines=100 length=20+40+101+14 units=40 forks=2 unnamed=1/100
# A thread that sleeps when a window begins has slept since then, and one that sleeps when it ends
# until then: in a search, or not. It is woken 10'000 after the call.
OfASleepOfASearchThatAWindowCutsAreInsideOfIt
  A: start B, sleep 100000, begin, sleep 5000, wake slept, sleep 47000,
     end threads=2 length=55000 search=20 asleep=55000-20
  B: search, wait slept ->1, spin, wait never 10000000
OfASleepThatAWindowCutsAreInsideOfIt
  A: start B, sleep 100000, begin, sleep 5000, wake slept, sleep 47000,
     end threads=2 length=55000 asleep=55000-20
  B: away, wait slept ->1, spin, wait never 10000000
# Also while its waker has called already. The first thread waits for the other.
OfASleepReachUntilTheSleeperRuns
  A: start B, sleep 130000, wake slept
  B: begin, wait slept ->1 =130000-30000+10000, work 10, end threads=2 work=10 asleep=110000
# Units are the program's.
AreOfTheThreadsThatHaveNotEnded
  A: begin, start B, start C, sleep 100000, work 5, search, spin,
     end threads=2 work=2005 search=40 units=3005
  B: work 1000
  C: work 2000, search, spin, away, sleep 1000000
# B has worked ahead, as threads do that nothing keeps from it.
OfASearchThatBeginsBehindTheWindowAreNone
  A: begin, start B, sleep 100000, end work=1000000 search=20
  B: search, spin, run, work 1000000, search, gives_way, away
OfLinesAreByNameAndTheLongestFirst
  A: far little, far much, far also_much, far nameless, far untouched, slot s, name little little,
     name much much, name also_much much, name untouched untouched, start B, sleep 100000,
     begin, add s, load much, add much, add also_much, add little, add nameless,
     end lines=600 much=3/300 unnamed=1/100 task_slots=1/100 little=1/100
  B: store s
# Behind a store that misses: of the line that comes last, whatever waits for it.
OfLinesHaveWaitsForTheStoreBuffer
  A: far a, far b, far c, name a stored, name b stored, name c stored, far earlier,
     name earlier earlier, store own, begin, search, store earlier, store a, add own,
     store b, fence, store c, membarrier, fence,
     end lines=3*99 search=4+3*5+2000 stored=3/297
OfAWaitForALineOfASearchThatAWindowCutsAreInsideOfIt
  A: store far, name far far, begin, start B, sleep 30060, end search=20 lines=40 far=1/40
  B: search, spin, add far
OfAWaitForALineThatAWindowCutsAreInsideOfIt
  A: store far, name far far, begin, start B, sleep 30060, end lines=40 far=1/40
  B: run, spin, add far
OfAWaitForALineThatBeganBeforeTheWindowAreNone
  A: store far, begin, start B, sleep 30020, begin, sleep 30, end length=30
  B: add far
OfLinesHaveEachThreadsOwnStores
  A: name first first, name second second, store first, store second, sleep 1000, begin,
     start B, start C, sleep 40000, end first=1/79  # Both have ended.
  B: store first, sleep 20, fence                         # C stores meanwhile.
  C: sleep 10, store second
# The first ones; a heart, say, is none.
AreOfTheWorkersAlone
  A: store far, start B, begin 1, sleep 100000, end threads=1
  B: add far, wait never 1000000
OfLinesHaveTheWaitsOfTheLastWorker
  A: store a, store b, start B, start C, begin 2, sleep 100000,
     end threads=2 lines=100 unnamed=1/100
  B: add a, sleep 1000000
  C: add b, sleep 1000000
)");

// An object of several lines has the name on each of them, wherever it begins.
TEST(NamesOfLines, AreThoseOfAllLinesOfAnObject) {
  struct alignas(64) four_lines {
    std::array<machine::atomic<std::uint32_t>, 64> words;
  };
  static_assert(sizeof(four_lines) == 4 * line_bytes);
  for (const std::size_t first : {0U, 8U, 15U}) {
    for (const std::size_t count : {1U, 2U, 16U, 17U, 33U}) {
      four_lines all;
      window seen;
      simulated(exactly(), [&] {
        {
          const machine::thread writer(test_stack_bytes, {}, [&] {
            for (auto& each : all.words) each.store(1, order::relaxed);
          });
        }
        running.all->name(&all.words[first], count * sizeof(std::uint32_t), "object");
        running.all->begin_window();
        for (auto& each : all.words) each.fetch_add(1, order::relaxed);
        seen = running.all->end_window();
      });
      const std::size_t lines = (first + count - 1) / 16 + 1;
      std::uint64_t waits = 0;
      for (const line_wait& each : seen.lines) waits += each.name == "object" ? each.waits : 0;
      EXPECT_EQ(waits, lines) << first << ' ' << count;
    }
  }
}

TEST(SharesOfWork, LoseNothingToRounding) {
  settings chosen = exactly();
  chosen.unit_ns = 0.0268;
  window seen;
  simulated(chosen, [&] {
    running.all->begin_window();
    for (int i = 0; i < 1'000; ++i) machine::work(1);
    seen = running.all->end_window();
  });
  EXPECT_NEAR(static_cast<double>(seen.length), 26'800, 1);
  EXPECT_EQ(seen.spent.work, seen.length);
}

// Forks after its work, which is when a worker of a private deque gives who has asked a job.
template <class Worker>
void work_and_answer(Worker worker, std::uint64_t units) {
  machine::work(units);
  worker->fork_join([](auto) {}, [](auto) {});
}

/// Two workers with `join`, on a machine where nothing but work takes time: the second one runs the
/// second branch, which forks two tasks, while the first one runs a task of half their length and
/// then waits.
template <class Deque>
schedulers::counters counted_where_a_join_waits(schedulers::join_policy join, double first_ms,
                                                double second_ms, std::uint64_t moved) {
  schedulers::counters counted;
  simulated({.costs = no_costs, .prices = {}, .unit_ns = 1e6, .job_stacks = 4}, [&] {
    typename work_stealing::scheduler_over<Deque, machine>::counting_variant scheduler(
        {.workers = 2, .stack_bytes = test_stack_bytes, .join = join});
    running.all->await_stillness();
    scheduler.run([](auto worker) {
      worker->fork_join([](auto w) { work_and_answer(w, 1); },
                        [](auto thief) {
                          thief->fork_join([](auto w) { work_and_answer(w, 2); },
                                           [](auto) { machine::work(2); });
                        });
    });
    counted = scheduler.counters().value();
  });
  EXPECT_NEAR(static_cast<double>(counted.per_worker.at(0).busy_ns), first_ms * 1e6, 10);
  EXPECT_NEAR(static_cast<double>(counted.per_worker.at(1).busy_ns), second_ms * 1e6, 10);
  EXPECT_EQ(counted.jobs_moved, moved);
  return counted;
}

TEST(CountersOfAJoin, OfAWorkerThatOnlyWaitsAreNoTaskAndOfOneThatLeapfrogsItsRunnersTasks) {
  using schedulers::join_policy;
  using work_stealing::deques::split;
  const auto waits = counted_where_a_join_waits<split>(join_policy::wait, 1, 4, 1);
  EXPECT_EQ(waits.attempts_taken, 1U);
  EXPECT_EQ(waits.parks, 3U) << "each before its first job, and the first one at the join";
  const auto leapfrogs = counted_where_a_join_waits<split>(join_policy::leapfrog, 3, 2, 2);
  EXPECT_EQ(leapfrogs.attempts_taken, 2U);
  // Where it must ask, it says that it is given a job.
  counted_where_a_join_waits<work_stealing::deques::private_>(join_policy::leapfrog, 3, 2, 2);
}

}  // namespace
}  // namespace stealbench::virtual_machine
