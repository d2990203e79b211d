#include "workloads/recursive/quicksort/quicksort.hpp"

#include <cmath>

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
