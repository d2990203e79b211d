#include "bench/compare/report.hpp"

#include <cstdlib>
#include <iostream>
#include <memory>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "bench/compare/ablation.hpp"
#include "bench/compare/report_sections.hpp"
#include "results/report/page.hpp"
#include "results/system/whole_file.hpp"
#include "workloads/parameters.hpp"

namespace stealbench::compare {
namespace {

namespace fs = std::filesystem;
using workloads::bad_input;

void append(page_blocks& to, page_blocks more) {
  for (report::page_block& each : more) to.push_back(std::move(each));
}

/// One line under the title: what was measured on what.
std::string subtitle_of(const document& of) {
  const auto text = [&](const char* key) {
    const auto found = of.context.find(key);
    if (found == of.context.end()) return std::string("unknown");
    return found->is_string() ? found->get<std::string>() : found->dump();
  };
  return fmt::format("{} cells on {}, {} processors; commit {}; {}.", of.cells.size(),
                     text("processor"), text("num_cpus"), text("commit"), text("date"));
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
  if (!error && !fs::is_directory(folder, error)) {
    error = std::make_error_code(std::errc::not_a_directory);
  }
  if (!error && access(folder.c_str(), W_OK) != 0) {
    error = std::error_code(errno, std::generic_category());
  }
  if (!error) return;
  throw bad_input(
      fmt::format("output folder '{}': {}; valid: a folder that can be made and written",
                  folder.string(), error.message()));
}

std::vector<report::table> all_tables(const document& of) {
  std::vector<report::table> tables = tables_of(of.cells);
  if (of.context.value("ablation", nlohmann::ordered_json()) == true) {
    tables.push_back(ablation_table(of.cells));
  }
  return tables;
}

}  // namespace

raw_files read_folder(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw bad_input(fmt::format("'{}' is no folder; valid: the --output of a `stealbench compare`",
                                folder.string()));
  }
  if (!fs::exists(folder / "comparison.json", error)) {
    throw bad_input(
        fmt::format("there is no comparison.json in '{}'; valid: the --output of a "
                    "`stealbench compare`",
                    folder.string()));
  }
  raw_files raw{read_document(folder / "comparison.json", "comparison"), {}};
  for (const char* const kind : {"grain", "metg", "micro"}) {
    const fs::path file = folder / fmt::format("{}.json", kind);
    if (fs::exists(file, error)) raw.others.push_back(read_document(file, kind));
  }
  return raw;
}

std::string report_page(const raw_files& from) {
  const report_view view(from.comparison);
  page_blocks blocks{{report::paragraph{subtitle_of(from.comparison)}}};
  append(blocks, verdict_sections(view));
  append(blocks, plot_sections(view));
  append(blocks, topic_sections(view));
  for (const document& each : from.others) append(blocks, sections_of(each));
  append(blocks, full_sections(view));
  append(blocks, origin_sections(from.comparison));
  return to_html(report::page{"Fork-join schedulers compared", std::move(blocks)});
}

std::string summary_in_markdown(const document& of) {
  const report_view view(of);
  return fmt::format("{}\n\n{}\n", verdict_of(view), report::to_markdown(rank_table(view)));
}

void write_report(const fs::path& from, const fs::path& output) {
  const raw_files raw = read_folder(from);
  const report_view view(raw.comparison);
  const std::vector<report::table> tables = all_tables(raw.comparison);
  make_folder(output);
  const auto write = [&](const char* name, const std::string& text) {
    system::write_atomically(output / name, text);
  };
  write("comparison.md",
        markdown_of(summary_in_markdown(raw.comparison), tables, raw.comparison.context));
  write("comparison.csv", report::to_csv(csv_table(view)));

  const report::text_style style = style_of_output();
  for (const report::table& each : tables) std::cout << report::to_text(each, style) << '\n';
  std::cout << report::to_text(rank_table(view), style) << '\n'
            << verdict_of(view) << "\n\n"
            << reading_guide() << std::flush;
  write("report.html", report_page(raw));
  std::string_view before = "\nWritten: ";
  for (const char* const name : {"comparison.md", "comparison.csv", "report.html"}) {
    std::cout << before << (output / name).string() << '\n';
    before = "         ";
  }
}

void declare_report(CLI::App& program, int& status) {
  struct request {
    fs::path folder;
    fs::path output;
    bool summary = false;
  };
  const auto asked = std::make_shared<request>();
  CLI::App* const command = program.add_subcommand(
      "report", "Make a page, tables and a CSV file from what a comparison has measured");
  command->add_option("folder", asked->folder, "The --output of a comparison")->required();
  command->add_option("--output", asked->output,
                      "Folder for report.html, comparison.md and comparison.csv (default: the "
                      "same)");
  command->add_flag("--summary", asked->summary,
                    "Print the verdict and the ranks as Markdown, and write nothing");
  command->callback([asked, &status] {
    if (asked->summary) {
      std::cout << summary_in_markdown(read_folder(asked->folder).comparison);
    } else {
      write_report(asked->folder, asked->output.empty() ? asked->folder : asked->output);
    }
    status = 0;
  });
  command->footer(
      "Reads comparison.json and, where they are, grain.json, metg.json and micro.json. The page "
      "is "
      "one file that loads nothing. gnuplot draws its plots. Exit status: 0 if all was written, 1 "
      "if a file could not be written or a plot not be drawn, 2 for bad input.");
}

}  // namespace stealbench::compare
