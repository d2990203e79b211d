// A tree search of your own: a knight walks from a corner of a board with three rows, and no walk
// visits a square twice. Each walk is a node of the tree, and those that are one step longer are
// its children. Nothing tells how many are below a node before it has been searched.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include <stealbench/workloads/workload.hpp>

namespace mine {

namespace kit = stealbench::kit;

struct search : stealbench::workloads::defaults<search> {
  struct input {
    int columns;
    unsigned cutoff;
  };
  using output = std::uint64_t;

  static kit::description describe() {
    return kit::described(R"(
my_search: count the walks of a knight over three rows of squares, each visited at most once
unit: walk
columns=11 (1 to 12): columns of the board; each further one takes 6 times as long
cutoff=12 (0 to 36): longest walk, in steps, whose next steps are tasks
grain: cutoff, 0 to 16, levels of forks
sizes: columns=6 | columns=9 | columns=11 | columns=12
)");
  }
  static input prepare(const kit::parameters& chosen) {
    return {static_cast<int>(chosen.integer("columns")), chosen.integer<unsigned>("cutoff")};
  }

  template <class Worker>
  static output run(Worker worker, const input& in) {
    return count(worker, walk{.columns = in.columns}, in.cutoff);
  }
  static output sequential(const input& in) { return count(walk{.columns = in.columns}); }

 private:
  struct walk {
    int columns;
    int row = 0;
    int column = 0;
    std::uint64_t visited = 1;  ///< A bit for each square.

    /// Calls `then(walk)` for each walk that is one step longer, at most eight.
    template <class Then>
    void for_each_step(const Then& then) const {
      constexpr int ways[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                  {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
      for (const auto& [down, right] : ways) {
        const int r = row + down;
        const int c = column + right;
        if (r < 0 || r >= 3 || c < 0 || c >= columns) continue;
        const std::uint64_t square = std::uint64_t{1} << (r * columns + c);
        if ((visited & square) == 0) then(walk{columns, r, c, visited | square});
      }
    }
  };

  /// The walks that begin with this one, itself among them.
  static std::uint64_t count(const walk& here) {
    std::uint64_t walks = 1;
    here.for_each_step([&](const walk& next) { walks += count(next); });
    return walks;
  }

  template <class Worker>
  static std::uint64_t count(Worker worker, const walk& here, unsigned cutoff) {
    if (cutoff == 0) {
      const std::uint64_t walks = count(here);
      kit::charge(worker, walks);  // No code but in simulated time and in `stealbench explain`.
      return walks;
    }
    kit::charge(worker, 1);
    // Above the group, so that it outlives the children, also when an exception leaves this frame.
    std::array<std::uint64_t, 8> walks{};
    std::size_t used = 0;
    auto group = worker->task_group();
    here.for_each_step([&](const walk& next) {
      group.spawn([place = &walks[used++], next, cutoff](Worker self) {
        *place = count(self, next, cutoff - 1);
      });
    });
    group.sync();
    return std::accumulate(walks.begin(), walks.end(), std::uint64_t{1});
  }
};

static_assert(stealbench::workloads::workload<search>);

}  // namespace mine
