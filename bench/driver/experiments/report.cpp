#include "bench/driver/experiments/report.hpp"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/rounds/progress.hpp"
#include "bench/driver/rounds/schedule.hpp"
#include "results/analysis/strategies/ablation.hpp"
#include "results/report/format.hpp"
#include "results/report/table.hpp"
#include "results/sections/sections.hpp"
#include "results/system/whole_file.hpp"
#include "workloads/catalogue.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments {
namespace {

namespace fs = std::filesystem;
using dataset::measurements;
using kit::bad_input;

/// A step of what takes more than a second, as a line on the standard error output: of a dataset
/// that is not small, so that a usual report stays quiet.
void note_if_long(const measurements& data, std::string_view step) {
  constexpr std::size_t fewest_processes = 10'000;
  std::size_t processes = 0;
  for (const dataset::measured_cell& each : data.cells()) processes += each.samples.size();
  if (processes < fewest_processes) return;
  std::cerr << fmt::format("{} {}: {}, {} processes\n", step, data.experiment(),
                           report::counted(data.cells().size(), "benchmark"),
                           report::count(static_cast<double>(processes)));
}

measurements read_one(const fs::path& file) {
  constexpr std::uintmax_t fewest_bytes = std::uintmax_t{8} << 20;
  std::error_code error;
  const std::uintmax_t size = fs::is_regular_file(file, error) ? fs::file_size(file, error) : 0;
  if (!error && size >= fewest_bytes) {
    std::cerr << fmt::format("Reading '{}', {}\n", file.string(),
                             report::bytes(static_cast<double>(size)));
  }
  measurements data = dataset::read_file(file).data;
  std::map<std::string, std::string> families;
  for (const kit::description& each : workloads::descriptions()) {
    families.emplace(each.name, each.family);
  }
  data.name_families(std::move(families));
  return data;
}

/// What is said of each dataset, in their order: computed once, however many documents show it.
using findings = std::vector<std::vector<report::section>>;

findings findings_in(const std::vector<measurements>& datasets) {
  findings all;
  for (const measurements& each : datasets) {
    note_if_long(each, "Estimating the medians and intervals of");
    all.push_back(sections_of(each));
  }
  return all;
}

/// `findings` are of ablations among them, and come first.
report::document document_of(std::span<const measurements> datasets,
                             std::span<const std::vector<report::section>> found,
                             std::vector<report::section> ablation) {
  report::document document{"Fork-join schedulers compared", std::move(ablation)};
  std::vector<dataset::instance> instances;
  for (const measurements& each : datasets) {
    for (const dataset::measured_cell& cell : each.cells()) instances.push_back(cell.which.what);
  }
  if (dataset::distinct(instances).size() == 1) {
    document.title += " on " + label_of(instances.front());
  }
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const measurements& data = datasets[i];
    std::vector<report::section> more = found[i];
    more.front().blocks.emplace(more.front().blocks.begin() + 1,
                                report::paragraph{sections::subtitle_of(data)});
    // What ablations show together says so of them.
    if (!data.is_finished() && analysis::contrasts_of(data).empty()) {
      more.front().blocks.emplace_back(report::paragraph{
          "This experiment is unfinished: results are missing, and the values may still change."});
    }
    std::ranges::move(
        sections::origin_sections(data, datasets.size() == 1 ? "" : data.experiment()),
        std::back_inserter(more));
    sections::name_machine(sections::machine_note(data), more);
    std::ranges::move(more, std::back_inserter(document.sections));
  }
  if (!std::ranges::all_of(datasets, &measurements::is_simulated)) {
    document.sections.push_back(sections::definitions());
  }
  return document;
}

/// What all ablations among these show, and what each of them is; no section if there is none.
report::document ablation_page(const std::vector<measurements>& datasets,
                               std::vector<report::section> ablation) {
  report::document document{"Ablation of the strategies", std::move(ablation)};
  if (document.sections.empty()) return document;
  for (const measurements& each : datasets) {
    if (analysis::contrasts_of(each).empty()) continue;
    document.sections.front().blocks.emplace_back(report::paragraph{sections::subtitle_of(each)});
  }
  return document;
}

}  // namespace

void make_folder(const fs::path& folder) {
  std::error_code error;
  const bool is_new = fs::create_directories(folder, error);
  if (!error) error = system::try_to_write(folder / "report.html");
  if (!error) return;
  if (std::error_code ignored; is_new) fs::remove(folder, ignored);
  throw bad_input(
      fmt::format("output folder '{}': {}; valid: a folder that can be created and written",
                  folder.string(), error.message()));
}

std::vector<measurements> read_datasets(const fs::path& where) {
  std::error_code error;
  if (!fs::is_directory(where, error)) return {read_one(where)};
  std::vector<measurements> found;
  std::vector<std::string> valid;
  for (const auto& each : all()) {
    valid.push_back(dataset::file_name_of(each->name()));
    if (const auto file = dataset::find_file(where, each->name())) {
      found.push_back(read_one(*file));
    }
  }
  if (found.empty()) {
    throw bad_input(
        fmt::format("'{}' contains none of {}; valid: the --output folder of an experiment",
                    where.string(), fmt::join(valid, ", ")));
  }
  return found;
}

std::vector<measurements> with_machines(std::vector<measurements> datasets, const fs::path& where) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& each : fs::directory_iterator(where / "machines", error)) {
    if (dataset::is_named_as_raw(each.path())) files.push_back(each.path());
  }
  std::ranges::sort(files);
  for (const fs::path& each : files) datasets.push_back(read_one(each));
  return datasets;
}

report::document report_on(const std::vector<measurements>& datasets) {
  return document_of(datasets, findings_in(datasets), sections::ablation_findings(datasets));
}

void write_report(const fs::path& input, const fs::path& output, bool plots, std::ostream& out,
                  double done) {
  const std::vector<measurements> datasets = read_datasets(input);
  std::size_t cells = 0;
  for (const measurements& each : datasets) cells += each.cells().size();
  rounds::progress shown("writing the report");
  shown.begin("", {.done = done, .seconds_left = rounds::report_time(cells).count()});
  const findings found = findings_in(datasets);
  const auto ablation = sections::ablation_findings(with_machines(datasets, input));
  const report::document whole = document_of(datasets, found, ablation);
  // All of them before the first is written.
  std::vector<std::pair<fs::path, std::string>> files;
  const auto add = [&](const std::string& name, std::string text) {
    files.emplace_back(output / name, std::move(text));
  };
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const std::span one(datasets.data() + i, 1);
    note_if_long(one.front(), "Writing the tables of");
    add(one.front().experiment() + ".md",
        to_markdown(
            document_of(one, std::span(found.data() + i, 1), sections::ablation_findings(one))));
    add(one.front().experiment() + ".csv", to_csv(sections::csv_table(one.front())));
  }
  if (const report::document page = ablation_page(datasets, ablation); !page.sections.empty()) {
    add("ablation.md", to_markdown(page));
  }
  try {
    add("report.html", to_html(whole));
  } catch (const std::invalid_argument& error) {
    throw bad_input(
        fmt::format("'{}': a plot cannot be drawn: {}; valid: files as they were written",
                    input.string(), error.what()));
  }
  if (plots) {
    for (report::drawing& each : to_drawings(whole)) {
      add("plots/" + each.name + ".svg", std::move(each.svg));
    }
  }
  for (const auto& [file, text] : files) static_cast<void>(system::file_to_replace(file));
  make_folder(output);
  if (plots) make_folder(output / "plots");
  std::vector<std::string> written;
  for (const auto& [file, text] : files) {
    system::write_atomically(file, text);
    written.push_back(file.string());
  }
  shown.end();
  out << to_text(whole, report::standard_output())
      << fmt::format("Written: {}\n", fmt::join(written, "\n         ")) << std::flush;
}

}  // namespace stealbench::experiments
