// What a fork costs more when it is called from C++: the workload fib on the scheduler rayon, and
// as a user of rayon writes it in Rust, in turn in the same pool.
#include <array>
#include <chrono>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "bench/costs/times.hpp"
#include "schedulers/rayon/scheduler.hpp"
#include "workloads/recursive/fib/fib.hpp"

int main() {
  using namespace stealbench;
  constexpr unsigned n = 27;
  constexpr int rounds = 30;
  const double forks = static_cast<double>(fib::fib_by_addition(n + 1)) - 1;
  for (const unsigned workers : {1U, 2U}) {
    rayon::scheduler scheduler(schedulers::options{.workers = workers});
    const std::array programs{+[](rayon::scheduler& threads) -> std::uint64_t {
                                return threads.run([](auto worker) { return fib::fib(worker, n); });
                              },
                              +[](rayon::scheduler& threads) -> std::uint64_t {
                                return rayon::stealbench_rayon_fib(threads.threads(), n);
                              }};
    std::array<std::vector<double>, 2> seconds;
    for (int round = -1; round < rounds; ++round) {  // One more to warm up.
      for (std::size_t i = 0; i < programs.size(); ++i) {
        const std::size_t which = round % 2 == 0 ? i : 1 - i;  // No program is always the first.
        const auto begin = std::chrono::steady_clock::now();
        if (programs.at(which)(scheduler) != fib::fib_by_addition(n)) return EXIT_FAILURE;
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        if (round >= 0) seconds.at(which).push_back(taken.count());
      }
    }
    const auto [through_c, in_rust] = seconds;
    const double through_c_ns = 1e9 * costs::median(through_c) / forks;
    const double in_rust_ns = 1e9 * costs::median(in_rust) / forks;
    fmt::print(
        "workers {}: a fork takes {:.1f} ns through C and {:.1f} ns in Rust, {:.2f} times as "
        "long ({} rounds)\n",
        workers, through_c_ns, in_rust_ns, through_c_ns / in_rust_ns, rounds);
  }
}
