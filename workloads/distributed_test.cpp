// The distributed forms, without a network: whichever way bags are cut, the result is the
// workload's own.
#include "workloads/recursive/integrate/distributed.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "schedulers/cluster/form.hpp"
#include "schedulers/serial/scheduler.hpp"
#include "workloads/all_workloads_fixture.hpp"
#include "workloads/kit/random.hpp"
#include "workloads/prepared_fixture.hpp"
#include "workloads/recursive/knapsack/distributed.hpp"
#include "workloads/recursive/nqueens/distributed.hpp"
#include "workloads/recursive/uts/distributed.hpp"

namespace stealbench::workloads {
namespace {

// NOLINTBEGIN(readability-identifier-naming): GoogleTest shows it as the name of the suite.
template <class Form>
class DistributedForm : public testing::Test {};
// NOLINTEND(readability-identifier-naming)
using forms = testing::Types<integrate::distributed, knapsack::distributed, nqueens::distributed,
                             uts::distributed>;
TYPED_TEST_SUITE(DistributedForm, forms);

/// Two bags in turn, which give each other half of what they have at random times; the result of
/// both.
template <class Form>
typename Form::result search(const typename Form::workload::input& in, std::uint64_t seed) {
  kit::random_stream random(seed);
  typename Form::known known(in);
  std::vector<cluster::bag<typename Form::task>> bags{cluster::bag<typename Form::task>(3),
                                                      cluster::bag<typename Form::task>(1)};
  std::vector<typename Form::result> results(2);
  Form::begin(in, bags.front().stacks().front());
  for (std::size_t mine = 0; !bags[0].empty() || !bags[1].empty(); mine = 1 - mine) {
    cluster::expand_some<Form>(serial::worker{}, in, known, bags[mine], results[mine],
                               1 + random.below(500));
    if (random.below(2) == 0) bags[1 - mine].add(bags[mine].split());
  }
  Form::merge(results.front(), results.back());
  return results.front();
}

TYPED_TEST(DistributedForm, HasTheResultOfTheWorkloadHoweverItIsCut) {
  using workload = typename TypeParam::workload;
  for (const kit::parameters& instance : test_instances<workload>()) {
    const auto in = workload::prepare(instance);
    const auto found = [&in](std::uint64_t seed) { return search<TypeParam>(in, seed); };
    const auto answer = [&in](const typename TypeParam::result& all) {
      return workload::answer(in, TypeParam::output_of(in, all));
    };
    EXPECT_NE(TypeParam::verify(in, found(1)), std::optional(false));
    EXPECT_EQ(answer(found(2)), answer(found(1)));
  }
}

TYPED_TEST(DistributedForm, HasAWrongResultWithoutItsTasks) {
  using workload = typename TypeParam::workload;
  const auto in = prepared<workload>({});
  EXPECT_EQ(TypeParam::verify(in, typename TypeParam::result{}), std::optional(false));
}

/// The result if one of the tasks is expanded another number of times than once; the others are
/// expanded in order.
template <class Form>
typename Form::result faulty_search(const typename Form::workload::input& in, std::uint64_t faulty,
                                    unsigned times) {
  cluster::stack<typename Form::task> tasks;
  typename Form::known known(in);
  typename Form::result found;
  Form::begin(in, tasks);
  for (std::uint64_t expanded = 0; !tasks.empty(); ++expanded) {
    const typename Form::task next = tasks.pop();
    const unsigned left = expanded == faulty ? times : 1;
    for (unsigned time = 0; time < left; ++time) Form::expand(in, known, next, tasks, found);
  }
  return found;
}

template <class Form>
void expect_each_fault_is_noticed(const std::vector<kit::assignment>& chosen, std::uint64_t tasks) {
  const auto in = prepared<typename Form::workload>(chosen);
  ASSERT_EQ(Form::verify(in, faulty_search<Form>(in, tasks, 1)), std::optional(true));
  for (std::uint64_t faulty = 0; faulty < tasks; ++faulty) {
    for (const unsigned times : {0U, 2U}) {
      EXPECT_EQ(Form::verify(in, faulty_search<Form>(in, faulty, times)), std::optional(false))
          << "task " << faulty << " was expanded " << times << " times";
    }
  }
}

TEST(DistributedForms, NoticeEachTaskThatIsLostOrRepeated) {
  expect_each_fault_is_noticed<nqueens::distributed>({{"n", "6"}}, 153);
  expect_each_fault_is_noticed<nqueens::distributed>({{"n", "6"}, {"cutoff", "2"}}, 27);
  // The first ones: at the left end segments are smaller than what rounding changes.
  expect_each_fault_is_noticed<integrate::distributed>({{"bound", "1000"}, {"epsilon", "1e-3"}},
                                                       24);
  for (const char* prune : {"fixed", "shared"}) {
    expect_each_fault_is_noticed<knapsack::distributed>(
        {{"n", "16"}, {"capacity", "450"}, {"prune", prune}}, 100);
  }
}

// A segment has two halves, which are spread over the empty stacks.
TEST(DistributedIntegrate, ExpandsAsManyTasksOfEachStackAsItIsAskedFor) {
  using form = integrate::distributed;
  const auto in = prepared<form::workload>({});
  form::known known(in);
  form::result found;
  cluster::bag<form::task> tasks(4);
  form::begin(in, tasks.stacks().front());
  for (const std::uint64_t expected : {1U, 2U, 4U}) {
    EXPECT_EQ(cluster::expand_some<form>(serial::worker{}, in, known, tasks, found, 1), expected);
  }
  EXPECT_EQ(found.forks, 1U + 2U + 4U);
}

TEST(DistributedKnapsack, ForksAsOftenAsTheWorkload) {
  const auto in = prepared<knapsack::workload>({{"n", "16"}, {"capacity", "450"}});
  const auto own = knapsack::workload::run(serial::worker{}, in);
  EXPECT_EQ(knapsack::distributed::output_of(in, search<knapsack::distributed>(in, 3)).forks,
            own.forks);
}

TEST(DistributedKnapsack, SharesItsIncumbent) {
  const auto in =
      prepared<knapsack::workload>({{"prune", "shared"}, {"n", "16"}, {"capacity", "450"}});
  using form = knapsack::distributed;
  form::known known(in);
  EXPECT_EQ(known.value(), in.greedy);
  cluster::stack<form::task> tasks;
  form::result found;
  const form::task best{.decided = in.items.size(), .room = 0, .value = in.optimum};
  form::expand(in, known, best, tasks, found);
  EXPECT_EQ(known.value(), in.optimum);
  EXPECT_EQ(form::verify(in, search<form>(in, 3)), std::optional(true));
}

}  // namespace
}  // namespace stealbench::workloads
