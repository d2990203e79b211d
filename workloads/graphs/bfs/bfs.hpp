// Breadth-first search of a power-law graph, level by level. A loop over the vertices of a level
// finds those of the next; a few vertices have thousands of neighbours and most have a handful, so
// the blocks of the loop are uneven, and the levels are few: small, huge, and small again.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "workloads/workload.hpp"

namespace stealbench::bfs {

using vertex = std::uint32_t;

/// An undirected graph in compressed rows: each edge is in the rows of both its ends.
struct graph {
  std::vector<std::uint64_t> first;  ///< Where the row of each vertex begins; one more at the end.
  std::vector<vertex> targets;

  [[nodiscard]] std::uint64_t vertex_count() const { return first.size() - 1; }
  [[nodiscard]] std::span<const vertex> neighbours(vertex v) const {
    return std::span(targets).subspan(first[v], first[v + 1] - first[v]);
  }
};

struct rmat_law {
  unsigned scale;             ///< 2^scale vertices; at most 31.
  std::uint64_t edge_factor;  ///< Edges drawn for each vertex.
  std::uint64_t seed;
};

/// Bytes that making the graph takes at most, of which half stay.
[[nodiscard]] std::uint64_t rmat_bytes(std::uint64_t scale, std::uint64_t edge_factor);

/// An R-MAT graph (Chakrabarti, Zhan & Faloutsos, "R-MAT: a recursive model for graph mining", SDM
/// 2004) with the probabilities of Graph500: 0.57, 0.19, 0.19 and 0.05 for the quadrants of the
/// matrix. The vertices are then renamed at random, so that their degrees do not follow from their
/// names. Edges from a vertex to itself are dropped; edges that are drawn twice stay.
[[nodiscard]] graph rmat_graph(const rmat_law& law);

inline constexpr vertex no_vertex = std::numeric_limits<vertex>::max();
inline constexpr std::uint32_t unreached = std::numeric_limits<std::uint32_t>::max();

/// How far a search is: the vertices found, and those of the last two levels.
struct search_state {
  explicit search_state(std::uint64_t vertices);

  /// Forgets all but the root, which is the only vertex of the frontier.
  void start(vertex root);

  std::vector<vertex> parent;           ///< Of the root itself; `no_vertex` where not reached.
  std::vector<std::uint32_t> distance;  ///< Edges from the root.
  std::vector<vertex> frontier;         ///< The level that is searched, from its beginning.
  std::vector<vertex> next;             ///< The level that is found.
};

/// What a search has seen.
struct search_sums {
  std::uint64_t reached;  ///< Vertices, with the root.
  std::uint64_t scanned;  ///< Neighbours looked at; an edge counts at each end.
  std::uint32_t levels;   ///< With the root's own.
  std::uint64_t pieces;   ///< Of all loops.
};

/// The same search one vertex after the other, with `frontier` as its queue; no pieces. Requires: a
/// state that has just been started.
search_sums plain_search(const graph& in, search_state& state);

/// What the blocks of a level add up to. Their order is not determined; the sums are.
struct alignas(64) level_sums {
  std::atomic<std::uint64_t> found{0};    ///< Vertices in `next`.
  std::atomic<std::uint64_t> scanned{0};  ///< Neighbours looked at.
};

/// A part of the frontier: the block of `grain` vertices with this index, of `size` in all.
struct block {
  std::size_t index;
  std::size_t grain;
  std::size_t size;
};

/// Looks at all neighbours of the block's vertices; those that it is the first to find it claims,
/// places at `distance` and appends to the next level.
void search_block(const graph& in, search_state& state, level_sums& sums, block part,
                  std::uint32_t distance);

struct workload {
  struct input {
    graph edges;
    vertex root;
    std::size_t grain;
    search_state state;
    mutable std::vector<std::uint32_t> expected;  ///< Distances; empty until asked for.
  };
  using output = search_sums;

  static kit::description describe() { return kit::description_of("bfs"); }
  static input prepare(const kit::parameters& chosen);
  static void reset(input& in) { in.state.start(in.root); }

  template <class Worker>
  static output run(Worker worker, input& in) {
    output out{.reached = 1, .scanned = 0, .levels = 1, .pieces = 0};
    for (std::size_t size = 1; size > 0;) {
      level_sums sums;
      const std::size_t blocks = (size + in.grain - 1) / in.grain;
      const std::uint32_t distance = out.levels;
      worker->parallel_for(
          std::size_t{0}, blocks, std::size_t{1},
          [&in, &sums, size, distance](Worker, std::size_t index) {
            search_block(in.edges, in.state, sums, {index, in.grain, size}, distance);
          });
      // The join has ordered all that the blocks wrote before this.
      size = sums.found.load(std::memory_order_relaxed);
      std::swap(in.state.frontier, in.state.next);
      out.reached += size;
      out.scanned += sums.scanned.load(std::memory_order_relaxed);
      out.pieces += kit::pieces_of_loop(blocks, 1);
      ++out.levels;
    }
    --out.levels;  // The last one was empty.
    return out;
  }

  static output sequential(input& in) { return plain_search(in.edges, in.state); }
  static void corrupt(input& in, output& out);
  /// The distances are the serial program's, each parent is a neighbour one level nearer to the
  /// root, and each row was looked at once. O(edges).
  static std::optional<bool> verify(const input& in, const output& out);
  static nlohmann::ordered_json answer(const input& in, const output& out);

  static std::uint64_t fork_count(const input& /*unused*/, const output& out) { return out.pieces; }
};

}  // namespace stealbench::bfs
