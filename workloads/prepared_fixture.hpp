// For tests: the input of a workload for what a user would assign.
#pragma once

#include <vector>

#include "workloads/kit/parameters.hpp"

namespace stealbench::workloads {

template <class Workload>
typename Workload::input prepared(const std::vector<kit::assignment>& assignments) {
  return Workload::prepare({Workload::describe(), assignments});
}

}  // namespace stealbench::workloads
