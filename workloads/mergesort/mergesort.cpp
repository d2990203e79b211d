#include "workloads/mergesort/mergesort.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace stealbench::mergesort {
namespace {

constexpr std::uint64_t bytes_per_key = 2 * sizeof(key);  // The keys and the buffer.

/// A bijection of 64-bit numbers in which every bit of the result depends on every bit of `x`: the
/// output function of SplitMix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014, with Stafford's constants "Mix13").
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// SplitMix64's increment: the odd number nearest to 2^64 divided by the golden ratio.
constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;

std::uint64_t physical_memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return ~std::uint64_t{0};  // Unknown: refuse nothing.
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

void require_memory_for(std::uint64_t key_count) {
  constexpr double gib = 1 << 30;
  const std::uint64_t available = physical_memory_bytes();
  if (key_count <= available / bytes_per_key) return;
  throw workloads::bad_input(
      fmt::format("keys={}: the keys and their buffer take {:.1f} GiB, and this machine has {:.1f} "
                  "GiB of memory; "
                  "valid here: 0 to {}",
                  key_count, static_cast<double>(key_count * bytes_per_key) / gib,
                  static_cast<double>(available) / gib, available / bytes_per_key));
}

}  // namespace

std::uint64_t multiset_hash(std::span<const key> keys) {
  std::uint64_t sum = 0;
  // The keys are themselves values of `mixed`: the offset keeps the two from being related.
  for (const key k : keys) sum += mixed(k + golden_gamma);
  return sum;
}

workloads::description workload::describe() {
  using workloads::integer_domain;
  return {.name = "mergesort",
          .summary = "merge sort of random 64-bit keys, with parallel merges",
          .parameters =
              {{"keys", "number of keys, in digits or as 2^23; 16 bytes of memory for each",
                integer_domain{.least = 0, .most = std::uint64_t{1} << 32, .standard = 1 << 23}},
               {"grain", "most keys that are sorted or merged without a fork",
                integer_domain{.least = 2, .most = std::uint64_t{1} << 32, .standard = 4096}},
               {"merge", "whether one merge is itself parallel",
                workloads::choice_domain{.words = {"parallel", "serial"}, .standard = "parallel"}},
               {"seed", "seed of the keys",
                integer_domain{.least = 0, .most = ~std::uint64_t{0}, .standard = 1}}},
          .sizes = {{"test", {{{"keys", "2^14"}}}},
                    {"small", {{{"keys", "2^20"}}}},
                    {"standard", {{{"keys", "2^23"}}}},
                    {"large", {{{"keys", "2^26"}}}}}};
}

workload::input workload::prepare(const workloads::parameters& chosen) {
  const std::uint64_t key_count = chosen.integer("keys");
  require_memory_for(key_count);
  input in{.how = {.grain = chosen.integer("grain"),
                   .merge = chosen.choice("merge") == "serial" ? merge_kind::serial
                                                               : merge_kind::parallel},
           .seed = chosen.integer("seed"),
           .keys = std::vector<key>(key_count),
           .buffer = std::vector<key>(key_count),
           .expected_hash = 0};
  reset(in);
  in.expected_hash = multiset_hash(in.keys);
  return in;
}

void workload::reset(input& in) {
  // Start far apart for neighbouring seeds, or their key sequences would be shifts of each other.
  std::uint64_t state = mixed(in.seed);
  for (key& k : in.keys) {
    state += golden_gamma;
    k = mixed(state);
  }
}

std::optional<bool> workload::verify(const input& in, const output& /*unused*/) {
  return std::is_sorted(in.keys.begin(), in.keys.end()) &&
         multiset_hash(in.keys) == in.expected_hash;
}

nlohmann::ordered_json workload::answer(const input& in, const output& /*unused*/) {
  return {{"sorted", std::is_sorted(in.keys.begin(), in.keys.end())},
          {"multiset_hash", fmt::format("{:016x}", multiset_hash(in.keys))},
          {"multiset_hash_before", fmt::format("{:016x}", in.expected_hash)}};
}

}  // namespace stealbench::mergesort
