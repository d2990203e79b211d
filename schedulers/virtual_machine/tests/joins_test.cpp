// What the sync of children costs that another worker has run: a transfer of the line of each slot,
// unless the owner has had time to let it come; and one exchange of the deque's state for all.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/test_machine.hpp"
#include "schedulers/work_stealing/scheduler.hpp"

namespace stealbench::virtual_machine {
namespace {

constexpr std::uint64_t stolen_children = 200;
constexpr std::uint64_t brief_ns = 1'000;
constexpr std::uint64_t lengthy_ns = 1'000'000;

/// Of the sync of `stolen_children` children and a last one, which all are stolen.
struct sync {
  double ns = 0;            ///< From the end of the last child, or of the owner's own work.
  std::uint64_t waits = 0;  ///< For the state of a deque, of both workers.
};

/// The last child takes `last` ns; the owner works for `own` ns before the sync.
sync sync_of_stolen(std::uint64_t last, std::uint64_t own) {
  settings chosen = exactly(2);
  chosen.unit_ns = 1;
  sync result{};
  simulated(chosen, [&] {
    schedulers::options options{
        .workers = 2, .stack_bytes = test_stack_bytes, .idle = schedulers::idle_policy::spin};
    options.own = work_stealing::options{.expose = work_stealing::exposure::always};
    work_stealing::scheduler_on<machine>::counting_variant scheduler(options);
    running.all->await_stillness();
    scheduler.run([&](auto worker) {
      auto group = worker->task_group();
      picoseconds end = 0;
      for (std::uint64_t i = 0; i < stolen_children; ++i)
        group.spawn([](auto) { machine::work(brief_ns); });
      group.spawn([&](auto) {
        machine::work(last);
        end = running.now;
      });
      machine::work(own);
      const picoseconds begin = running.now;
      running.all->begin_window();
      group.sync();
      result.ns = static_cast<double>(running.now - std::max(begin, end)) / 1000;
      for (const line_wait& each : running.all->end_window().lines) {
        if (std::string_view(each.name).starts_with("deques:")) result.waits = each.waits;
      }
    });
    EXPECT_EQ(scheduler.counters().value().jobs_moved, stolen_children + 1);
  });
  return result;
}

TEST(Sync, OfStolenChildrenPaysForTheirSlotsAndOnceForTheDeque) {
  const sync late = sync_of_stolen(brief_ns, 2 * stolen_children * brief_ns);
  EXPECT_GE(late.ns, stolen_children * round_costs.transfer);
  EXPECT_LE(late.ns, 1.2 * stolen_children * round_costs.transfer);
  EXPECT_LE(late.waits, 10U);
}

TEST(Sync, LetsTheSlotsOfStolenChildrenComeWhileItWaits) {
  const sync early = sync_of_stolen(lengthy_ns, stolen_children * brief_ns + lengthy_ns / 2);
  EXPECT_LE(early.ns, 0.2 * stolen_children * round_costs.transfer);
  EXPECT_LE(early.waits, 10U);
}

}  // namespace
}  // namespace stealbench::virtual_machine
