// `stealbench micro`: what one operation costs on every scheduler.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/compare/micro_table.hpp"
#include "bench/compare/names.hpp"
#include "bench/compare/plan.hpp"
#include "bench/compare/series.hpp"

namespace stealbench::compare {

/// As typed. An empty list of schedulers or figures stands for all.
struct micro_request {
  std::string schedulers = {};
  std::string figures = {};
  series_request series = {.budget_seconds = "120"};
};

struct micro_plan {
  plan what;  ///< A cell for each scheduler and figure, but for figures that it cannot have.
  micro_axes axes;
};

/// Throws workloads::bad_input on the first thing that a user must correct.
[[nodiscard]] micro_plan plan_for(const micro_request& asked, const installation& here);

/// As declare_compare.
void declare_micro(CLI::App& program, const std::vector<std::string>& arguments, int& status);

}  // namespace stealbench::compare
