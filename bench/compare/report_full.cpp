#include <fmt/format.h>

#include "bench/compare/ablation.hpp"
#include "bench/compare/report_sections.hpp"
#include "results/report/format.hpp"

namespace stealbench::compare {
namespace {

using nlohmann::ordered_json;
using report::alignment;
using report::heading;
using report::paragraph;

page_blocks failures(const document& of) {
  report::table table{
      "Cells that did not finish", {{"cell", alignment::left}, {"reason", alignment::left}}, {}};
  for (const cell_result& each : of.cells) {
    if (!has_finished(each)) table.rows.push_back({name_of(each.which), each.failure});
  }
  page_blocks blocks{{heading{"Did not finish"}}};
  if (table.rows.empty()) {
    blocks.push_back({paragraph{"Every cell finished, and every answer was right."}});
  } else {
    blocks.push_back({std::move(table)});
  }
  return blocks;
}

page_blocks host_checks(const ordered_json& context) {
  report::table table{"What of the machine may disturb a measurement",
                      {{"check", alignment::left}, {"status"}, {"detail", alignment::left}},
                      {}};
  const auto checks = context.find("host_checks");
  if (checks != context.end() && checks->is_array()) {
    for (const ordered_json& each : *checks) {
      if (!each.is_object()) continue;
      const auto text = [&](const char* key) {
        const auto found = each.find(key);
        if (found == each.end()) return std::string(report::missing);
        return found->is_string() ? found->get<std::string>() : found->dump();
      };
      const std::string status = text("status");
      if (status == "warn") {
        table.marks.push_back({table.rows.size(), 1, report::emphasis::failed});
      }
      table.rows.push_back({text("check"), status, text("detail")});
    }
  }
  page_blocks blocks{{heading{"The machine"}}};
  if (table.rows.empty()) {
    blocks.push_back({paragraph{"Nothing was checked."}});
  } else {
    blocks.push_back({std::move(table)});
  }
  return blocks;
}

report::definition_list definitions() {
  return {{
      {"Time",
       "Wall time of one run in the steady state: the median over the rounds of what one "
       "process measured after its first run. One process per cell and round, the rounds in "
       "shuffled order."},
      {"Interval",
       "95 % percentile bootstrap of that median; below six rounds the fastest and the "
       "slowest round. Ratios are drawn by whole rounds, so what slowed both cancels."},
      {"Rank",
       "By time among the cells of an instance with as many workers. A cell shares the "
       "rank of the best one whose interval its own overlaps."},
      {"Geometric mean",
       "Over the instances, of the time over that of the best scheduler of each. "
       "Two schedulers share the lead if the interval of the mean ratio of their "
       "times, round by round, holds 1."},
      {"Speedup", "Ts / Tp: time of serial over time of this cell."},
      {"Overhead", "T1 / Ts: this scheduler's time with one worker over that of serial."},
      {"Per fork",
       "Time × workers over the branches that the program offered, which is a property "
       "of the program. Serial has one worker, whatever is asked."},
      {"Processor time", "Of all threads of the process during one run: user and system."},
      {"Context switches",
       "As the operating system counts them: voluntary where a thread waits, "
       "forced where it is made to give way."},
      {"Peak RSS", "Greatest resident set of the process, the input included."},
      {"Start-up and first run", "Making the scheduler, and the run that warms it up."},
      {"Steals, jobs, busy time, live jobs",
       "From one further run of the scheduler's counting "
       "twin; timed runs count nothing."},
      {"Energy",
       "From the processor's counters where they can be read: of the package, with all "
       "that ran on it."},
      {"DNF", "Did not finish: crashed, timed out, or answered wrongly. Never left out."},
  }};
}

}  // namespace

page_blocks full_sections(const report_view& view) {
  page_blocks blocks{{heading{"All figures"}}};
  const document& of = view.source();
  for (report::table& each : tables_of(of.cells)) blocks.push_back({std::move(each)});
  if (of.context.value("ablation", ordered_json()) == true) {
    blocks.push_back({ablation_table(of.cells)});
  }
  for (report::page_block& each : failures(of)) blocks.push_back(std::move(each));
  return blocks;
}

page_blocks origin_sections(const document& of) {
  page_blocks blocks = host_checks(of.context);
  report::table provenance = provenance_of(of.context);
  provenance.title = "Build, machine and settings";
  blocks.push_back({heading{"Provenance"}});
  blocks.push_back({std::move(provenance)});
  blocks.push_back({heading{"How each figure was made"}});
  blocks.push_back({paragraph{"More on the method stands in bench/README.md of the sources."}});
  blocks.push_back({definitions()});
  return blocks;
}

}  // namespace stealbench::compare
