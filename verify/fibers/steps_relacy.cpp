// The steps of fibers, left out one at a time (fibers/steps.hpp); the programs without further
// stacks; and some of the two schedulers with a lock whose whole run engine_relacy.cpp searches at
// night alone.
#include <cerrno>
#include <cstddef>
#include <limits>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/depth_first/scheduler.hpp"
#include "schedulers/fibers/steps.hpp"
#include "verify/engine/meetings.hpp"
#include "verify/engine/mutated.hpp"
#include "verify/engine/programs.hpp"
#include "verify/mutation.hpp"

namespace stealbench::fibers {

template <class M>
inline constexpr const fiber_steps& steps_on<verify::mutated<M>> = verify::weakened<fiber_steps>;

}  // namespace stealbench::fibers

namespace stealbench::verify {
namespace {

/// Of the execution that is played: its threads share one thread of the operating system. A program
/// may say that no more can be had.
unsigned stacks_left = 0;

template <class M>
struct few_stacks : M {
  class stack_memory : public M::stack_memory {
   public:
    explicit stack_memory(std::size_t bytes) : M::stack_memory(allowed(bytes)) {}

   private:
    static std::size_t allowed(std::size_t bytes) {
      if (stacks_left == 0) throw std::system_error(ENOMEM, std::generic_category());
      --stacks_left;
      return bytes;
    }
  };
};

/// `Program`, with no stacks but those that its scheduler has from the start.
template <template <class> class Program>
struct without_stacks {
  template <class M>
  struct on : Program<M> {
    on() { stacks_left = std::numeric_limits<unsigned>::max(); }

    void operator()(auto& scheduler) {
      stacks_left = 0;
      play(static_cast<Program<M>&>(*this), scheduler);
    }
  };
};

using without_more = mutated<few_stacks<relacy_machine>>;
constexpr cast three{.workers = 3};

std::vector<matrix> matrices() {
  using o = fibers::fiber_steps;
  using enum operation;
  using namespace programs;
  using stealing = continuation_stealing::scheduler_on<asymmetric>;
  using leaves = busy_leaves::scheduler_on<asymmetric>;
  using ordered = depth_first::scheduler_on<asymmetric>;
  const std::vector<trial> trials{
      script<leaves, start_and_stop>("start_and_stop (busy-leaves)"),
      script<leaves, forks>("forks (busy-leaves)"),
      script<leaves, group>("group (busy-leaves)"),
      script<leaves, first_throws>("first_throws (busy-leaves)"),
      script<leaves, child_throws>("child_throws (busy-leaves)"),
      script<leaves, fork_meets>("fork_meets (busy-leaves)"),
      script<leaves, fork_meets_twice>("fork_meets_twice (busy-leaves)"),
      script<leaves, three_meet_in_a_chain, three>("three_meet_in_a_chain (busy-leaves)"),
      script<depth_first::scheduler_on<without_more>, without_stacks<fork_tree>::on>(
          "fork_tree without stacks (depth-first)"),
      script<ordered, three_meet_in_a_chain, three>("three_meet_in_a_chain (depth-first)"),
      script<stealing, fork_meets>("fork_meets (continuation-stealing)"),
      script<continuation_stealing::scheduler_on<symmetric>, fork_meets>(
          "fork_meets_symmetric (continuation-stealing)"),
  };
  return {matrix_of_search("search of fibers", trials),
          matrix_of<o>(
              "fibers", "schedulers/fibers/steps.hpp", fibers::all_steps,
              {
                  {"wake_for_resumed", &o::wake_for_resumed, step, "wake_idle, stop_search"},
                  {"await_when_first_throws", &o::await_when_first_throws, step, "the join"},
                  {"run_own_without_stack", &o::run_own_without_stack, step, "the join"},
                  {"go_on_behind_branch", &o::go_on_behind_branch, step, "the latch's set"},
                  {"go_on_behind_child", &o::go_on_behind_child, step, "the counter's arrive"},
                  {"go_on_behind_fork", &o::go_on_behind_fork, step, "the latch's register_done"},
                  {"go_on_behind_sync", &o::go_on_behind_sync, step, "the counter's add"},
                  {"count_stolen", &o::count_stolen, step, "the sync"},
                  {"keep_error", &o::keep_error, step, "the sync"},
                  {"flag_before_token", &o::flag_before_token, step, "wake_for_root"},
                  {"wake_for_root", &o::wake_for_root, step, "flag_before_token"},
              },
              trials,
              {
                  {"wake_for_resumed", "left out", justification::equivalent,
                   "What comes before the fiber is ready, and a worker looks for it or has been "
                   "woken for it: that one finds the fiber, as the caller takes the other. Shipped "
                   "as it costs nothing, and the argument needs every other wake-up."},
              })};
}

template <template <class> class Scheduler>
void add_checks(const std::string& prefix, std::vector<check>& all) {
  using namespace programs;
  using shipped = Scheduler<relacy_machine>;
  using limited = Scheduler<few_stacks<relacy_machine>>;
  const std::vector<search> searches{bound(1), random(20'000)};
  all.push_back(plays<limited, without_stacks<fork_tree>::template on>(
      prefix + "_fork_tree_without_stacks", searches));
  all.push_back(plays<limited, without_stacks<fork_tree>::template on, three>(
      prefix + "_fork_tree_3_without_stacks", {random(20'000)}));
  all.push_back(plays<limited, without_stacks<group>::template on>(prefix + "_group_without_stacks",
                                                                   searches));
  all.push_back(plays<limited, without_stacks<child_throws>::template on>(
      prefix + "_child_throws_without_stacks", searches));
  all.push_back(plays<shipped, fork_tree>(prefix + "_fork_tree", searches));
  all.push_back(
      plays<shipped, meet_behind_a_join, three>(prefix + "_meet_behind_a_join", {random(50'000)}));
  all.push_back(plays<shipped, group, three>(prefix + "_group_3", {random(20'000)}));
}

}  // namespace

suites all_suites() {
  std::vector<check> all;
  add_checks<continuation_stealing::scheduler_on>("continuation_stealing", all);
  add_checks<busy_leaves::scheduler_on>("busy_leaves", all);
  add_checks<depth_first::scheduler_on>("depth_first", all);
  return {std::move(all), matrices()};
}

}  // namespace stealbench::verify
