// The serial elision, with what it is offered counted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "schedulers/in_order.hpp"
#include "schedulers/scheduler.hpp"

namespace stealbench::kit {

/// Branches that a loop offers: as many pieces as it may at most be cut into.
[[nodiscard]] constexpr std::uint64_t pieces_of_loop(std::uint64_t indices, std::uint64_t grain) {
  if (indices == 0) return 0;
  return indices < grain ? 1 : indices / grain;
}

/// Runs every branch at once and counts forks, spawns and the pieces of loops: what a workload's
/// fork_count has to say.
template <bool Computes>
struct basic_counting_worker {
  static constexpr bool computes = Computes;  ///< Whether kit::compute has any effect.
  std::uint64_t* branches;

  const basic_counting_worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g) const {
    ++*branches;
    return schedulers::fork_join_in_order(*this, f, g);
  }

  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain, Body&& body) const {
    *branches += pieces_of_loop(last - first, grain);
    for (std::size_t i = first; i < last; ++i) body(*this, i);
  }

  struct group {
    std::uint64_t* branches;

    template <class F>
    void spawn(F&& f) {
      ++*branches;
      std::forward<F>(f)(basic_counting_worker{branches});
    }
    void sync() {}
  };
  [[nodiscard]] group task_group() const { return {branches}; }
};

using counting_worker = basic_counting_worker<true>;
using fork_counter = basic_counting_worker<false>;

static_assert(schedulers::worker<counting_worker>);

/// The forks of a program that takes a worker and computes by kit::compute alone.
template <class Program>
[[nodiscard]] std::uint64_t forks_of(const Program& program) {
  std::uint64_t branches = 0;
  program(fork_counter{&branches});
  return branches;
}

}  // namespace stealbench::kit
