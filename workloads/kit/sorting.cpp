#include "workloads/kit/sorting.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace stealbench::kit {

std::uint64_t multiset_hash(std::span<const std::uint64_t> keys) {
  std::uint64_t sum = 0;
  // The keys are themselves values of `mixed`: the offset keeps the two from being related.
  for (const std::uint64_t key : keys) sum += mixed(key + golden_gamma);
  return sum;
}

sort_input::sort_input(std::size_t count, std::uint64_t which, std::size_t least)
    : seed(which), grain(least), keys(count) {
  fill_with_random_numbers(keys, seed);
  expected_hash = multiset_hash(keys);
}

nlohmann::ordered_json sorting::answer(const sort_input& in, const output& /*unused*/) {
  return {{"sorted", std::ranges::is_sorted(in.keys)},
          {"multiset_hash", fmt::format("{:016x}", multiset_hash(in.keys))},
          {"multiset_hash_before", fmt::format("{:016x}", in.expected_hash)}};
}

}  // namespace stealbench::kit
