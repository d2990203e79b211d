#include "workloads/recursive/quicksort/quicksort.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::quicksort {
namespace {

key median(key a, key b, key c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

}  // namespace

std::size_t split(std::span<key> keys) {
  // Of the three, one is not less than the pivot and one not greater, beside the pivot itself. So
  // neither scan leaves the keys, and the first one stops before the last key.
  const key pivot = median(keys.front(), keys[keys.size() / 2], keys.back());
  key* low = keys.data();
  key* high = low + keys.size() - 1;
  for (;;) {
    while (*low < pivot) ++low;
    while (pivot < *high) --high;
    if (low >= high) return static_cast<std::size_t>(high + 1 - keys.data());
    std::swap(*low++, *high--);
  }
}

std::uint64_t passes_of_sort(std::size_t count) {
  constexpr double passes_of_a_level = 1.1;
  const auto keys = static_cast<double>(count);
  return static_cast<std::uint64_t>(passes_of_a_level * keys * std::log2(keys));
}

// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_sort(std::span<key> keys, std::size_t grain) {
  if (keys.size() <= grain) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  const std::size_t first_part = split(keys);
  plain_sort(keys.first(first_part), grain);
  plain_sort(keys.subspan(first_part), grain);
}

kit::description workload::describe() {
  return kit::described(R"(
quicksort: quicksort of random 64-bit keys in place, with serial partitions
shape: `fork_join` for both parts; balance depends on the pivots
tasks: about 1.8 keys ⁄ grain
work: Θ(n log n)
span: Θ(n): the first partition
bound by: branch mispredictions of the partition
answer: the keys; sorted, and the same multiset as before
source: Hoare, The Computer Journal 5(1), 1962
unit: key passed by a partition
keys=10000000 (2 to 2^33): number of keys, in digits or as 2^23; 8 bytes of memory for each
grain=2^12 (2 to 2^33): greatest number of keys that are sorted without a fork
seed=1 (any): seed of the keys
sizes: keys=20000 grain=64 | keys=300000 | keys=10000000 | keys=100000000
)",
                        kit::granularity{.parameter = "grain", .least = 16, .bounded_by = "keys"});
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t key_count = chosen.integer("keys");
  kit::require_memory("keys", key_count, [](std::uint64_t n) { return n * sizeof(key); });
  return {key_count, chosen.integer("seed"), chosen.integer("grain")};
}

workload::output workload::sequential(input& in) {
  plain_sort(in.keys, in.grain);
  return {0};
}

}  // namespace stealbench::quicksort
