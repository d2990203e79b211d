// What the sections of a validation are made of.
#pragma once

#include <string>

#include "results/analysis/validation.hpp"
#include "results/report/table.hpp"

namespace stealbench::sections {

/// `+3.2 %`.
[[nodiscard]] std::string error_text(double error);

/// A row for each group, held out or chosen on, contended or not, and whether it meets its goal.
[[nodiscard]] report::table group_table(const analysis::validation& found);

/// Of the benchmarks held out, a row for each scheduler and worker count.
[[nodiscard]] report::table scheduler_table(const analysis::validation& found);

/// A row for each instance and worker count: both orders of the schedulers.
[[nodiscard]] report::table order_table(const analysis::validation& found);

/// Which times have 95 % intervals; the others have ranges.
struct intervals_known {
  bool measured;
  bool simulated;
};

/// A row for each benchmark.
[[nodiscard]] report::table error_table(const analysis::validation& found, intervals_known known);

/// A row for each benchmark that is not compared.
[[nodiscard]] report::table unpaired_table(const analysis::validation& found);

}  // namespace stealbench::sections
