// Suites that fail, each for another reason. CTest asserts that each ends in exit status 1 with its
// reason in the output: a harness that cannot fail proves nothing.
#include <utility>
#include <vector>

#include "schedulers/work_stealing/protocols/chase_lev_deque.hpp"
#include "verify/always_fails/broken_fixture.hpp"
#include "verify/engine/programs.hpp"
#include "verify/explore.hpp"
#include "verify/work_stealing/deque_script.hpp"

namespace stealbench::verify {
namespace {

using engine::order;

// Only where each thread is left while it could go on: `full` finds that, and bound:1 does not.
struct failed_assertion : rl::test_suite<failed_assertion, 2> {
  relacy_machine::atomic<int> word;
  void thread(unsigned /*who*/) {
    const int before = word.fetch_add(1, order::relaxed);
    expect(word.fetch_add(1, order::relaxed) != before + 2, "no other comes between");
  }
};

struct race : rl::test_suite<race, 2> {
  relacy_machine::plain<int> data;
  void thread(unsigned who) { data.write(static_cast<int>(who)); }
};

struct leak : rl::test_suite<leak, 2> {
  int* lost[2] = {};
  void thread(unsigned who) { lost[who] = new int(0); }
};

struct freed : rl::test_suite<freed, 2> {
  relacy_machine::atomic<int>* word = nullptr;
  void before() { delete (word = new relacy_machine::atomic<int>()); }
  void thread(unsigned /*who*/) { word->store(1, order::relaxed); }
};

struct deadlock : rl::test_suite<deadlock, 2> {
  relacy_machine::atomic<std::uint32_t> word;
  void thread(unsigned /*who*/) { relacy_machine::wait(word, 0, {}); }
};

struct endless_loop : rl::test_suite<endless_loop, 2> {
  relacy_machine::atomic<int> flag;
  void thread(unsigned /*who*/) {
    while (flag.load(order::relaxed) == 0) relacy_machine::spin();
  }
};

// What a failure is must not depend on what was played before. Fails in the first execution alone.
struct once : rl::test_suite<once, 2> {
  static inline bool has_failed = false;
  void thread(unsigned /*who*/) { expect(std::exchange(has_failed, true), "it is the first"); }
};

// What a deque's failure looks like.
constexpr work_stealing::chase_lev_orderings no_pop_fence{.pop_fence = order::none};
template <class T>
using unfenced = work_stealing::chase_lev_deque<T, relacy_machine, no_pop_fence>;

}  // namespace

suites all_suites() {
  using enum broken::member;
  const std::vector<search> every{full, bound(1), random(10)};
  return {
      {check_of<failed_assertion>("assertion", "An invariant does not hold.", {full}),
       check_of<race>("race", "Two threads write plain data.", every),
       check_of<leak>("leak", "An allocation is never freed.", every),
       check_of<freed>("freed", "An atomic is used after its memory was freed.", every),
       check_of<once>("once", "A failure that does not come again.", {full}),
       check_of<deadlock>("deadlock", "A sleeper that no thread wakes.", every),
       check_of<endless_loop>("livelock", "A loop that no thread ends.", every),
       scenario<unfenced>(deque_trials::two_jobs, {bound(2), random(100)}),
       scenario<broken::in<pop>::deque>("pop", "", 1, {2, 2, "++", "--", 0}, {full}),
       scenario<broken::in<steal>::deque>("steal", "", 1, {2, 2, "++", "", 2}, {full}),
       scenario<broken::in<steal>::deque>("no_job", "", 1, {2, 2, "", "", 1}, {full}),
       scenario<broken::in<push>::deque>("push", "", 1, {1, 1, "+s-", "+", 0}, {full}),
       scenario<broken::in<looks_empty>::deque>("looks_empty", "", 1, {1, 1, "", "", 0}, {full}),
       plays<broken::scheduler, programs::groups>("sync", {full}),
       plays<broken::scheduler, programs::loop>("loop", {full}),
       plays<broken::scheduler, programs::start_and_stop, broken::other>("cast", {full})}};
}

}  // namespace stealbench::verify
