// A workload of your own: a sum over a loop.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "workloads/workload.hpp"

namespace mine {

namespace kit = stealbench::kit;

struct sum : stealbench::workloads::defaults<sum> {
  struct input {
    std::uint64_t n;
  };
  using output = std::uint64_t;

  static kit::description describe() {
    return kit::described(R"(
my_sum: the sum of the first n numbers, in a loop
n=1000 (1 to 2^20): numbers
sizes: n=10 | n=100 | n=1000 | n=10000
)");
  }
  static input prepare(const kit::parameters& chosen) { return {chosen.integer("n")}; }

  template <class Worker>
  static output run(Worker worker, input& in) {
    std::atomic<std::uint64_t> total = 0;  // A count alone: the end of the loop publishes it.
    worker->parallel_for(std::size_t{0}, in.n, std::size_t{8},
                         [&](Worker, std::size_t i) { total += i; });
    return total;
  }
  static output sequential(input& in) { return in.n * (in.n - 1) / 2; }
};

static_assert(stealbench::workloads::workload<sum>);

}  // namespace mine
