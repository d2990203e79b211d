// The catalogue of workloads as workloads/README.md shows it.
#pragma once

#include <string>
#include <vector>

#include "workloads/kit/parameters.hpp"

namespace stealbench::workloads {

/// A heading and a Markdown table for each family of workloads, in the order of the catalogue.
[[nodiscard]] std::string catalogue_table(const std::vector<kit::description>& of);

/// What each instance of a size assigns: `n=35`.
[[nodiscard]] std::vector<std::string> instances_in(const kit::size& of);

}  // namespace stealbench::workloads
