// For tests: the catalogue as GoogleTest takes it, and what each workload runs at its test size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "workloads/catalogue.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::workloads {

template <class Tuple>
struct as_test_types;
template <class... Workload>
struct as_test_types<std::tuple<Workload...>> {
  using type = testing::Types<Workload...>;
};
using all_workloads = as_test_types<catalogue>::type;

template <class Workload>
[[nodiscard]] std::vector<kit::parameters> test_instances() {
  const kit::description described = Workload::describe();
  return kit::instances_of(described, kit::find_size(described, "test"), {});
}

/// The range of the grain for these values of the other parameters, inside its domain.
struct grain_range {
  std::uint64_t least;
  std::uint64_t most;  ///< At least `least`: a small input may end below where a sweep begins.
};
/// Requires: `workload` has a grain.
[[nodiscard]] inline grain_range range_of_grain(const kit::description& workload,
                                                const kit::parameters& chosen) {
  const kit::granularity& grain = workload.grain.value();
  const auto& domain = std::get<kit::integer_domain>(
      std::ranges::find(workload.parameters, grain.parameter, &kit::parameter::key)->domain);
  std::uint64_t most = std::min(grain.most, domain.most);
  if (!grain.bounded_by.empty()) most = std::min(most, chosen.integer(grain.bounded_by));
  most = std::max(most, domain.least);
  return {.least = std::min(std::max(grain.least, domain.least), most), .most = most};
}

}  // namespace stealbench::workloads
