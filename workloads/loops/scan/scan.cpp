#include "workloads/loops/scan/scan.hpp"

#include <algorithm>

#include "workloads/kit/random.hpp"

namespace stealbench::scan {

std::uint64_t plain_sum(std::span<const std::uint64_t> numbers) {
  std::uint64_t sum = 0;
  for (const std::uint64_t number : numbers) sum += number;
  return sum;
}

void plain_scan(std::span<std::uint64_t> numbers, std::uint64_t before) {
  for (std::uint64_t& number : numbers) {
    before += number;
    number = before;
  }
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t count = chosen.integer("numbers");
  const std::uint64_t grain = chosen.integer("grain");
  const auto blocks_of = [=](std::uint64_t n) { return (n + grain - 1) / grain; };
  kit::require_memory("numbers", count, [=](std::uint64_t n) { return (n + blocks_of(n)) * 8; });
  input in{.seed = chosen.integer("seed"),
           .grain = grain,
           .passes = chosen.integer("passes"),
           .numbers = std::vector<std::uint64_t>(count),
           .sums = std::vector<std::uint64_t>(blocks_of(count))};
  reset(in);
  return in;
}

void workload::reset(input& in) {
  std::ranges::fill(in.sums, 0);
  kit::fill_with_random_numbers(in.numbers, in.seed);
}

workload::output workload::sequential(input& in) {
  for (std::uint64_t pass = 0; pass < in.passes; ++pass) plain_scan(in.numbers, 0);
  in.sums.back() = in.numbers.back();  // As `scan` leaves it.
  return {};
}

void workload::corrupt(input& in, output& /*unused*/) {
  // A block whose second loop did not see what comes before it.
  const std::size_t size = std::min(in.grain, in.numbers.size());
  const std::span<std::uint64_t> last = std::span(in.numbers).last(size);
  const std::uint64_t before =
      size < in.numbers.size() ? in.numbers[in.numbers.size() - size - 1] : in.numbers.front();
  for (std::uint64_t& number : last) number -= before;
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  std::vector<std::uint64_t> running(in.passes, 0);
  kit::random_stream random(in.seed);
  for (const std::uint64_t number : in.numbers) {
    std::uint64_t expected = random.next();
    for (std::uint64_t& sum : running) expected = sum += expected;
    if (number != expected) return false;
  }
  return in.sums.back() == in.numbers.back();
}

}  // namespace stealbench::scan
