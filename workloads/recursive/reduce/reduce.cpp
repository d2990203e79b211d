#include "workloads/recursive/reduce/reduce.hpp"

#include <algorithm>

#include "workloads/kit/random.hpp"

namespace stealbench::reduce {

std::uint64_t plain_sum(std::span<const std::uint64_t> numbers) {
  std::uint64_t total = 0;
  for (const std::uint64_t number : numbers) total += number;
  return total;
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
