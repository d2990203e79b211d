// What an executable holds is what it is named after. Compiled once for each type.
#include <algorithm>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include <gtest/gtest.h>

#include "bench/cell/cell.hpp"
#include "bench/cell/program.hpp"
#include "schedulers/description.hpp"
#include "schedulers/variant.hpp"
#include "workloads/kit/parameters.hpp"
#include "workloads/recursive/fib/fib.hpp"

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::cell {
namespace {

using scheduler = STEALBENCH_SCHEDULER;

TEST(Programs, TheirExecutableIsNamedAfterTheirSchedulerAndItsDeque) {
  const strategy& linked = linked_strategy();
  EXPECT_EQ(linked.self.scheduler, scheduler::name);
  EXPECT_EQ(linked.deque, schedulers::deque_of<scheduler>());
  const std::string standard(schedulers::variant(linked.self.settings).value_of("deque"));
  std::string name(linked.self.scheduler);
  if (linked.deque != standard) name.append(".").append(linked.deque);
  EXPECT_EQ(name, STEALBENCH_TARGET);
  if (linked.deque.empty()) return;
  const std::vector<std::string> deques = linked.self.settings.front().words();
  EXPECT_EQ(std::ranges::count(deques, linked.deque), 1);
}

template <class Scheduler>
void expect_fib_on(cell_maker make) {
  const kit::parameters chosen(fib::workload::describe(), {{"n", "12"}});
  const std::unique_ptr<cell> subject = make({.workers = 1, .stack_bytes = 1 << 20}, chosen);
  const cell& what = *subject;
  EXPECT_TRUE((typeid(what) == typeid(cell_of<Scheduler, fib::workload>)));
}

template <class Scheduler>
void expect_counting(cell_maker counting) {
  if constexpr (requires { typename Scheduler::counting_variant; }) {
    expect_fib_on<typename Scheduler::counting_variant>(counting);
  } else {
    EXPECT_EQ(counting, nullptr);
  }
}

TEST(Programs, RunOnThisTypeAndAreCountedOnItsCountingVariant) {
  const std::vector<program>& all = linked_strategy().programs;
  const auto found =
      std::ranges::find(all, "fib", [](const program& each) { return each.description.name; });
  ASSERT_NE(found, all.end());
  expect_fib_on<scheduler>(found->timed);
  expect_counting<scheduler>(found->counting);
}

TEST(Programs, TheirDescriptionIsReadAsItIsWritten) {
  const self_description& self = linked_strategy().self;
  EXPECT_EQ(self.library, schedulers::library_of<scheduler>());
  EXPECT_EQ(std::ranges::count(self.counters, "steals"), self.counters.empty() ? 0 : 1);
  const std::string written = nlohmann::json(self).dump();
  EXPECT_EQ(nlohmann::json::parse(written).get<self_description>(), self);
}

}  // namespace
}  // namespace stealbench::cell
