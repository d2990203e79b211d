// What each program on graphs adds to what is tested of all (catalogue_test.cpp, charge_test.cpp).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/graphs/bfs/bfs.hpp"
#include "workloads/graphs/taskbench/taskbench.hpp"
#include "workloads/graphs/wavefront/wavefront.hpp"
#include "workloads/kit/random.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::bfs {
namespace {

/// Edges of vertex names, in rows as `graph` has them.
graph graph_of(std::size_t vertices, const std::vector<std::pair<vertex, vertex>>& edges) {
  graph rows{.first = {0}, .targets = {}};
  for (vertex each = 0; each < vertices; ++each) {
    for (const auto& [source, target] : edges) {
      if (source == each) rows.targets.push_back(target);
      if (target == each) rows.targets.push_back(source);
    }
    rows.first.push_back(rows.targets.size());
  }
  return rows;
}

workload::input input_of(graph edges, vertex root, std::size_t grain) {
  const std::uint64_t vertices = edges.vertex_count();
  workload::input in{.edges = std::move(edges),
                     .root = root,
                     .grain = grain,
                     .state = search_state(vertices),
                     .expected = {}};
  workload::reset(in);
  return in;
}

TEST(Bfs, FindsTheDistancesOfASmallGraph) {
  // A square with a tail, and two vertices that cannot be reached.
  const graph edges = graph_of(7, {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {2, 4}, {5, 6}});
  for (const std::size_t grain : {1U, 2U, 100U}) {
    workload::input in = input_of(edges, 0, grain);
    const workload::output out = workload::run(serial::worker{}, in);
    EXPECT_EQ(in.state.distance, (std::vector<std::uint32_t>{0, 1, 2, 1, 3, unreached, unreached}));
    EXPECT_EQ(out.reached, 5u);
    EXPECT_EQ(out.levels, 4u);
    EXPECT_EQ(out.scanned, 10u);
    EXPECT_EQ(workload::verify(in, out), true);
  }
}

TEST(Bfs, FindsTheLevelsOfAStarThatOverflowsABlocksOwnRoom) {
  std::vector<std::pair<vertex, vertex>> edges;
  for (vertex leaf = 1; leaf < 1000; ++leaf) edges.emplace_back(0, leaf);
  workload::input in = input_of(graph_of(1000, edges), 7, 8);
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(out.reached, 1000u);
  EXPECT_EQ(out.levels, 3u);
  EXPECT_EQ(workload::verify(in, out), true);
}

TEST(Bfs, NoticesAParentThatIsNoNeighbourOrNoNearerToTheRootAndWrongSums) {
  workload::input in = input_of(graph_of(5, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 4}}), 0, 1);
  const workload::output out = workload::run(serial::worker{}, in);
  for (const auto& [child, wrong] : {std::pair<vertex, vertex>{3, 2}, {1, 2}}) {
    ASSERT_EQ(workload::verify(in, out), true);
    const vertex right = std::exchange(in.state.parent[child], wrong);
    EXPECT_EQ(workload::verify(in, out), false) << child;
    in.state.parent[child] = right;
  }
  workload::output wrong = out;
  ++wrong.reached;
  EXPECT_EQ(workload::verify(in, wrong), false);
  wrong = out;
  wrong.scanned += 3;  // A block that was searched twice.
  EXPECT_EQ(workload::verify(in, wrong), false);
}

TEST(Bfs, AnswersWithWhatItHasSeen) {
  // Levels of one, three and one vertices.
  workload::input in = input_of(graph_of(6, {{1, 0}, {1, 2}, {1, 3}, {3, 4}}), 1, 2);
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::answer(in, out).dump(), R"({"root":1,"reached":5,"levels":3,"scanned":8})");
}

TEST(RmatGraph, HoldsEveryEdgeAtBothEndsAndNoLoops) {
  const graph drawn = rmat_graph({.scale = 7, .edge_factor = 6, .seed = 3});
  ASSERT_EQ(drawn.vertex_count(), 128u);
  EXPECT_EQ(drawn.first.front(), 0u);
  EXPECT_EQ(drawn.first.back(), drawn.targets.size());
  EXPECT_LE(drawn.targets.size(), 2u * 6 * 128);
  EXPECT_GT(drawn.targets.size(), 6u * 128);
  for (vertex source = 0; source < 128; ++source) {
    for (const vertex target : drawn.neighbours(source)) {
      EXPECT_NE(source, target);
      const auto there = drawn.neighbours(source);
      const auto back = drawn.neighbours(target);
      EXPECT_EQ(std::count(there.begin(), there.end(), target),
                std::count(back.begin(), back.end(), source));
    }
  }
}

TEST(RmatGraph, DrawsEdgesBetweenTwoVerticesAsOftenAsGraph500Says) {
  // Two vertices are joined by the two quadrants of 0.19, and each edge is in both their rows. The
  // other quadrants hold edges from a vertex to itself, which are dropped.
  constexpr std::uint64_t edge_factor = 1 << 14;
  const graph drawn = rmat_graph({.scale = 1, .edge_factor = edge_factor, .seed = 1});
  const double edges = 2 * edge_factor;
  EXPECT_NEAR(static_cast<double>(drawn.targets.size()), 2 * 0.38 * edges,
              2 * 5 * std::sqrt(edges * 0.38 * 0.62))
      << "five standard deviations";
}

TEST(RmatGraph, HasAFewVerticesOfVeryHighDegree) {
  const graph drawn = rmat_graph({.scale = 12, .edge_factor = 16, .seed = 1});
  std::uint64_t greatest = 0;
  for (vertex each = 0; each < drawn.vertex_count(); ++each) {
    greatest = std::max<std::uint64_t>(greatest, drawn.neighbours(each).size());
  }
  EXPECT_GT(greatest, 20 * drawn.targets.size() / drawn.vertex_count()) << "the mean degree is 32";
}

}  // namespace
}  // namespace stealbench::bfs

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

TEST(TaskBenchGraph, HasTheInputsOfItsPattern) {
  using enum pattern_kind;
  EXPECT_EQ(inputs_of(stencil_1d, 1, 0), (points{0, 1}));
  EXPECT_EQ(inputs_of(stencil_1d, 1, 3), (points{2, 3, 4}));
  EXPECT_EQ(inputs_of(stencil_1d, 1, 7), (points{6, 7}));
  // A butterfly of doubling distances, from the start again after the longest.
  EXPECT_EQ(inputs_of(fft, 1, 3), (points{2, 3, 4}));
  EXPECT_EQ(inputs_of(fft, 2, 3), (points{1, 3, 5}));
  EXPECT_EQ(inputs_of(fft, 3, 3), (points{3, 7}));
  EXPECT_EQ(inputs_of(fft, 4, 3), (points{2, 3, 4}));
  EXPECT_EQ(inputs_of(fft, 1, 0, 1), (points{0})) << "a single point";
  EXPECT_EQ(inputs_of(pattern_kind::tree, 2, 3), (points{1}));
  EXPECT_EQ(inputs_of(nearest, 1, 4), (points{2, 3, 4, 5, 6}));
  EXPECT_EQ(inputs_of(nearest, 1, 0), (points{0, 1, 2}));
  EXPECT_EQ(inputs_of(all_to_all, 1, 4).size(), 8u);
  EXPECT_EQ(inputs_of(trivial, 1, 3), (points{}));
  std::size_t drawn = 0;
  for (std::uint64_t step = 1; step <= 1'000; ++step) {
    drawn += inputs_of(random_nearest, step, 4).size();
  }
  EXPECT_NEAR(static_cast<double>(drawn) / 1'000, 2, 0.2) << "itself, and a quarter of four";
}

TEST(TaskBenchGraph, HasATreeThatDoublesUpToTheWidth) {
  const graph tree{.pattern = pattern_kind::tree, .width = 6, .steps = 9, .radix = 1, .seed = 1};
  EXPECT_EQ(tree.width_at(0), 1u);
  EXPECT_EQ(tree.width_at(2), 4u);
  EXPECT_EQ(tree.width_at(3), 6u);
  EXPECT_EQ(tree.width_at(64), 6u) << "2^64 does not fit";
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
    in.expected = in.tallies;  // As if the sequential version had lost it too.
    EXPECT_EQ(workload::verify(in, {}), lost != 0) << lost;
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

namespace stealbench::wavefront {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

/// By the definition, with the whole table.
std::uint32_t longest_common(const std::vector<std::uint8_t>& a,
                             const std::vector<std::uint8_t>& b) {
  std::vector<std::vector<std::uint32_t>> length(a.size() + 1,
                                                 std::vector<std::uint32_t>(b.size() + 1, 0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      length[i + 1][j + 1] =
          a[i] == b[j] ? length[i][j] + 1 : std::max(length[i][j + 1], length[i + 1][j]);
    }
  }
  return length[a.size()][b.size()];
}

TEST(Wavefront, FindsTheLengthOfTheDefinitionInEitherOrder) {
  for (const char* order : {"quadrants", "diagonals"}) {
    for (const char* blocks : {"1", "2", "8"}) {
      for (const char* block : {"1", "2", "3", "17"}) {
        workload::input in = prepared({{"order", order}, {"blocks", blocks}, {"block", block}});
        const workload::output out = workload::run(serial::worker{}, in);
        EXPECT_EQ(out, longest_common(in.cells.down, in.cells.across))
            << order << ", " << blocks << " blocks of " << block;
        EXPECT_EQ(workload::verify(in, out), true);
      }
    }
  }
}

TEST(Wavefront, FindsThePublishedShareOfRandomLetters) {
  workload::input in = prepared({{"blocks", "16"}, {"block", "256"}});
  const workload::output out = workload::run(serial::worker{}, in);
  // Chvatal & Sankoff's constant of four letters is 0.654; finite strings lie a little below it.
  EXPECT_NEAR(out / 4096.0, 0.65, 0.01);
}

TEST(Wavefront, NoticesABlockThatWasFilledTooEarly) {
  workload::input in = prepared({{"blocks", "4"}, {"block", "16"}});
  for (std::size_t row = 0; row < 4; ++row) {
    // The last two columns of each row the wrong way round.
    for (const std::size_t column : {0U, 1U, 3U, 2U}) fill_block(in.cells, row, column);
  }
  EXPECT_EQ(workload::verify(in, in.cells.above.back()), false);
}

TEST(Wavefront, NoticesAWrongLengthAndALostBlockInTheCornerThatTheLengthDoesNotNeed) {
  workload::input in = prepared({{"blocks", "4"}, {"block", "16"}});
  const workload::output out = workload::run(serial::worker{}, in);
  ASSERT_EQ(workload::verify(in, out), true);
  EXPECT_EQ(workload::verify(in, out + 1), false);
  in.cells.digest[3] = 0;
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Wavefront, RefusesBlocksThatCannotBeHalved) {
  for (const char* blocks : {"0", "3", "12"}) {
    EXPECT_THROW(prepared({{"blocks", blocks}}), kit::bad_input) << blocks;
  }
  try {
    prepared({{"blocks", "12"}});
  } catch (const kit::bad_input& error) {
    EXPECT_NE(std::string(error.what()).find("8 or 16"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace stealbench::wavefront
