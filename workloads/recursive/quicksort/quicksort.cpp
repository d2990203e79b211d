#include "workloads/recursive/quicksort/quicksort.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"
#include "workloads/kit/sorting.hpp"

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
  using kit::integer_domain;
  return {
      .name = "quicksort",
      .summary = "quicksort of random 64-bit keys in place, with serial partitions",
      .about = {.shape = "`fork_join` for both parts; balance depends on the pivots",
                .tasks = "about 1.8 keys ⁄ grain",
                .work = "Θ(n log n)",
                .span = "Θ(n): the first partition",
                .bound_by = "branch mispredictions of the partition",
                .answer = "the keys; sorted, and the same multiset as before",
                .source = "Hoare, The Computer Journal 5(1), 1962",
                .unit = "key passed by a partition"},
      .parameters = {{"keys", "number of keys, in digits or as 2^23; 8 bytes of memory for each",
                      integer_domain{
                          .least = 2, .most = std::uint64_t{1} << 33, .standard = 10'000'000}},
                     {"grain", "greatest number of keys that are sorted without a fork",
                      integer_domain{.least = 2, .most = std::uint64_t{1} << 33, .standard = 4096}},
                     {"seed", "seed of the keys",
                      integer_domain{.least = 0, .most = ~std::uint64_t{0}, .standard = 1}}},
      .grain = kit::granularity{.parameter = "grain", .least = 16, .bounded_by = "keys"},
      .sizes = {{"test", {{{"keys", "20000"}, {"grain", "64"}}}},
                {"small", {{{"keys", "300000"}}}},
                {"standard", {{{"keys", "10000000"}}}},
                {"large", {{{"keys", "100000000"}}}}}};
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t key_count = chosen.integer("keys");
  kit::require_memory("keys", key_count, [](std::uint64_t n) { return n * sizeof(key); });
  input in{.grain = chosen.integer("grain"),
           .seed = chosen.integer("seed"),
           .keys = std::vector<key>(key_count),
           .expected_hash = 0};
  reset(in);
  in.expected_hash = kit::multiset_hash(in.keys);
  return in;
}

void workload::reset(input& in) { kit::fill_with_random_keys(in.keys, in.seed); }

workload::output workload::sequential(input& in) {
  plain_sort(in.keys, in.grain);
  return {0};
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  return kit::is_sorted_and_whole(in.keys, in.expected_hash);
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  return kit::answer_of_sort(in.keys, in.expected_hash);
}

}  // namespace stealbench::quicksort
