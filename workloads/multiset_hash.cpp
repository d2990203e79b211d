#include "workloads/multiset_hash.hpp"

#include "workloads/random.hpp"

namespace stealbench::workloads {

std::uint64_t multiset_hash(std::span<const std::uint64_t> keys) {
  std::uint64_t sum = 0;
  // The keys are themselves values of `mixed`: the offset keeps the two from being related.
  for (const std::uint64_t key : keys) sum += mixed(key + golden_gamma);
  return sum;
}

}  // namespace stealbench::workloads
