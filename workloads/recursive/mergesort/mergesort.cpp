#include "workloads/recursive/mergesort/mergesort.hpp"

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
