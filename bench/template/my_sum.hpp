// A workload of your own: how many steps the numbers from 1 to n take to 1, if an even one is
// halved and an odd one tripled and increased (Collatz). Forks halve the numbers down to leaves.
#pragma once

#include <cstdint>

#include <stealbench/workloads/workload.hpp>

namespace mine {

namespace kit = stealbench::kit;

struct sum : stealbench::workloads::defaults<sum> {
  struct input {
    std::uint64_t n;
    std::uint64_t leaf;
  };
  using output = std::uint64_t;

  static kit::description describe() {
    return kit::described(R"(
my_sum: the steps that the numbers from 1 to n take to 1 (Collatz), added up
unit: step
n=2^20 (1 to 2^30): numbers
leaf=256 (1 to 2^30): most numbers that a task takes without a fork
grain: leaf, 1 to n
sizes: n=1000 leaf=10 | n=2^16 | n=2^20 | n=2^23
)");
  }
  static input prepare(const kit::parameters& chosen) {
    return {chosen.integer("n"), chosen.integer("leaf")};
  }

  template <class Worker>
  static output run(Worker worker, input& in) {
    return steps_of(worker, 1, in.n + 1, in.leaf);
  }
  static output sequential(input& in) { return steps_of(1, in.n + 1); }

 private:
  static std::uint64_t steps_of(std::uint64_t first, std::uint64_t last) {
    std::uint64_t steps = 0;
    for (; first < last; ++first) {
      for (std::uint64_t i = first; i > 1; ++steps) i = i % 2 == 0 ? i / 2 : 3 * i + 1;
    }
    return steps;
  }

  template <class Worker>
  static std::uint64_t steps_of(Worker worker, std::uint64_t first, std::uint64_t last,
                                std::uint64_t leaf) {
    if (last - first <= leaf) {
      const std::uint64_t steps = steps_of(first, last);
      kit::charge(worker, steps);  // No code but in simulated time and in `stealbench explain`.
      return steps;
    }
    const std::uint64_t middle = first + (last - first) / 2;
    const auto [left, right] =
        worker->fork_join([=](Worker self) { return steps_of(self, first, middle, leaf); },
                          [=](Worker self) { return steps_of(self, middle, last, leaf); });
    return left + right;
  }
};

static_assert(stealbench::workloads::workload<sum>);

}  // namespace mine
