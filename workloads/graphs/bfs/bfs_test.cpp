#include "workloads/graphs/bfs/bfs.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedulers/serial/scheduler.hpp"
#include "workloads/prepared_fixture.hpp"

namespace stealbench::bfs {
namespace {

constexpr auto& prepared = workloads::prepared<workload>;

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

TEST(Bfs, NoticesAParentThatIsNotANeighbour) {
  workload::input in = input_of(graph_of(5, {{0, 1}, {0, 2}, {1, 3}, {2, 4}}), 0, 1);
  const workload::output out = workload::run(serial::worker{}, in);
  ASSERT_EQ(workload::verify(in, out), true);
  in.state.parent[3] = 2;
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Bfs, NoticesAParentThatIsNoNearerToTheRoot) {
  workload::input in = input_of(graph_of(3, {{0, 1}, {0, 2}, {1, 2}}), 0, 1);
  const workload::output out = workload::run(serial::worker{}, in);
  ASSERT_EQ(workload::verify(in, out), true);
  in.state.parent[1] = 2;
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Bfs, NoticesAWrongNumberOfVertices) {
  workload::input in = prepared({{"scale", "8"}});
  workload::output out = workload::run(serial::worker{}, in);
  ++out.reached;
  EXPECT_EQ(workload::verify(in, out), false);
}

TEST(Bfs, AnswersWithWhatItHasSeen) {
  // Levels of one, three and one vertices.
  workload::input in = input_of(graph_of(6, {{1, 0}, {1, 2}, {1, 3}, {3, 4}}), 1, 2);
  const workload::output out = workload::run(serial::worker{}, in);
  EXPECT_EQ(workload::answer(in, out).dump(), R"({"root":1,"reached":5,"levels":3,"scanned":8})");
}

TEST(Bfs, NoticesABlockThatWasSearchedTwice) {
  workload::input in = prepared({{"scale", "8"}});
  workload::output out = workload::run(serial::worker{}, in);
  ASSERT_EQ(workload::verify(in, out), true);
  out.scanned += 3;
  EXPECT_EQ(workload::verify(in, out), false);
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
