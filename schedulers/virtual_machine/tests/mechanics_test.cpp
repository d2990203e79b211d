// How the machine does what it charges for: futexes, interrupts and threads. A thread starts in
// 30'000 ns, a call takes 200 ns, to fall asleep 2'000 ns and to run again 10'000 ns.
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/timetable.hpp"

namespace stealbench::virtual_machine {
namespace {

TIMETABLES(Futex, R"(
WakesTheLongestSleeperAndNoOther
  A: start B, start C, start D, sleep 100000, wake elsewhere =200, sleep 50000,
     wake asleep =3000, sleep 50000, wake asleep =3000, sleep 50000, wake asleep =3000, sleep 50000,
     wake asleep =200
  B: sleep 100, wait asleep ->1 @256200+10000
  C: sleep 50, wait asleep ->1 @203200+10000
  D: wait asleep ->1 @150200+10000                       # The last one sleeps first.
# It runs no earlier than it has fallen asleep.
WakesAThreadThatIsStillFallingAsleep wake 100
  A: start B, sleep 31000, wake asleep
  B: wait asleep ->1 =200+2000
LooksAtItsWordAfterTheCallWasMade
  A: start B, sleep 30100, store changed 1               # While the call is under way.
  B: wait changed ->1 =200
# From when it sleeps; and one that is woken in time has not timed out.
EndsAtItsDeadlineOrWhenItIsWoken
  A: start B, sleep 150000, wake asleep =200, join B,    # No sleeper is left.
     start C, sleep 50000, wake asleep, sleep 100000, wake asleep =200, join C,
     start D, sleep 150000, wake asleep =200
  B: wait asleep 40000 ->0 =200+2000+40000
  C: wait asleep 40000 ->1 =20000+10000
  D: wait asleep 40000 ->0 =200+2000+40000
ForgetsAnEarlierDeadline
  A: start B, sleep 100000, wake asleep
  B: wait asleep 1000 ->0, wait asleep 1000000 ->1
# The waker's clock is ahead of a thread that sleeps before.
WakesWhoSleepsByTheTimeOfTheCall
  A: start B, ahead 100000, wake asleep =3000
  B: wait asleep 1000000 ->1
)");

TIMETABLES(Mutex, R"(
# The line comes for the first attempt, and is there for the next one. B is woken 10'000 after A's
# call, has lost the line to it by then, and locks. A takes the line back, and calls.
HasTheCostsOfAFutexWhereItIsTaken
  A: lock taken =5, start B, sleep 50000, unlock taken =105+3000
  B: lock taken =20000+105+10000+105, unlock taken =5+200              # As if another one waited.
# The line comes for the first try. The others are after 1, 2, 4 and 8 pauses more: the last of them
# is behind A's unlock, which has taken the line.
IsTriedAgainWhileItsThreadSpins
  A: lock taken, start B, sleep 30300, unlock taken =105
  B: lock taken =105+15*20+3*5+105, unlock taken =5
)");

TIMETABLES(Stillness, R"(
IsNotWhereAThreadHasBeenWoken
  A: start B, start C, still, wake second, still =1100000, wake first, wake second  # Steps of 100'000.
  B: wait first
  C: wait second, sleep 1000000, wait second
IsAwaitedForFiftyMillisecondsAtMost
  A: start B, still =50000000
  B: sleep 60000000
IsOnceAllOthersSleepOrHaveEnded
  A: start B, start C, still =300000, still =0, wake asleep
  B: sleep 250000, wait asleep
  C: thread
)");

// Of system-wide fences.
TIMETABLES(Interrupts, R"(
AreOfThreadsThatRunAlone
  A: start B, start C, sleep 80000, 3x membarrier, wake asleep
  B: wait asleep ->1 =50000+10000+3*2000, sleep 100 =100  # None is left over.
  C: sleep 90000 =90000+3*500, sleep 90000 =90000
AreNotOfTheThreadThatCallsForThem
  A: start B, sleep 40000, membarrier =2000, 10x sleep 150 =150
  B: 1000x sleep 100                                      # It runs in between.
AreNotOfAThreadThatDoesNotRunYet
  A: start B, membarrier
  B: thread @30000
AreNotOfWhatAThreadDoesBefore
  A: start B, sleep 40000, ahead 60000, membarrier        # B has begun by then.
  B: sleep 50000 @30000+50000
# B looks ahead of A's fence, and goes on behind C.
LetOthersGoFirstWhoAreEarlierThen
  A: store far, start B, start C, until 40010, membarrier
  B: until 40000, ahead 50, load far @40050+500+100+1
  C: wait asleep 7899 @40100, load far =100+1
AreNotOfAThreadThatWaitsForOneThatCalls
  A: start B, join B @30000+2000
  B: membarrier
# It has worked ahead, and ends before the other one calls.
AreNotOfAThreadThatWaitsForAnother
  A: start B, start C, join C @100000
  B: sleep 40000, membarrier
  C: ahead 70000
)");

TIMETABLES(Threads, R"(
AreJoinedAtTheLaterOfBothClocks
  A: start B, join B =30000+70000, start C, sleep 80000, join C =0,
     start D, ahead 80000, join D =0,                     # Without giving way: D runs late.
     start E, sleep 40000, join E =60000
  B: sleep 70000
  C: sleep 10
  D: sleep 10
  E: ahead 70000                                          # It is done meanwhile.
# The processor of a thread that has ended is the next one's, and still has its lines.
HaveTheLowestNumberThatIsFree
  A: thread ->1, start B, start C, join B, start D, join D
  B: thread ->2, store kept
  C: thread ->3
  D: thread ->2, load kept =1
ReadTheirOwnClock
  A: clock ->0, start B, sleep 50000, clock ->50000
  B: clock ->30000, sleep 123, clock ->30123
AreOnTheProcessorsOfTheirNumbersUnlessTheyAreBound socket 2
  A: store a, store b, store c, start B, start C, start D
  B: load a =101
  C: load b =301
  D: load c =301
# Whoever writes waits for the copies to go, wherever these are.
TakeCopiesAwayFromTheirSockets socket 2
  A: add shared =5, start B, start C, sleep 32000, add shared =300+5,
     sleep 1700, add shared =100+5                        # No copy is far any longer.
  B: load shared =101, sleep 2900, load shared =101, sleep 2900, load shared =101,
     add shared =300+5                                    # The owner is near, and a copy is not.
  C: sleep 1000, load shared =301, sleep 3700, load shared =301
AreNearOnceTheyHaveEnded socket 1
  A: far left, load left =101
)");

TEST(Machine, HasManyThreadsThatWaitLongAtAJoinAndSearchAtMostOnceBeforeAWindowBegins) {
  simulated(exactly(), [&] {
    EXPECT_EQ(machine::limits().max_workers, max_workers);
    EXPECT_EQ(machine::join_rounds(max_workers), engine::std_machine::join_rounds(1))
        << "as if each had a processor";
    EXPECT_EQ(machine::limits().spin_rounds, 0U);
    EXPECT_EQ(machine::limits().yield_rounds, 0U);
    EXPECT_EQ(machine::limits().rounds_unseen, 0U);
    running.all->begin_window();
    EXPECT_EQ(machine::limits().spin_rounds, engine::std_machine::limits().spin_rounds);
    EXPECT_EQ(machine::limits().yield_rounds, engine::std_machine::limits().yield_rounds);
    EXPECT_EQ(machine::limits().rounds_unseen, engine::std_machine::limits().rounds_unseen);
    static_cast<void>(running.all->end_window());
    EXPECT_EQ(machine::limits().spin_rounds, 0U);
  });
}

TEST(Machine, HasThreadsThatAreNearByTheirSocketsAndThenByTheirNumbers) {
  settings chosen = exactly();
  simulated(chosen, [&] {
    EXPECT_EQ(machine::workers_by_distance(2, 5), (std::vector<unsigned>{2, 1, 3, 0, 4}));
  });
  chosen.costs.processors_per_socket = 3;
  simulated(chosen, [&] {
    EXPECT_EQ(machine::workers_by_distance(2, 7), (std::vector<unsigned>{2, 1, 0, 3, 4, 5, 6}));
    EXPECT_EQ(machine::workers_by_distance(3, 7), (std::vector<unsigned>{3, 4, 5, 2, 1, 0, 6}));
  });
}

}  // namespace
}  // namespace stealbench::virtual_machine
