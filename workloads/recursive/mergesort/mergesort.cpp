#include "workloads/recursive/mergesort/mergesort.hpp"

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"

namespace stealbench::mergesort {
namespace {

constexpr std::uint64_t bytes_per_key = 2 * sizeof(key);  // The keys and the buffer.

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): the definition
void plain_sort(std::span<key> keys, std::span<key> buffer, destination into, std::size_t grain) {
  if (keys.size() <= grain) {
    std::sort(keys.begin(), keys.end());
    if (into == destination::buffer) std::copy(keys.begin(), keys.end(), buffer.begin());
    return;
  }
  const std::size_t half = keys.size() / 2;
  const bool is_into_keys = into == destination::keys;
  const destination halves = is_into_keys ? destination::buffer : destination::keys;
  plain_sort(keys.first(half), buffer.first(half), halves, grain);
  plain_sort(keys.subspan(half), buffer.subspan(half), halves, grain);
  const std::span<const key> source = is_into_keys ? buffer : keys;
  merge_serially<key>(source.first(half), source.subspan(half), is_into_keys ? keys : buffer);
}

kit::description workload::describe() {
  return kit::described(R"(
mergesort: merge sort of random 64-bit keys, with parallel merges
shape: `fork_join` for halves and in merges; nearly balanced
tasks: about 3 keys ⁄ grain
work: Θ(n log n)
span: Θ(log³ n); Θ(n) with merge=serial
bound by: memory
answer: the keys; sorted, and the same multiset as before
source: Cilk's cilksort; Akl & Santoro, IEEE TC 1987
keys=2^23 (0 to 2^32): number of keys, in digits or as 2^23; 16 bytes of memory for each
grain=2^12 (2 to 2^32): greatest number of keys that are sorted or merged without a fork
merge=parallel (parallel | serial): whether a single merge is itself parallel
seed=1 (any): seed of the keys
sizes: keys=2^14 | keys=2^20 | keys=2^23 | keys=2^26
)",
                        kit::granularity{.parameter = "grain", .least = 16, .bounded_by = "keys"});
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t key_count = chosen.integer("keys");
  kit::require_memory("keys", key_count, [](std::uint64_t n) { return n * bytes_per_key; });
  return {{key_count, chosen.integer("seed"), chosen.integer("grain")},
          chosen.choice_as<merge_kind>("merge"),
          std::vector<key>(key_count)};
}

workload::output workload::sequential(input& in) {
  plain_sort(in.keys, in.buffer, destination::keys, in.grain);
  return {0};
}

}  // namespace stealbench::mergesort
