// Whom a rank without tasks asks.
#pragma once

#include <cstdint>
#include <vector>

namespace stealbench::cluster {

enum class balance : std::uint8_t {
  /// One random rank, and then its lifelines, which give later what they do not have now (Saraswat,
  /// Kambadur, Kodali, Grove & Krishnamoorthy, "Lifeline-based Global Load Balancing", PPoPP 2011).
  lifeline,
  /// Random ranks, until one has tasks.
  random,
  /// Rank 0, which expands none: it takes half of every other rank's tasks after each step, and
  /// hands them out.
  master,
};

/// The neighbours of a rank in a hypercube, without those that do not exist. Each rank can be
/// reached from each: by clearing the bits of a rank's number one by one rank 0 is reached over
/// smaller numbers, and by setting them, from the highest on, any rank from it. O(log ranks).
[[nodiscard]] inline std::vector<unsigned> lifelines_of(unsigned rank, unsigned ranks) {
  std::vector<unsigned> all;
  for (unsigned bit = 1; bit < ranks; bit *= 2) {
    if ((rank ^ bit) < ranks) all.push_back(rank ^ bit);
  }
  return all;
}

/// Whom a rank asks for tasks that may come later.
[[nodiscard]] inline std::vector<unsigned> lifelines_in(balance how, unsigned rank,
                                                        unsigned ranks) {
  if (how == balance::lifeline) return lifelines_of(rank, ranks);
  if (how == balance::master && rank != 0) return {0};
  return {};
}

}  // namespace stealbench::cluster
