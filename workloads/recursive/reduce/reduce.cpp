#include "workloads/recursive/reduce/reduce.hpp"

#include <algorithm>

#include "workloads/kit/memory.hpp"
#include "workloads/kit/random.hpp"

namespace stealbench::reduce {

std::uint64_t plain_sum(std::span<const std::uint64_t> numbers) {
  std::uint64_t total = 0;
  for (const std::uint64_t number : numbers) total += number;
  return total;
}

std::uint64_t halvings(std::uint64_t size, std::uint64_t grain) {
  // The tree's `parts` at one depth hold size / parts numbers each, and size % parts of them one
  // more. A part that is larger than the grain has only such parts above it.
  std::uint64_t forks = 0;
  std::uint64_t parts = 1;
  for (; size / parts > grain; parts *= 2) forks += parts;
  if (size / parts == grain) forks += size % parts;
  return forks;
}

kit::description workload::describe() {
  return kit::described(
      R"(
reduce: sum of random 64-bit numbers by divide and conquer
shape: `fork_join` for halves: a balanced binary tree, once per pass
tasks: about passes × numbers ⁄ grain, rounded up to a power of two
work: Θ(passes × numbers)
span: Θ(passes × (log numbers + grain))
bound by: memory
answer: the sum modulo 2⁶⁴; compared with the sum taken while the numbers were drawn
source: reduce of PBBS, Shun et al., SPAA 2012
numbers=2^25 (1 to 2^34): number of values, in digits or as 2^25; 8 bytes of memory for each
passes=32 (1 to 1000000): number of sums over all numbers, one after the other
grain=2^13 (1 to 2^34): greatest number of values that are summed without a fork
seed=1 (any): seed of the numbers
sizes: numbers=20000 passes=2 grain=100 | numbers=2^20 passes=128 | numbers=2^25 passes=32 |
    numbers=2^27 passes=256
)",
      kit::granularity{.parameter = "grain", .least = 64, .bounded_by = "numbers"});
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t count = chosen.integer("numbers");
  kit::require_memory("numbers", count, [](std::uint64_t n) { return n * 8; });
  input in{.numbers = std::vector<std::uint64_t>(count),
           .grain = chosen.integer("grain"),
           .passes = chosen.integer("passes"),
           .expected = 0};
  kit::random_stream random(chosen.integer("seed"));
  for (std::uint64_t& number : in.numbers) {
    number = random.next();
    in.expected += number;
  }
  in.expected *= in.passes;
  return in;
}

workload::output workload::sequential(const input& in) {
  output total = 0;
  for (std::uint64_t pass = 0; pass < in.passes; ++pass) total += plain_sum(in.numbers);
  return total;
}

void workload::corrupt(const input& in, output& out) {
  const std::size_t lost = std::min(in.grain, in.numbers.size());
  out -= plain_sum(std::span(in.numbers).first(lost));
}

}  // namespace stealbench::reduce
