// What every kind of measurement does around its rounds.
#pragma once

#include <string>
#include <vector>

#include "bench/compare/plan.hpp"
#include "bench/compare/record.hpp"
#include "bench/compare/tables.hpp"

namespace stealbench::compare {

/// For a measurement that stops before its end: what was kept and, if there is one, the command
/// that goes on with it.
[[nodiscard]] std::string remains_of(const record& kept, const std::string& command_to_go_on);

/// Looks at the host, says what is going to be measured, and measures the plan into the record.
/// Where that stops before its end, it says what remains. Throws as `comparison` does.
[[nodiscard]] std::vector<cell_result> measure_all(plan what, record& kept,
                                                   const std::string& command_to_go_on = {});

/// The exit status, 1 if a cell did not finish; it then says how many.
[[nodiscard]] int status_of(const std::vector<cell_result>& results);

}  // namespace stealbench::compare
