// The workloads: `catalogue`, a tuple of their types, follows from the list in CMakeLists.txt.
#pragma once

#include <string>
#include <vector>

#include "workloads/kit/parameters.hpp"
#include "workloads/list.hpp"

namespace stealbench::workloads {

/// What `stealbench list` prints: the description of each, in the same order.
[[nodiscard]] std::vector<kit::description> descriptions();

/// A heading and a Markdown table for each family of workloads, in the order of the catalogue.
[[nodiscard]] std::string catalogue_table(const std::vector<kit::description>& listed);

/// What each instance of a size assigns: `n=35`.
[[nodiscard]] std::vector<std::string> instances_in(const kit::size& size);

}  // namespace stealbench::workloads
