// For tests: the catalogue as GoogleTest takes it, and what each workload runs at its test size.
#pragma once

#include <tuple>
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

}  // namespace stealbench::workloads
