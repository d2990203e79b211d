// What `stealbench explain` computes from a recorded dag and measured times.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/analysis/estimates.hpp"
#include "results/report/document.hpp"

namespace stealbench::experiments::explain {

/// Between which times every greedy schedule lies (Graham 1966; Brent 1974).
struct bounds {
  double least_seconds;  ///< max(T1 / P, T∞).
  double most_seconds;   ///< T1 / P + T∞.
};
[[nodiscard]] bounds bounds_of(double work_ns, double span_ns, unsigned workers);

/// Sentences that the recorded values and the measured times carry; the most important one first.
[[nodiscard]] std::vector<std::string> advice_for(const dataset::json& recorded,
                                                  const analysis::estimates& known);

/// One object: what was recorded, and `bounds`, `advice`.
[[nodiscard]] dataset::json json_of(const dataset::measurements& data);

[[nodiscard]] std::vector<report::section> explain_sections(const dataset::measurements& data);

}  // namespace stealbench::experiments::explain
