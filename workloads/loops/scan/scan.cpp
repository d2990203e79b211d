#include "workloads/loops/scan/scan.hpp"

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"
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

kit::description workload::describe() {
  return kit::described(
      R"(
scan: inclusive prefix sums of random 64-bit numbers, in place
shape: two even `parallel_for` over blocks per pass, a short serial scan between them
tasks: 2 × passes × numbers ⁄ grain
work: Θ(passes × numbers); twice the additions of the serial scan
span: Θ(passes × (numbers ⁄ grain + grain))
bound by: memory
answer: the sums; each compared with a running sum of the same numbers, drawn again
source: scan of PBBS, Shun et al., SPAA 2012; Blelloch, IEEE TC 1989
numbers=2^25 (1 to 2^34): number of values, in digits or as 2^25; 8 bytes of memory for each
passes=16 (1 to 1000): number of scans, each of the result of the previous one
grain=2^14 (1 to 2^34): numbers per block; 8 more bytes of memory for each block
seed=1 (any): seed of the numbers
sizes: numbers=20000 passes=2 grain=100 | numbers=2^20 passes=32 | numbers=2^25 |
    numbers=2^27 passes=100
)",
      kit::granularity{.parameter = "grain", .least = 64, .bounded_by = "numbers"});
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
  kit::random_stream random(in.seed);
  for (std::uint64_t& number : in.numbers) number = random.next();
}

workload::output workload::sequential(input& in) {
  for (std::uint64_t pass = 0; pass < in.passes; ++pass) plain_scan(in.numbers, 0);
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
  return true;
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  return {{"last", in.numbers.back()}};
}

}  // namespace stealbench::scan
