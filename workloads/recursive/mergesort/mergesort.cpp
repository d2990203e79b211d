#include "workloads/recursive/mergesort/mergesort.hpp"

#include <nlohmann/json.hpp>

#include "workloads/kit/memory.hpp"
#include "workloads/kit/sorting.hpp"

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
  const std::span<const key> from = is_into_keys ? buffer : keys;
  merge_serially<key>(from.first(half), from.subspan(half), is_into_keys ? keys : buffer);
}

kit::description workload::describe() {
  using kit::integer_domain;
  return {
      .name = "mergesort",
      .summary = "merge sort of random 64-bit keys, with parallel merges",
      .about = {.shape = "`fork_join` for halves and in merges; nearly balanced",
                .tasks = "about 3 keys ⁄ grain",
                .work = "Θ(n log n)",
                .span = "Θ(log³ n); Θ(n) with merge=serial",
                .bound_by = "memory",
                .answer = "the keys; sorted, and the same multiset as before",
                .source = "Cilk's cilksort; Akl & Santoro, IEEE TC 1987"},
      .parameters = {{"keys", "number of keys, in digits or as 2^23; 16 bytes of memory for each",
                      integer_domain{
                          .least = 0, .most = std::uint64_t{1} << 32, .standard = 1 << 23}},
                     {"grain", "greatest number of keys that are sorted or merged without a fork",
                      integer_domain{.least = 2, .most = std::uint64_t{1} << 32, .standard = 4096}},
                     {"merge", "whether a single merge is itself parallel",
                      kit::choice_domain{.words = {"parallel", "serial"}, .standard = "parallel"}},
                     {"seed", "seed of the keys",
                      integer_domain{.least = 0, .most = ~std::uint64_t{0}, .standard = 1}}},
      .grain = kit::granularity{.parameter = "grain", .least = 16, .bounded_by = "keys"},
      .sizes = kit::sizes_of("keys", {"2^14", "2^20", "2^23", "2^26"})};
}

workload::input workload::prepare(const kit::parameters& chosen) {
  const std::uint64_t key_count = chosen.integer("keys");
  kit::require_memory("keys", key_count, [](std::uint64_t n) { return n * bytes_per_key; });
  input in{.how = {.grain = chosen.integer("grain"),
                   .merge = chosen.choice("merge") == "serial" ? merge_kind::serial
                                                               : merge_kind::parallel},
           .seed = chosen.integer("seed"),
           .keys = std::vector<key>(key_count),
           .buffer = std::vector<key>(key_count),
           .expected_hash = 0};
  reset(in);
  in.expected_hash = kit::multiset_hash(in.keys);
  return in;
}

void workload::reset(input& in) { kit::fill_with_random_keys(in.keys, in.seed); }

workload::output workload::sequential(input& in) {
  plain_sort(in.keys, in.buffer, destination::keys, in.how.grain);
  return {0};
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  return kit::is_sorted_and_whole(in.keys, in.expected_hash);
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  return kit::answer_of_sort(in.keys, in.expected_hash);
}

}  // namespace stealbench::mergesort
