// From the raw files of a folder to a report.
#pragma once

#include <filesystem>
#include <iostream>
#include <vector>

#include "results/dataset/measurements.hpp"
#include "results/report/document.hpp"

namespace stealbench::experiments {

/// The datasets of a folder, in the order of `all`, or that of one file. Throws
/// kit::bad_input if there is none, or a file is not good.
[[nodiscard]] std::vector<dataset::measurements> read_datasets(const std::filesystem::path& where);

/// These, and behind them those in the folder's folder `machines`, by name: the same benchmarks
/// simulated with other costs or measured with more workers, which the findings of an ablation are
/// compared with. Throws as above.
[[nodiscard]] std::vector<dataset::measurements> with_machines(
    std::vector<dataset::measurements> datasets, const std::filesystem::path& where);

/// Throws kit::bad_input if a dataset lacks what its experiment needs.
[[nodiscard]] report::document report_on(const std::vector<dataset::measurements>& datasets);

/// Makes the folder of a report.html, if there is none. Throws kit::bad_input if the page cannot be
/// written there, and then leaves no new folder.
void make_folder(const std::filesystem::path& folder);

/// Writes a Markdown and a CSV file for each dataset, of ablations one page of what all of them
/// show together (ablation.md), report.html, and each plot as an SVG file of its own if `plots`.
/// Then it prints what matters to `out`, and where the files are. Throws bad_input before it has
/// created anything, and std::system_error if a file cannot be written.
/// `done`: the part of the whole experiment that the report comes after, for the progress.
void write_report(const std::filesystem::path& input, const std::filesystem::path& output,
                  bool plots = false, std::ostream& out = std::cout, double done = 0);

}  // namespace stealbench::experiments
