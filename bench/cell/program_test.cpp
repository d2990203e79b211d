// The executable of work-stealing holds all of its types; these are linked here as they are there.
#include "bench/cell/program.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

#include <gtest/gtest.h>

#include "bench/cell/cell.hpp"
#include "bench/cell/once.hpp"
#include "schedulers/variant.hpp"
#include "schedulers/work_stealing/every_deque.hpp"
#include "schedulers/work_stealing/policy.hpp"
#include "schedulers/work_stealing/scheduler.hpp"
#include "workloads/kit/parameters.hpp"
#include "workloads/recursive/fib/fib.hpp"

namespace stealbench::cell {
namespace {

schedulers::variant set(const std::string& settings) {
  return {"work-stealing", settings_of_scheduler(), settings};
}
schedulers::variant deque(const std::string& word) { return set("deque=" + word); }

constexpr std::size_t stack_mib = 1;

const kit::parameters& small_fib() {
  static const kit::parameters chosen(fib::workload::describe(), {{"n", "12"}});
  return chosen;
}

program fib_on(const schedulers::variant& chosen) {
  for (const program& each : strategy_of(chosen).programs()) {
    if (each.description.name == "fib") return each;
  }
  throw std::logic_error("the catalogue has no fib");
}

/// Whether the programs of the variant are those of this type.
template <class Scheduler>
void expect_type(const schedulers::variant& chosen) {
  const schedulers::options options = options_of(1, false, stack_mib, chosen);
  const std::unique_ptr<cell> timed = fib_on(chosen).timed(options, small_fib());
  const cell& what = *timed;
  EXPECT_TRUE((typeid(what) == typeid(cell_of<Scheduler, fib::workload>))) << chosen.settings();
  const std::unique_ptr<cell> counting = fib_on(chosen).counting(options, small_fib());
  const cell& counted = *counting;
  using counting_type = typename Scheduler::counting_variant;
  EXPECT_TRUE((typeid(counted) == typeid(cell_of<counting_type, fib::workload>)));
}

TEST(Programs, EveryDequeIsLinkedOnce) {
  const std::vector<std::string> deques = settings_of_scheduler().front().words();
  EXPECT_EQ(strategies().size(), deques.size());
  for (const std::string& word : deques) EXPECT_EQ(strategy_of(deque(word)).deque, word);
  EXPECT_EQ(scheduler_name(), "work-stealing");
}

template <class... Deques>
struct each_of {
  static void is_the_type_of_its_word() {
    (expect_type<work_stealing::scheduler_over<Deques>>(deque(std::string(Deques::name))), ...);
  }
};

TEST(Programs, AVariantRunsOnTheTypeThatItsDequeNames) {
  expect_type<work_stealing::scheduler>(schedulers::variant(settings_of_scheduler()));
  work_stealing::deques::every<each_of>::is_the_type_of_its_word();
}

TEST(Programs, TheirDescriptionIsReadAsItIsWritten) {
  const self_description described = describe();
  EXPECT_EQ(described.scheduler, "work-stealing");
  EXPECT_EQ(described.library, "in-house");
  EXPECT_EQ(described.settings, settings_of_scheduler());
  EXPECT_NE(std::ranges::find(described.counters, "steals"), described.counters.end());
  EXPECT_EQ(parse_description(json_of(described).dump()), described);
}

}  // namespace
}  // namespace stealbench::cell
