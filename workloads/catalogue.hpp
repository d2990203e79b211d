// The workloads: `catalogue`, a tuple of their types, follows from the list in CMakeLists.txt.
#pragma once

#include <vector>

#include "workloads/kit/parameters.hpp"
#include "workloads/list.hpp"

namespace stealbench::workloads {

/// The description of each, in the same order.
[[nodiscard]] std::vector<kit::description> descriptions();

}  // namespace stealbench::workloads
