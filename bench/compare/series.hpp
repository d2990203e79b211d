// What `stealbench grain`, `metg` and `micro` have in common: rounds over a series of cells, their
// raw file, and what is said of them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "bench/compare/plan.hpp"
#include "bench/compare/record.hpp"
#include "bench/compare/tables.hpp"
#include "results/report/table.hpp"

namespace stealbench::compare {

/// As typed.
struct series_request {
  std::string budget_seconds;
  std::string target_percent = "2";
  std::string rounds = {};  ///< In place of budget and target.
  std::string timeout_seconds = "120";
  std::string seed = {};
  std::filesystem::path output = "stealbench-results";
  std::string command = {};  ///< For the record.
};

/// Adds the options. `kind` names the files in the output folder.
void declare_series_options(CLI::App& command, std::string_view kind, series_request& asked);

/// Without cells. Throws workloads::bad_input.
[[nodiscard]] plan plan_without_cells(const series_request& asked);

/// What is said of what was measured.
struct series_account {
  std::string title;
  std::vector<report::table> tables;
  std::vector<std::string> verdicts;  ///< A paragraph each.
  std::string guide;                  ///< How to read it, lines.
};

using account_of =
    std::function<series_account(const std::vector<cell_result>&, const nlohmann::ordered_json&)>;

/// Measures the plan into the record, whose context has been described, prints the account and
/// writes it beside the raw file. Returns the exit status: 1 if a cell did not finish. Throws
/// `interrupted`, and std::system_error if a file cannot be written.
[[nodiscard]] int measure_series(plan what, const series_request& asked, record& kept,
                                 const account_of& account);

}  // namespace stealbench::compare
