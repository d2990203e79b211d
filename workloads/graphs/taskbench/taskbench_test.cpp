#include "workloads/graphs/taskbench/taskbench.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/kit/random.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::taskbench {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

using points = std::vector<std::uint64_t>;

points inputs_of(pattern_kind pattern, std::uint64_t step, std::uint64_t point,
                 std::uint64_t width = 8) {
  const graph tasks{.pattern = pattern, .width = width, .steps = 10, .radix = 5, .seed = 1};
  points found;
  tasks.for_each_input(step, point, [&](std::uint64_t each) { found.push_back(each); });
  return found;
}

TEST(TaskBenchGraph, HasTheStencilOfOneNeighbourOnEitherSide) {
  EXPECT_EQ(inputs_of(pattern_kind::stencil_1d, 1, 0), (points{0, 1}));
  EXPECT_EQ(inputs_of(pattern_kind::stencil_1d, 1, 3), (points{2, 3, 4}));
  EXPECT_EQ(inputs_of(pattern_kind::stencil_1d, 1, 7), (points{6, 7}));
}

TEST(TaskBenchGraph, HasAButterflyOfDoublingDistances) {
  EXPECT_EQ(inputs_of(pattern_kind::fft, 1, 3), (points{2, 3, 4}));
  EXPECT_EQ(inputs_of(pattern_kind::fft, 2, 3), (points{1, 3, 5}));
  EXPECT_EQ(inputs_of(pattern_kind::fft, 3, 3), (points{3, 7}));
  EXPECT_EQ(inputs_of(pattern_kind::fft, 4, 3), (points{2, 3, 4})) << "from the start again";
  EXPECT_EQ(inputs_of(pattern_kind::fft, 1, 0, 1), (points{0})) << "a single point";
}

TEST(TaskBenchGraph, HasATreeThatDoublesUpToTheWidth) {
  const graph tree{.pattern = pattern_kind::tree, .width = 6, .steps = 9, .radix = 1, .seed = 1};
  EXPECT_EQ(tree.width_at(0), 1u);
  EXPECT_EQ(tree.width_at(2), 4u);
  EXPECT_EQ(tree.width_at(3), 6u);
  EXPECT_EQ(tree.width_at(1'000), 6u);
  EXPECT_EQ(inputs_of(pattern_kind::tree, 2, 3), (points{1}));
}

TEST(TaskBenchGraph, HasWindowsOfTheRadix) {
  EXPECT_EQ(inputs_of(pattern_kind::nearest, 1, 4), (points{2, 3, 4, 5, 6}));
  EXPECT_EQ(inputs_of(pattern_kind::nearest, 1, 0), (points{0, 1, 2}));
  EXPECT_EQ(inputs_of(pattern_kind::all_to_all, 1, 4).size(), 8u);
  std::size_t drawn = 0;
  for (std::uint64_t step = 1; step <= 1'000; ++step) {
    drawn += inputs_of(pattern_kind::random_nearest, step, 4).size();
  }
  EXPECT_NEAR(static_cast<double>(drawn) / 1'000, 2, 0.2) << "itself, and a quarter of four";
}

TEST(TaskBenchGraph, HasIndependentTasks) {
  EXPECT_EQ(inputs_of(pattern_kind::trivial, 1, 3), (points{}));
}

TEST(TaskBench, RunsEveryTaskOnceOnEveryPatternAndWidth) {
  for (const char* pattern :
       {"stencil_1d", "fft", "tree", "all_to_all", "nearest", "random_nearest", "trivial"}) {
    for (const char* width : {"1", "2", "7", "20"}) {
      workload::input in =
          prepared({{"pattern", pattern}, {"width", width}, {"steps", "9"}, {"iterations", "1"}});
      const workload::output out = workload::run(serial::worker{}, in);
      EXPECT_EQ(workload::verify(in, out), true) << pattern << " " << width;
      EXPECT_EQ(workload::answer(in, out)["wrong_inputs"], 0) << pattern << " " << width;
    }
  }
}

TEST(TaskBench, IteratesInEachOf64LanesFromWhatIsCarried) {
  std::uint64_t sum = 7;
  for (std::uint32_t lane = 7; lane < 7 + 64; ++lane) {
    std::uint32_t each = lane;
    for (int i = 0; i < 3; ++i) each = each * 1'664'525 + 1'013'904'223;
    sum += each;
  }
  EXPECT_EQ(kernel(7, 3), kit::mixed(sum));
}

TEST(TaskBench, NoticesALostTask) {
  // The second half of a tree is read by no task: the tally alone knows.
  for (const std::uint64_t lost : {0U, 7U}) {
    workload::input in =
        prepared({{"pattern", "tree"}, {"width", "8"}, {"steps", "6"}, {"iterations", "1"}});
    for (std::uint64_t step = 0; step < 6; ++step) {
      for (std::uint64_t point = 0; point < in.tasks.width_at(step); ++point) {
        if (step != 4 || point != lost) workload::run_task(in, step, point);
      }
    }
    EXPECT_EQ(workload::verify(in, {}), false) << lost;
    EXPECT_EQ(workload::answer(in, {})["wrong_inputs"], lost == 0 ? 2 : 0);
  }
}

TEST(TaskBench, AnswersWithTheSumsOverItsPoints) {
  workload::input in = prepared({{"width", "2"}});
  in.tallies = {{.tasks = 1, .inputs = 20, .wrong_inputs = 300, .values = 4000},
                {.tasks = 5, .inputs = 60, .wrong_inputs = 700, .values = 8000}};
  EXPECT_EQ(workload::answer(in, {}).dump(),
            R"({"tasks":6,"inputs":80,"wrong_inputs":1000,"values":12000})");
}

}  // namespace
}  // namespace stealbench::taskbench
