#include "workloads/graphs/bfs/bfs.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <utility>

#include "workloads/kit/random.hpp"

namespace stealbench::bfs {
namespace {

struct edge {
  vertex source;
  vertex target;
};

/// Descends into one quadrant of the matrix for each bit of the two names.
edge drawn_edge(kit::random_stream& random, unsigned scale) {
  edge drawn{0, 0};
  for (unsigned bit = 0; bit < scale; ++bit) {
    const double u = random.fraction();
    drawn.source = 2 * drawn.source + (u >= 0.76 ? 1 : 0);
    drawn.target = 2 * drawn.target + ((u >= 0.57 && u < 0.76) || u >= 0.95 ? 1 : 0);
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
  graph rows{.first = std::vector<std::uint64_t>(vertices + 2), .targets = {}};
  for (const edge& each : edges) {
    ++rows.first[each.source + std::size_t{2}];
    ++rows.first[each.target + std::size_t{2}];
  }
  std::partial_sum(rows.first.begin(), rows.first.end(), rows.first.begin());
  rows.targets.resize(rows.first.back());
  for (const edge& each : edges) {
    rows.targets[rows.first[each.source + std::size_t{1}]++] = each.target;
    rows.targets[rows.first[each.target + std::size_t{1}]++] = each.source;
  }
  rows.first.pop_back();
  return rows;
}

/// A vertex that has neighbours, if there is one.
vertex drawn_root(const graph& in, std::uint64_t seed) {
  kit::random_stream random(seed + 1);
  const std::uint64_t count = in.vertex_count();
  const std::uint64_t start = random.below(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto candidate = static_cast<vertex>((start + i) % count);
    if (!in.neighbours(candidate).empty()) return candidate;
  }
  return 0;
}

/// Appends to the next level, at a place that no other block gets.
void append(search_state& state, level_sums& sums, std::span<const vertex> found) {
  // Relaxed: the counter hands out places and publishes nothing; the loop's join does that.
  const std::uint64_t place = sums.found.fetch_add(found.size(), std::memory_order_relaxed);
  std::copy(found.begin(), found.end(), state.next.begin() + static_cast<std::ptrdiff_t>(place));
}

bool is_valid_parent(const workload::input& in, vertex child) {
  const vertex parent = in.state.parent[child];
  if (in.state.distance[child] == unreached) return parent == no_vertex;
  if (child == in.root) return parent == child && in.state.distance[child] == 0;
  if (parent >= in.edges.vertex_count()) return false;
  if (in.state.distance[child] != in.state.distance[parent] + 1) return false;
  const std::span<const vertex> row = in.edges.neighbours(child);
  return std::find(row.begin(), row.end(), parent) != row.end();
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
    if (drawn.source != drawn.target) edges.push_back({names[drawn.source], names[drawn.target]});
  }
  return in_rows(edges, vertices);
}

search_state::search_state(std::uint64_t vertices)
    : parent(vertices), distance(vertices), frontier(vertices), next(vertices) {}

void search_state::start(vertex root) {
  std::fill(parent.begin(), parent.end(), no_vertex);
  std::fill(distance.begin(), distance.end(), unreached);
  parent[root] = root;
  distance[root] = 0;
  frontier[0] = root;
}

search_sums plain_search(const graph& in, search_state& state) {
  search_sums out{.reached = 1, .scanned = 0, .levels = 1, .pieces = 0};
  for (std::size_t head = 0; head < out.reached; ++head) {
    const vertex each = state.frontier[head];
    const std::uint32_t distance = state.distance[each] + 1;
    out.levels = distance;
    const std::span<const vertex> row = in.neighbours(each);
    out.scanned += row.size();
    for (const vertex neighbour : row) {
      if (state.parent[neighbour] != no_vertex) continue;
      state.parent[neighbour] = each;
      state.distance[neighbour] = distance;
      state.frontier[out.reached++] = neighbour;
    }
  }
  return out;
}

void search_block(const graph& in, search_state& state, level_sums& sums, block part,
                  std::uint32_t distance) {
  const std::size_t first = part.index * part.grain;
  const std::size_t count = std::min(part.grain, part.size - first);
  std::array<vertex, 256> found;  // Those that have no place in the next level yet.
  std::size_t found_count = 0;
  std::uint64_t scanned = 0;
  for (const vertex each : std::span(state.frontier).subspan(first, count)) {
    const std::span<const vertex> row = in.neighbours(each);
    scanned += row.size();
    for (const vertex neighbour : row) {
      // Relaxed: the exchange decides alone who claims the vertex, and its claimant is the only
      // one to write its distance. Others read that after the loop's join, which orders them.
      const std::atomic_ref<vertex> claim(state.parent[neighbour]);
      vertex claimant = claim.load(std::memory_order_relaxed);
      if (claimant != no_vertex) continue;  // Most are: spares the exchange.
      if (!claim.compare_exchange_strong(claimant, each, std::memory_order_relaxed)) continue;
      state.distance[neighbour] = distance;
      found[found_count++] = neighbour;
      if (found_count == found.size()) {
        append(state, sums, found);
        found_count = 0;
      }
    }
  }
  append(state, sums, std::span(found).first(found_count));
  sums.scanned.fetch_add(scanned, std::memory_order_relaxed);
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t scale = chosen.integer("scale");
  const std::uint64_t edge_factor = chosen.integer("edge_factor");
  kit::require_memory("scale", scale, [=](std::uint64_t exponent) {
    // A state for the run and one for the serial program, whose distances are kept.
    constexpr std::uint64_t for_vertex =
        std::uint64_t{2} * 4 * sizeof(vertex) + sizeof(std::uint32_t);
    return rmat_bytes(exponent, edge_factor) + (for_vertex << exponent);
  });
  const std::uint64_t vertices = std::uint64_t{1} << scale;
  const std::uint64_t seed = chosen.integer("seed");
  input in{.edges = rmat_graph(
               {.scale = static_cast<unsigned>(scale), .edge_factor = edge_factor, .seed = seed}),
           .root = 0,
           .grain = chosen.integer("grain"),
           .state = search_state(vertices),
           .expected = {}};
  in.root = drawn_root(in.edges, seed);
  reset(in);
  return in;
}

void workload::corrupt(input& in, output& out) {
  // A block whose only vertex was lost: the last one found is a leaf of the tree.
  const auto last = std::find(in.state.distance.begin(), in.state.distance.end(), out.levels - 1);
  const auto lost = static_cast<std::size_t>(last - in.state.distance.begin());
  in.state.parent[lost] = no_vertex;
  in.state.distance[lost] = unreached;
  --out.reached;
}

std::optional<bool> workload::verify(const input& in, const output& out) {
  if (in.expected.empty()) {
    search_state serial(in.edges.vertex_count());
    serial.start(in.root);
    plain_search(in.edges, serial);
    in.expected = std::move(serial.distance);
  }
  if (in.state.distance != in.expected) return false;
  std::uint64_t reached = 0;
  std::uint64_t scanned = 0;
  for (std::uint64_t i = 0; i < in.edges.vertex_count(); ++i) {
    const auto each = static_cast<vertex>(i);
    if (!is_valid_parent(in, each)) return false;
    if (in.state.distance[each] == unreached) continue;
    ++reached;
    scanned += in.edges.neighbours(each).size();
  }
  return out.reached == reached && out.scanned == scanned;
}

nlohmann::ordered_json workload::answer(const input& in, const output& out) {
  return {{"root", in.root},
          {"reached", out.reached},
          {"levels", out.levels},
          {"scanned", out.scanned}};
}

}  // namespace stealbench::bfs
