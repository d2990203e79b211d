#include "workloads/graphs/bfs/graph.hpp"

#include <numeric>
#include <utility>

#include "workloads/kit/random.hpp"

namespace stealbench::bfs {
namespace {

struct edge {
  vertex from;
  vertex to;
};

/// Descends into one quadrant of the matrix for each bit of the two names.
edge drawn_edge(kit::random_stream& random, unsigned scale) {
  edge drawn{0, 0};
  for (unsigned bit = 0; bit < scale; ++bit) {
    const double u = random.fraction();
    drawn.from = 2 * drawn.from + (u >= 0.76 ? 1 : 0);
    drawn.to = 2 * drawn.to + ((u >= 0.57 && u < 0.76) || u >= 0.95 ? 1 : 0);
  }
  return drawn;
}

std::vector<vertex> random_names(kit::random_stream& random, std::uint64_t count) {
  std::vector<vertex> names(count);
  std::iota(names.begin(), names.end(), vertex{0});
  for (std::uint64_t left = count; left > 1; --left) {
    std::swap(names[left - 1], names[random.below(left)]);
  }
  return names;
}

/// Sorts the edges by their ends. `first[v + 1]` counts the row of v, then says where its next edge
/// goes, and so ends up as the beginning of the row after it.
graph in_rows(const std::vector<edge>& edges, std::uint64_t vertices) {
  graph made{.first = std::vector<std::uint64_t>(vertices + 2), .targets = {}};
  for (const edge& each : edges) {
    ++made.first[each.from + std::size_t{2}];
    ++made.first[each.to + std::size_t{2}];
  }
  std::partial_sum(made.first.begin(), made.first.end(), made.first.begin());
  made.targets.resize(made.first.back());
  for (const edge& each : edges) {
    made.targets[made.first[each.from + std::size_t{1}]++] = each.to;
    made.targets[made.first[each.to + std::size_t{1}]++] = each.from;
  }
  made.first.pop_back();
  return made;
}

}  // namespace

std::uint64_t rmat_bytes(std::uint64_t scale, std::uint64_t edge_factor) {
  // Each edge as drawn and in two rows; the rows and the names of the vertices.
  constexpr std::uint64_t for_edge = sizeof(edge) + 2 * sizeof(vertex);
  return (edge_factor * for_edge + sizeof(std::uint64_t) + sizeof(vertex)) << scale;
}

graph rmat_graph(const rmat_law& law) {
  const std::uint64_t vertices = std::uint64_t{1} << law.scale;
  kit::random_stream random(law.seed);
  const std::vector<vertex> names = random_names(random, vertices);
  std::vector<edge> edges;
  edges.reserve(law.edge_factor << law.scale);
  for (std::uint64_t i = 0; i < law.edge_factor << law.scale; ++i) {
    const edge drawn = drawn_edge(random, law.scale);
    if (drawn.from != drawn.to) edges.push_back({names[drawn.from], names[drawn.to]});
  }
  return in_rows(edges, vertices);
}

}  // namespace stealbench::bfs
