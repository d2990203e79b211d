// Topics, plots, origin and plain values of a comparison.
#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/fixture.hpp"
#include "results/sections/parts.hpp"
#include "schedulers/input.hpp"

namespace stealbench::sections {
namespace {

std::vector<section> compared(const raw_lines& lines = made_comparison()) {
  return compare_sections(read_lines(lines));
}

/// Of work stealing, a value of each of these tables.
void expect_topics(const std::vector<section>& all,
                   const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, expected] : values) {
    const report::table& table = table_in(all, name + ", with 2 workers");
    EXPECT_EQ(table.columns.at(1).header, "fib n=20");
    EXPECT_EQ(table.rows.at(1), (row{"work-stealing", expected})) << name;
  }
}

// No two metrics have the same value, and that of memory differs from round to round.
TEST(Topics, ShowEachSchedulerWithTheGreatestWorkerCount) {
  raw_lines lines = made_comparison();
  double memory = 2;
  edit_cell(lines, "fib/work-stealing/n:20/workers:2", [&](json& benchmark) {
    benchmark["start_up_seconds"] = 0.005;
    benchmark["first_run_seconds"] = 0.003;
    benchmark["cpu_seconds"] = 0.00204;
    benchmark["user_seconds"] = 0.00153;
    benchmark["system_seconds"] = 0.00051;
    benchmark["voluntary_switches"] = 3.46;
    benchmark["forced_switches"] = 1234.5;
    benchmark["peak_rss_bytes"] = (memory = 10 - memory) * 1024;
  });
  expect_topics(compared(lines),
                {{"Share of the busy time, worker by worker", "49 %, 51 %"},
                 {"Share of the jobs, worker by worker", "50 %, 50 %"},
                 {"Peak resident set of the process", "8.00 KiB"},
                 {"Most live jobs at one time", "12"},
                 {"Queues and the stacks of fibers that migrate, at the most", "6.00 KiB"},
                 {"Start-up: making the scheduler", "5.00 ms [5.00, 5.00]"},
                 {"First run", "3.00 ms [3.00, 3.00]"},
                 {"First run over the steady state", "2.94 ×"},
                 {"Processor time per run", "2.04 ms [2.04, 2.04]"},
                 {"Processors in use: processor time over wall time", "2.00"},
                 {"Share of the processor time in the kernel", "25.0 %"},
                 {"Voluntary context switches per run", "3.5"},
                 {"Forced context switches per run", "1,234"}});
  EXPECT_EQ(table_in(compared(lines), "Share of the busy time").rows,
            (std::vector<row>{
                {"serial (1 worker)", "—"}, {"work-stealing", "49 %, 51 %"}, {"openmp", "DNF"}}));
}

TEST(Topics, OfSimulationsHaveNoPeakOfMemory) {
  const auto all = compare_sections(read_lines(dataset::simulated_lines(
      {{fib_on("serial", 2), six(1)}, {fib_on("openmp", 2), six(1)}}, {2})));
  EXPECT_THROW((void)table_in(all, "Peak resident set"), std::out_of_range);
}

TEST(Topics, GiveTheRangeOfManyWorkers) {
  for (const auto& [jobs_run, expected] :
       std::vector<std::pair<std::vector<unsigned>, std::string>>{
           {{10, 20, 30, 20, 20}, "10 % to 30 %"}, {{10, 20, 30, 40}, "10 %, 20 %, 30 %, 40 %"}}) {
    raw_lines lines = made_comparison();
    for (json& each : lines) {
      if (each["type"] != "counters" || each["counters"].is_null()) continue;
      each["counters"]["per_worker"] = json::array();
      for (const unsigned jobs : jobs_run) {
        each["counters"]["per_worker"].push_back({{"jobs_run", jobs}});
      }
    }
    EXPECT_EQ(table_in(compared(lines), "Share of the jobs").rows.at(1).at(1), expected);
  }
}

TEST(Topics, ShowWhatASearchOverSeveralProcessesCosts) {
  raw_lines lines = made_comparison();
  for (json& each : lines) {
    if (each["type"] != "counters" || each["counters"].is_null()) continue;
    each["counters"] = {{"steal_ns", 86'400},
                        {"split_ns", 2'500.5},
                        {"merge_ns", nullptr},
                        {"termination_ns", 1.7e6},
                        {"ranks", {{{"host", "node"}}}}};
  }
  const auto all = compared(lines);
  expect_topics(all, {{"Steal, from the request to the tasks", "86.4 µs"},
                      {"Split of a bag", "2.50 µs"},
                      {"Termination", "1.70 ms"}});
  const auto found = std::ranges::find(all, "Search over several processes", &section::title);
  ASSERT_NE(found, all.end());
  EXPECT_EQ(found->blocks.size(), 4U) << "its meaning, and no table of merges";
}

TEST(Topics, AreLeftOutWhereNothingWasRecorded) {
  raw_lines lines = made_comparison();
  for (json& each : lines) {
    if (each["type"] == "counters") each["counters"] = nullptr;
  }
  const auto all = compared(lines);
  for (const char* const title : {"Balance", "Search over several processes"}) {
    EXPECT_EQ(std::ranges::count(all, title, &section::title), 0) << title;
  }
}

TEST(Topics, DivideTheProcessorTimeOfAControlLoopByItsTicks) {
  const dataset::cell loop{{"control_loop", {{"ticks", "200"}}}, "serial", 1};
  raw_lines lines = lines_of("compare", {{loop, {1}}, {fib_on("serial", 1), {1}}});
  edit_cell(lines, name_of(loop), [](json& benchmark) { benchmark["cpu_seconds"] = 0.5; });
  EXPECT_EQ(table_in(compare_sections(read_lines(lines)), "Processor time per tick").rows,
            (std::vector<row>{{"serial", "2.50 ms", "—"}}));
}

TEST(Topics, DivideTheProcessorTimeByTheTasks) {
  raw_lines lines = made_comparison();
  edit_cell(lines, "fib/work-stealing/n:20/workers:2", [](json& benchmark) {
    benchmark["cpu_seconds"] = 0.5;
    benchmark["fork_count"] = 250.0;
  });
  EXPECT_EQ(table_in(compared(lines), "Processor time per task").rows.at(1),
            (row{"work-stealing", "2.00 ms"}));
}

TEST(Plots, HaveACurveForEachSchedulerAndABarForEachOverhead) {
  const auto uts = [](const char* scheduler, unsigned workers) {
    return dataset::cell{{"uts", {}}, scheduler, workers};
  };
  const auto all = compare_sections(data_of({{fib_on("serial", 1), {4}},
                                             {fib_on("onetbb", 1), {5}},
                                             {fib_on("onetbb", 4), {2}},
                                             {fib_on("openmp", 1), {8}},
                                             {fib_on("openmp", 4), {}, "crashed"},
                                             {uts("serial", 1), {9}},
                                             {uts("onetbb", 1), {}, "crashed"},
                                             {uts("onetbb", 4), {3}},
                                             {uts("openmp", 1), {12}}}));
  EXPECT_EQ(plots_shown(section_in(all, "Speedup")),
            "fib n=20 (DNF: openmp at 4)\n"
            "Speedup of fib n=20: speedup over serial over workers. onetbb: at 1 0.800 × (0.800 × "
            "to 0.800 ×); at 4 2.00 × (2.00 × to 2.00 ×). openmp: at 1 0.500 × (0.500 × to 0.500 "
            "×). For comparison, a line: serial (1 worker). For comparison, a line: ideal.\n"
            "uts (DNF: onetbb at 1)\n"
            "Speedup of uts: speedup over serial over workers. onetbb: at 4 3.00 × (3.00 × to 3.00 "
            "×). openmp: at 1 0.750 × (0.750 × to 0.750 ×). For comparison, a line: serial (1 "
            "worker). For "
            "comparison, a line: ideal.\n");
  EXPECT_EQ(plots_shown(section_in(all, "Overhead")),
            "fib n=20\n"
            "Overhead on fib n=20: T1 / Ts over workers. onetbb: at 1 1.25 × (1.25 × to 1.25 ×). "
            "openmp: at 1 2.00 × (2.00 × to 2.00 ×). For comparison, a line: serial.\n"
            "uts\n"
            "Overhead on uts: T1 / Ts over workers. onetbb: DNF. openmp: at 1 1.33 × (1.33 × to "
            "1.33 ×). For comparison, a line: serial.\n");
  const report::plot plot = plots_in(section_in(all, "Speedup")).at(0);
  EXPECT_FALSE(plot.y.is_logarithmic);
  EXPECT_EQ(plot.curves.at(1).style, 2U) << "serial, the first scheduler, is the line at 1";
  EXPECT_EQ(plot.curves.at(1).instead, "DNF");
  ASSERT_EQ(plot.references.size(), 2U);
  EXPECT_EQ(plot.references[0].points.at(1).y, 1);
  EXPECT_EQ(plot.references[1].points.at(1).y, 4);
}

TEST(Plots, OfOneWorkerCountHaveNoIdealAndSayWhichValueIsBest) {
  const auto all =
      compare_sections(data_of({{fib_on("serial", 1), {4}}, {fib_on("onetbb", 1), {8}}}));
  for (const auto& [title, is_less_better] : {std::pair{"Speedup", false}, {"Overhead", true}}) {
    const report::plot plot = plots_in(section_in(all, title)).at(0);
    EXPECT_EQ(plot.is_less_better, is_less_better);
    ASSERT_EQ(plot.references.size(), 1U);
    EXPECT_EQ(plot.references[0].name, "serial");
  }
}

TEST(Plots, AreLogarithmicWhereTheSpeedupsLieFarApart) {
  raw_lines lines = made_comparison();
  slow_down(lines, "fib/openmp/n:20/workers:1", 100);
  const auto plot = plots_in(section_in(compared(lines), "Speedup"))[0];
  EXPECT_TRUE(plot.x.is_logarithmic && plot.y.is_logarithmic);
}

TEST(Plots, HaveTheirPointsInTheOrderOfTheirPlaces) {
  report::plot plot;
  add_curve("curve", {{4, {}}, {1, {}}, {2, {}}}, plot);
  report::plot_group group;
  add_plot(plot, group);
  std::vector<double> places;
  for (const auto& each : group.plots.at(0).curves.at(0).points) places.push_back(each.x);
  EXPECT_EQ(places, (std::vector<double>{1, 2, 4}));
}

TEST(Plots, AreNoneWithoutTheBaseline) {
  const auto all = compare_sections(data_of({{fib_on("openmp", 1), {1, 1}}}));
  for (const char* const title : {"Speedup", "Overhead"}) {
    EXPECT_EQ(std::ranges::count(all, title, &section::title), 0) << title;
  }
}

TEST(Origin, NamesFailuresChecksBuildAndSettings) {
  raw_lines lines = made_comparison();
  lines.back()["host_checks"] = lines.front()["host_checks"];
  lines.insert(lines.end() - 1, json{{"type", "resumed"}, {"date", "2026-11-21T20:41:35Z"}});
  lines[1]["context"].update({{"library of openmp", "libgomp"},
                              {"library_build_type", "debug"},
                              {"scheduler_library", "in-house"}});
  const auto all = origin_sections(read_lines(lines));
  EXPECT_EQ(text_of(section_in(all, "Did not finish")),
            "## Did not finish\n\n- **DNF fib/openmp/n:20/workers:2**: timed out after 120 s\n\n");
  const report::table& checks = table_in(all, "What may disturb");
  ASSERT_EQ(checks.rows.size(), 2U);
  EXPECT_EQ(checks.rows[1], (row{"load", "warn", "1.24"}));
  ASSERT_EQ(checks.marks.size(), 1U);
  EXPECT_EQ(checks.marks[0].row, 1U);
  const auto& build = table_in(all, "Build, machine and settings").rows;
  for (const row& each : std::vector<row>{{"command", "stealbench compare --rounds 3"},
                                          {"date", "2026-11-21T20:41:35Z"},
                                          {"size", "test"},
                                          {"workers", "1, 2"},
                                          {"spent_seconds", "12.5"},
                                          {"resumed", "1"},
                                          {"commit", "0123456789ab"},
                                          {"load_avg", "0.5, 1.0"},
                                          {"library of openmp", "libgomp"}}) {
    EXPECT_EQ(std::count(build.begin(), build.end(), each), 1) << each[0];
  }
  for (const char* const left_out : {"caches", "library_build_type", "scheduler_library"}) {
    EXPECT_EQ(std::ranges::count(build, left_out, [](const row& each) { return each[0]; }), 0)
        << left_out;
  }
}

TEST(Origin, LeavesOutFailuresWhereThereAreNoneAndSaysOfWhichExperimentItIs) {
  const auto all = origin_sections(data_of({{fib_on("serial", 1), {1}}}), "grain");
  EXPECT_THROW((void)section_in(all, "Did not finish (grain)"), std::out_of_range);
  EXPECT_NO_THROW((void)section_in(all, "Provenance (grain)"));
}

TEST(Origin, TakesNullForNoDoubtAndNoOtherProcessor) {
  raw_lines lines = dataset::made_simulation();
  const std::string note = simulation_note(read_lines(lines));
  lines[0]["about"]["profile"]["doubt"] = nullptr;
  lines[0]["about"]["other_processor"] = nullptr;
  lines[0]["about"]["changes"] = nullptr;
  EXPECT_EQ(simulation_note(read_lines(lines)), note);
  for (const auto& change :
       std::vector<std::function<void(json&)>>{[](json& about) { about["profile"]["doubt"] = 3; },
                                               [](json& about) { about["other_processor"] = 3; }}) {
    raw_lines bad = dataset::made_simulation();
    change(bad[0]["about"]);
    EXPECT_THROW((void)read_lines(bad), schedulers::bad_input);
  }
}

TEST(Csv, HasPlainNumbersForEveryCell) {
  const auto data = read_lines(made_comparison());
  const report::table table = csv_table(data);
  ASSERT_EQ(table.rows.size(), data.cells().size());
  const auto value = [&](std::size_t at, const std::string& name) {
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].header == name) return table.rows[at].at(i);
    }
    ADD_FAILURE() << "no column " << name;
    return std::string("0");
  };
  EXPECT_EQ(value(4, "cell"), "fib/work-stealing/n:20/workers:2");
  EXPECT_EQ(value(4, "instance"), "fib n=20");
  EXPECT_EQ(value(4, "rounds"), "3");
  EXPECT_NEAR(std::stod(value(4, "seconds")), 1.02e-3, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "seconds_low")), 1.01e-3, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "seconds_high")), 1.03e-3, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "speedup")), 2, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "first_run_seconds")), 2.04e-3, 1e-9);
  EXPECT_NEAR(std::stod(value(4, "overhead")), 1, 1e-9) << "of its scheduler with one worker";
  EXPECT_EQ(value(4, "fork_count"), "10945");
  EXPECT_EQ(value(4, "bytes_per_worker"), "");
  EXPECT_EQ(value(4, "steals"), "7");
  EXPECT_EQ(value(4, "attempts_lost"), "3");
  EXPECT_EQ(value(0, "attempts_lost"), "") << "serial counts nothing";
  EXPECT_EQ(value(4, "queue_bytes"), "2048");
  EXPECT_EQ(value(4, "rank"), "") << "below six rounds";
  EXPECT_EQ(value(4, "failure"), "");
  EXPECT_EQ(value(5, "failure"), "timed out after 120 s");
  EXPECT_EQ(value(5, "seconds"), "");
}

TEST(Csv, NeedsNoMemberThatAFileMayLack) {
  raw_lines lines = lines_of("compare", {{fib_on("serial", 1), {1}}});
  lines.front().erase("about");
  EXPECT_EQ(csv_table(read_lines(lines)).rows.size(), 1U);
}

TEST(Csv, HasTheBuildOfEachCellOfTwo) {
  const report::table table = csv_table(read_lines(dataset::made_ab(six(1), six(2))));
  ASSERT_EQ(table.rows.size(), 2U);
  const auto values = [&](const std::string& name) {
    const auto found = std::ranges::find(table.columns, name, &report::column::header);
    const auto at = static_cast<std::size_t>(found - table.columns.begin());
    return row{table.rows[0].at(at), table.rows[1].at(at)};
  };
  EXPECT_EQ(values("build"), (row{"A", "B"}));
  EXPECT_EQ(values("seconds"), (row{"1", "2"}));
  EXPECT_EQ(values("rank"), (row{"", ""})) << "the two are no two schedulers";
}

TEST(Csv, HasABuildColumnIfAnyCellHasABuild) {
  std::vector<measured> all{{fib_on("serial", 1), {1}}, {fib_on("openmp", 1), {1}}};
  all[1].which.build = "B";
  const report::table table = csv_table(data_of(all));
  for (const row& each : table.rows) EXPECT_EQ(each.size(), table.columns.size());
  const auto found = std::ranges::find(table.columns, "build", &report::column::header);
  ASSERT_NE(found, table.columns.end());
  const auto at = static_cast<std::size_t>(found - table.columns.begin());
  EXPECT_EQ(table.rows[0].at(at), "");
  EXPECT_EQ(table.rows[1].at(at), "B");
}

TEST(Csv, LeavesOutAQuotientThatIsNoFiniteNumber) {
  measured cell{fib_on("serial", 1), {1}};
  cell.fork_count = 5e-324;
  const report::table table = csv_table(data_of({cell}));
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    EXPECT_FALSE(contains(table.rows[0].at(i), "inf")) << table.columns[i].header;
  }
}

// No two metrics have the same value.
TEST(Csv, HasAColumnForEveryMeasuredMetricWithItsEnds) {
  raw_lines lines = lines_of("compare", {{fib_on("serial", 1), {1}}});
  const auto value_of = [](std::size_t i) { return 0.0625 + static_cast<double>(100 + i); };
  edit_cell(lines, "fib/serial/n:20/workers:1", [&](json& benchmark) {
    for (std::size_t i = 1; i < dataset::metrics.size(); ++i) {
      benchmark[std::string(dataset::metrics.at(i).name)] = value_of(i);
    }
  });
  const report::table table = csv_table(read_lines(lines));
  const auto texts = [&](const std::string& name) {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      if (table.columns[i].header == name) found.push_back(table.rows.at(0).at(i));
    }
    return found;
  };
  for (std::size_t i = 0; i < dataset::metrics.size(); ++i) {
    const dataset::metric_description& each = dataset::metrics.at(i);
    if (each.where == dataset::presence::simulated) continue;
    const std::string name(each.name);
    const row expected{i == 0 ? "1" : fmt::format("{}", value_of(i))};
    const bool is_constant = name == "fork_count" || name == "worker_count";
    EXPECT_EQ(texts(name), expected);
    EXPECT_EQ(texts(name + "_low"), is_constant ? row{} : expected) << name;
    EXPECT_EQ(texts(name + "_high"), is_constant ? row{} : expected) << name;
  }
}

}  // namespace
}  // namespace stealbench::sections
