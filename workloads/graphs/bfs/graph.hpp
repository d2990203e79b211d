// Power-law graphs in compressed rows, made as the Graph500 benchmark makes them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace stealbench::bfs {

using vertex = std::uint32_t;

/// An undirected graph: each edge lies in the rows of both its ends.
struct graph {
  std::vector<std::uint64_t> first;  ///< Where the row of each vertex begins; one more at the end.
  std::vector<vertex> targets;

  [[nodiscard]] std::uint64_t vertex_count() const { return first.size() - 1; }
  [[nodiscard]] std::span<const vertex> neighbours(vertex of) const {
    return std::span(targets).subspan(first[of], first[of + 1] - first[of]);
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

}  // namespace stealbench::bfs
