#include "bench/driver/experiments/report.hpp"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "bench/driver/experiments/experiment.hpp"
#include "results/analysis/ablation.hpp"
#include "results/report/format.hpp"
#include "results/report/table.hpp"
#include "results/sections/sections.hpp"
#include "results/system/whole_file.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments {
namespace {

namespace fs = std::filesystem;
using dataset::measurements;
using kit::bad_input;

/// One line under the title: what was measured on what.
std::string subtitle_of(const measurements& data) {
  const auto text = [&](const char* key) { return dataset::text_at(data.context(), key); };
  if (data.is_simulated()) {
    return fmt::format("{}: {}, simulated; commit {}; {}.", data.experiment(),
                       report::counted(data.cells().size(), "benchmark"), text("commit"),
                       data.header().at("date").get<std::string>());
  }
  return fmt::format("{}: {} on {}, {} processors; commit {}; {}.", data.experiment(),
                     report::counted(data.cells().size(), "benchmark"), text("processor"),
                     text("num_cpus"), text("commit"), data.header().at("date").get<std::string>());
}

/// https://no-color.org: set and not empty, whatever it says.
report::text_style style_of_output() {
  const char* const no_colour =
      std::getenv("NO_COLOR");  // NOLINT(concurrency-mt-unsafe): one thread
  const bool is_asked_not_to = no_colour != nullptr && *no_colour != '\0';
  return !is_asked_not_to && isatty(STDOUT_FILENO) == 1 ? report::text_style::coloured
                                                        : report::text_style::plain;
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!error) error = system::try_to_write(folder / "report.html");
  if (!error) return;
  throw bad_input(
      fmt::format("output folder '{}': {}; valid: a folder that can be created and written",
                  folder.string(), error.message()));
}

std::vector<report::section> sections_of(const measurements& data, bool is_alone) {
  const experiment* const subject = find(data.experiment());
  if (subject == nullptr) {
    std::vector<std::string> valid;
    for (const auto& each : all()) valid.push_back(each->about().name);
    throw bad_input(fmt::format("unknown experiment '{}'; valid: {}", data.experiment(),
                                fmt::join(valid, ", ")));
  }
  try {
    std::vector<report::section> made = subject->about().report(data);
    std::vector<report::section> origin =
        sections::origin_sections(data, is_alone ? "" : data.experiment());
    std::move(origin.begin(), origin.end(), std::back_inserter(made));
    return made;
  } catch (const dataset::json::exception& error) {
    throw bad_input(
        fmt::format("a dataset of '{}' is incomplete: {}; valid: a file written by `stealbench {}`",
                    data.experiment(), error.what(), data.experiment()));
  }
}

/// What all ablations among these show, and what each of them is; no section if there is none.
report::document ablation_page(const std::vector<measurements>& datasets) {
  report::document made{"Ablation of the strategies", sections::ablation_findings(datasets)};
  if (made.sections.empty()) return made;
  for (const measurements& each : datasets) {
    if (analysis::contrasts_of(each).empty()) continue;
    made.sections.front().blocks.emplace_back(report::paragraph{subtitle_of(each)});
  }
  return made;
}

}  // namespace

std::vector<measurements> read_datasets(const fs::path& where) {
  std::error_code error;
  if (!fs::is_directory(where, error)) return {dataset::read_file(where).data};
  std::vector<measurements> found;
  std::vector<std::string> valid;
  for (const auto& each : all()) {
    valid.push_back(dataset::file_name_of(each->about().name));
    if (fs::exists(where / valid.back(), error)) {
      found.push_back(dataset::read_file(where / valid.back()).data);
    }
  }
  if (found.empty()) {
    throw bad_input(
        fmt::format("'{}' contains none of {}; valid: the --output folder of an experiment",
                    where.string(), fmt::join(valid, ", ")));
  }
  return found;
}

report::document report_on(const std::vector<measurements>& datasets) {
  const bool is_alone = datasets.size() == 1;
  report::document made{"Fork-join schedulers compared", sections::ablation_findings(datasets)};
  for (const measurements& data : datasets) {
    std::vector<report::section> more = sections_of(data, is_alone);
    more.front().blocks.emplace(more.front().blocks.begin() + 1,
                                report::paragraph{subtitle_of(data)});
    std::move(more.begin(), more.end(), std::back_inserter(made.sections));
  }
  const auto is_simulated = [](const measurements& data) { return data.is_simulated(); };
  if (!std::ranges::all_of(datasets, is_simulated)) {
    made.sections.push_back(sections::definitions());
  }
  return made;
}

void write_report(const fs::path& from, const fs::path& output, bool plots, std::ostream& out) {
  const std::vector<measurements> datasets = read_datasets(from);
  const report::document whole = report_on(datasets);
  make_folder(output);
  std::vector<std::string> written;
  const auto write = [&](const std::string& name, const std::string& text) {
    system::write_atomically(output / name, text);
    written.push_back((output / name).string());
  };
  for (const measurements& each : datasets) {
    for (const char* const ending : {".md", ".csv"}) {
      static_cast<void>(system::file_to_replace(output / (each.experiment() + ending)));
    }
  }
  for (const measurements& each : datasets) {
    write(each.experiment() + ".md", to_markdown(report_on({each})));
    write(each.experiment() + ".csv", to_csv(sections::csv_table(each)));
  }
  if (const report::document page = ablation_page(datasets); !page.sections.empty()) {
    write("ablation.md", to_markdown(page));
  }
  out << to_text(whole, style_of_output()) << std::flush;
  write("report.html", to_html(whole));
  if (plots) {
    make_folder(output / "plots");
    for (const report::drawing& each : to_drawings(whole))
      write("plots/" + each.name + ".svg", each.svg);
  }
  out << fmt::format("Written: {}\n", fmt::join(written, "\n         "));
}

}  // namespace stealbench::experiments
