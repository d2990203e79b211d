// What each thread does in a scenario of a deque. Data alone, for either model checker.
#pragma once

#include <array>
#include <cstddef>

namespace stealbench::verify {

/// '+' pushes the next job, '-' pops, 's' steals; 'e' grants thieves what is private, where any is.
struct deque_script {
  std::size_t capacity;      ///< Of the first buffer.
  std::size_t max_capacity;  ///< Pushes beyond it are refused.
  const char* before;        ///< '+', '-' and 's', before the thieves start.
  const char* owner;         ///< '+', '-' and 'e'.
  int steals;                ///< Attempts of each thief.
};

/// Of a deque that is its owner's job stack.
struct stack_script {
  std::size_t slots;   ///< Of the owner's stack; the one behind them is never free.
  const char* before;  ///< As `owner`, before the thieves start.
  /// '+' forks, '-' joins the youngest; 'w' joins the youngest and, if another has it, works
  /// meanwhile, above its slot. The rest is joined at the end. Split deque: 'S', 'A' and 'O' share
  /// half, all and the oldest, 'R' half of what is left if a thief has been there. Private deque:
  /// 'P' answers who asks.
  const char* owner;
  /// Split deque: 's' steals, 'f' forces the border. Private deque: 'a' asks the owner, 'v' one who
  /// never answers.
  std::array<const char*, 2> thieves;
  const char* meanwhile = "";  ///< As `owner`; joins what it forks.
};

/// A script by its name: of the ordering matrices, and of the scenarios of several deques.
struct deque_trial {
  constexpr deque_trial(const char* word, int thief_count, const deque_script& acts,
                        const char* sentence = "", bool no_force = false)
      : name(word), thieves(thief_count), script(acts), claim(sentence), granted(no_force) {}
  const char* name;
  int thieves;
  deque_script script;
  const char* claim;  ///< Of a scenario.
  bool granted;       ///< In a matrix: thieves force nothing, where anything is private.
};
namespace deque_trials {
inline constexpr deque_trial push_and_steal("push_and_steal", 1, {2, 2, "", "+", 1},
                                            "A job is stolen as it is pushed.");
inline constexpr deque_trial last_element("last_element", 1, {2, 2, "+", "-", 1},
                                          "Owner and thief want the only job.");
inline constexpr deque_trial push_refused(
    "push_refused", 1, {1, 1, "+", "+-", 2},
    "At its maximal capacity a push succeeds only if a steal did, or never.");
inline constexpr deque_trial two_thieves_last_element(
    "two_thieves_last_element", 2, {2, 2, "+", "-", 1},
    "Two thieves and the owner want the only job.");
inline constexpr deque_trial push_pop_steal("push_pop_steal", 1, {2, 2, "", "+-", 1},
                                            "A thief meets a push and the pop after it.");
inline constexpr deque_trial two_jobs("two_jobs", 1, {2, 2, "++", "--", 2},
                                      "Pops and steals close in on each other.");
inline constexpr deque_trial reuse("reuse", 1, {2, 2, "+", "-+-", 1},
                                   "A slot and an index are used anew under a slow thief.");
inline constexpr deque_trial wrap_around("wrap_around", 1, {2, 2, "+s+", "+-", 1},
                                         "The jobs lie across the end of the buffer.");
inline constexpr deque_trial growth_from_one("growth_from_one", 1, {1, 2, "+", "+-", 1},
                                             "A buffer of 1 grows to 2 under a thief.");
inline constexpr deque_trial growth_after_wrap_around(
    "growth_after_wrap_around", 1, {2, 4, "+s++", "+", 1},
    "It grows while the jobs lie across its end.");
inline constexpr deque_trial everything(
    "everything", 1, {1, 4, "+s", "++-+--", 3},
    "Growth or the array's end, wrap-around, reuse and the last job in one script.");
inline constexpr deque_trial two_thieves("two_thieves", 2, {2, 2, "", "++--", 1},
                                         "Two jobs, and three who want them.");
inline constexpr deque_trial two_thieves_growth(
    "two_thieves_growth", 2, {1, 4, "", "+++--", 2},
    "Two thieves, one of whom may hold the old buffer.");
inline constexpr deque_trial three_thieves("three_thieves", 3, {2, 4, "", "+++--", 1},
                                           "Three jobs, and four who want them.");
// The job that the owner pushes while the thief is under way is ordered before its steal by E1
// alone.
inline constexpr deque_trial another_job("another_job", 1, {2, 2, "+", "-+", 1});
// The thief sees the first job through the bottom that the pop of the second one has stored.
inline constexpr deque_trial push_push_pop("push_push_pop", 1, {2, 2, "", "++-", 1});
// For blocks, which are of one job up to a capacity of four. The owner goes down into one that a
// thief has found granted; goes down and up again; and comes back to its memory in a later round.
inline constexpr deque_trial sealed("sealed", 1, {2, 2, "", "++-", 1}, "", true);
inline constexpr deque_trial up_and_down(
    "up_and_down", 1, {2, 2, "++", "--++", 1},
    "A block is taken back and left again, under a slow thief.");
inline constexpr deque_trial memory_anew(
    "memory_anew", 1, {2, 2, "++", "+-+", 2},
    "The memory of a block that is exhausted serves a later one.", true);
inline constexpr deque_trial left_behind(
    "left_behind", 1, {4, 4, "", "+++", 2},
    "A thief comes to a block that the owner is about to leave.");
// A block of two jobs is opened by its owner, or by a thief.
inline constexpr deque_trial exposed("exposed", 1, {8, 8, "", "+e-", 1}, "", true);
inline constexpr deque_trial exposed_anew("exposed_anew", 1, {8, 8, "+e", "-+e", 1}, "", true);
inline constexpr deque_trial in_a_block(
    "in_a_block", 1, {8, 8, "++", "-+-", 2},
    "A block of two jobs is opened while its owner works in it.");
// One thief relies on the block that the owner has granted, or that the other thief has opened:
// a bottom from before would show it a job that the owner has popped.
inline constexpr deque_trial exposed_to_two("exposed_to_two", 2, {8, 8, "", "++-e", 1}, "", true);
inline constexpr deque_trial opened_for_another("opened_for_another", 2, {8, 8, "++", "-", 1});
// The memory of an exhausted block is used for a later one, which is sealed too.
inline constexpr deque_trial memory_twice("memory_twice", 1, {2, 2, "++s", "++", 2}, "", true);
inline constexpr deque_trial memory_twice_two_thieves("memory_twice_two_thieves", 2,
                                                      {2, 2, "++s", "++", 2}, "", true);
// A block is opened whose memory has been full before.
inline constexpr deque_trial reopened("reopened", 2, {8, 8, "++s", "-+", 1});
// The slot of a stolen job is used anew, in a buffer that cannot grow.
inline constexpr deque_trial refill("refill", 1, {1, 1, "+", "++", 2});
}  // namespace deque_trials

struct split_trial {
  const char* name;
  stack_script script;
};
namespace split_trials {
inline constexpr split_trial share{"share", {1, "", "+S-", {"s"}}};
inline constexpr split_trial force{"force", {1, "+", "-", {"f"}}};
inline constexpr split_trial force_and_steal{"force_and_steal", {2, "+", "+--", {"fs"}}};
inline constexpr split_trial two_thieves{"two_thieves", {2, "+", "+--", {"f", "s"}}};
}  // namespace split_trials

}  // namespace stealbench::verify
