// `stealbench report`: a page, tables and plain figures from raw files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "bench/compare/document.hpp"

namespace stealbench::compare {

/// The raw files of a folder: a comparison, and what else has been recorded there.
struct raw_files {
  document comparison;
  std::vector<document> others;  ///< Of the kinds grain, metg and micro, in this order.
};

/// Throws workloads::bad_input if the folder has no comparison, or a file that is not good.
[[nodiscard]] raw_files read_folder(const std::filesystem::path& folder);

/// The page. Throws report::plot_error if a plot cannot be drawn.
[[nodiscard]] std::string report_page(const raw_files& from);

/// Who leads, and the table of ranks.
[[nodiscard]] std::string summary_in_markdown(const document& of);

/// Writes report.html, comparison.md and comparison.csv, prints the tables and the verdict, and
/// says where the files are. Where a plot cannot be drawn it does all of that but the page, and
/// throws report::plot_error. Throws workloads::bad_input before it has written anything, and
/// std::system_error if a file cannot be written.
void write_report(const std::filesystem::path& from, const std::filesystem::path& output);

/// Adds the command to the program. When it is chosen, its exit status goes to `status`: 0, also
/// where cells did not finish, which the report says. The command throws workloads::bad_input
/// before it has written anything, report::plot_error likewise, and std::system_error.
void declare_report(CLI::App& program, int& status);

}  // namespace stealbench::compare
