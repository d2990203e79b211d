// What an executable says of the suite to `--catalogue`: its workloads, and the metrics that can be
// measured instead of one.
#pragma once

#include <nlohmann/json.hpp>

namespace stealbench::cell {

/// `workloads` and `metrics`, each in the order of the tables. A choice has `means` if one of its
/// words means values of other parameters.
[[nodiscard]] nlohmann::ordered_json catalogue();

}  // namespace stealbench::cell
