// The catalogue of workloads as workloads/README.md shows it.
#pragma once

#include <string>
#include <vector>

#include "workloads/parameters.hpp"

namespace stealbench::workloads {

/// A heading and a Markdown table for each family of workloads, in the order of the catalogue.
[[nodiscard]] std::string catalogue_table(const std::vector<description>& of);

/// What a size assigns, `n=35`; instances are joined by "and".
[[nodiscard]] std::string assignments_of(const size& of);

}  // namespace stealbench::workloads
