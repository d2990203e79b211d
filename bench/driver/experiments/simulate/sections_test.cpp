#include <gtest/gtest.h>

#include "bench/driver/experiments/experiment.hpp"
#include "results/analysis/simulation.hpp"
#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/fixture.hpp"
#include "schedulers/input.hpp"

namespace stealbench::experiments::simulate {

using namespace sections;
namespace {

using dataset::contains;
using dataset::fib_on;
using dataset::json;
using dataset::made_simulation;
using dataset::simulated_lines;
using row = std::vector<std::string>;

std::vector<section> simulated() { return sections_of(read_lines(made_simulation())); }

TEST(SimulateSections, SayWhatLimitsEachCurve) {
  const std::string words = text_of(section_in(simulated(), "Simulated scaling"));
  EXPECT_TRUE(contains(words,
                       "fib n=20 on work-stealing: greatest speedup 4.00 × [2.00, 8.00] with 8 "
                       "workers. With 8 workers, 50.0 % of the workers' time is work; the largest "
                       "other part is waiting for cache lines (30.0 %). The hottest cache line is: "
                       "idle count of the parking lot (25.0 %)."))
      << words;
}

TEST(SimulateSections, NameTheLargestPartThatIsNoWork) {
  dataset::raw_lines lines = made_simulation();
  for (json& each : lines) {
    if (!each.contains("simulation")) continue;
    each["simulation"]["shares"] = {
        {"work", 0.4}, {"overhead", 0.1}, {"search", 0.25}, {"lines", 0.05}, {"asleep", 0.2}};
  }
  const auto all = sections_of(read_lines(lines));
  EXPECT_TRUE(contains(text_of(section_in(all, "Simulated scaling")),
                       "the largest other part is search for tasks (25.0 %)."));
}

TEST(SimulateSections, HaveARowForEachWorkerCount) {
  const auto all = simulated();
  const report::table& times = table_in(all, "fib n=20: simulated time");
  EXPECT_EQ(times.columns[2].header, "time [range]");
  ASSERT_EQ(times.rows.size(), 3U);
  EXPECT_EQ(times.rows[2],
            (row{"work-stealing", "8", "2.00 s [1.00, 4.00]", "4.00 × [2.00, 8.00]", "82", "160"}));
  EXPECT_EQ(table_in(all, "fib n=20: shares").rows[1],
            (row{"work-stealing", "2", "50.0 %", "10.0 %", "5.0 %", "30.0 %", "5.0 %"}));
  EXPECT_EQ(table_in(all, "fib n=20: hottest").rows[0],
            (row{"work-stealing", "1", "idle count of the parking lot 25.0 %",
                 "top of a deque 4.0 %", "—"}));
}

TEST(SimulateSections, ShowHowTheTimeDependsOnEachCost) {
  const auto all = simulated();
  const report::table& varied = table_in(all, "fib n=20: simulated time with one cost");
  ASSERT_EQ(varied.rows.size(), 2U);
  EXPECT_EQ(varied.rows[0], (row{"work-stealing", "8", "transfer × 0.5", "1.00 s [0.500, 2.00]",
                                 "0.500 × [0.500, 0.500]"}));
  EXPECT_EQ(varied.rows[1][2], "jitter × 0");
}

TEST(SimulateSections, DrawTheSpeedupBesideTheIdeal) {
  const auto all = simulated();
  const auto plots = plots_in(section_in(all, "Simulated speedup"));
  ASSERT_EQ(plots.size(), 1U);
  const auto& plot = plots[0];
  EXPECT_EQ(plot.title, "Simulated speedup of fib n=20");
  EXPECT_TRUE(plot.x.is_logarithmic && plot.y.is_logarithmic);
  ASSERT_EQ(plot.curves.size(), 1U);
  EXPECT_EQ(plot.curves[0].points.size(), 3U);
  EXPECT_EQ(plot.references[0].name, "ideal");
}

// Two instances, of which the last point of one did not finish and that of the other is not the
// fastest; every share, line and price is that of one point alone.
TEST(SimulateSections, ShowTheValuesOfEachPointInItsOwnTable) {
  const auto uts = [](unsigned workers) {
    return dataset::cell{{"uts", {}}, "central-queue", workers};
  };
  const auto fib = [](unsigned workers) { return fib_on("work-stealing", workers); };
  auto lines = simulated_lines({{fib(1), {8, 8, 8}},
                                {fib(2), {2, 2, 2}},
                                {fib(8), {4, 4, 4}},
                                {dataset::varied(fib(8), "transfer=0.5"), {3, 3, 3}},
                                {dataset::varied(fib(8), "jitter=2"), {6, 6, 6}},
                                {uts(1), {6, 6, 6}},
                                {uts(2), {3, 3, 3}},
                                {uts(8), {}, "timed out"}},
                               {1, 2, 8});
  const auto set = [&](const dataset::cell& which, const std::vector<double>& shares,
                       const std::vector<std::pair<const char*, double>>& hottest) {
    for (json& each : lines) {
      if (!each.contains("simulation") || each["cell"] != name_of(which)) continue;
      json& simulation = each["simulation"];
      for (std::size_t i = 0; i < shares.size(); ++i) {
        simulation["shares"][analysis::share_names.at(i)] = shares[i];
      }
      simulation["lines"] = json::array();
      for (const auto& [name, share] : hottest) {
        simulation["lines"].push_back({{"name", name}, {"share", share}});
      }
      if (which.what.workload == "uts") simulation["unit_from"] = "uts tree=T3";
    }
  };
  set(fib(1), {1, 0, 0, 0, 0}, {});
  set(fib(2), {0.9, 0.04, 0.03, 0.01, 0.02}, {{"cold", 0.0004}});
  set(fib(8), {0.4, 0.1, 0.05, 0.2, 0.25},
      {{"top", 0.1}, {"bottom", 0.05}, {"inbox", 0.002}, {"count", 0.001}});
  set(uts(1), {0.95, 0.05, 0, 0, 0}, {});
  set(uts(2), {0.5, 0.3, 0.08, 0.02, 0.1}, {{"list", 0.003}});
  const auto all = sections_of(read_lines(lines));
  EXPECT_EQ(text_of(section_in(all, "Simulated scaling")),
            "## Simulated scaling\n"
            "\n"
            "Simulated, not measured: profile reference (A processor, 2026-11-22), not validated.\n"
            "\n"
            "fib n=20 on work-stealing: greatest speedup 4.00 × [4.00, 4.00] with 2 workers. With "
            "8 workers, 40.0 % of the workers' time is work; the largest other part is sleep (25.0 "
            "%). The hottest cache line is: top (10.0 %).\n"
            "\n"
            "uts on central-queue: greatest speedup 2.00 × [2.00, 2.00] with 2 workers. With 2 "
            "workers, 50.0 % of the workers' time is work; the largest other part is overhead of "
            "the scheduler (30.0 %). The hottest cache line is: list (0.3 %). The time of a unit "
            "of work is that of uts tree=T3.\n"
            "\n");
  for (const auto& [name, expected] : std::vector<std::pair<const char*, const char*>>{
           {"fib n=20: simulated time and",
            "fib n=20: simulated time and speedup\n"
            "scheduler | workers | time [range] | speedup [range] | moved | steal attempts\n"
            "work-stealing | 1 | 8.00 s [8.00, 8.00] | 1.00 × [1.00, 1.00] | 12 | 20\n"
            "work-stealing | 2 | 2.00 s [2.00, 2.00] | 4.00 × [4.00, 4.00] | 22 | 40\n"
            "work-stealing | 8 | 4.00 s [4.00, 4.00] | 2.00 × [2.00, 2.00] | 82 | 160"},
           {"uts: simulated time and",
            "uts: simulated time and speedup\n"
            "scheduler | workers | time [range] | speedup [range] | moved | steal attempts\n"
            "central-queue | 1 | 6.00 s [6.00, 6.00] | 1.00 × [1.00, 1.00] | 12 | 20\n"
            "central-queue | 2 | 3.00 s [3.00, 3.00] | 2.00 × [2.00, 2.00] | 22 | 40\n"
            "central-queue | 8 | !DNF: timed out! | — | — | —"},
           {"fib n=20: shares",
            "fib n=20: shares of the workers' simulated time\n"
            "scheduler | workers | work | overhead | search | lines | asleep\n"
            "work-stealing | 1 | 100.0 % | 0.0 % | 0.0 % | 0.0 % | 0.0 %\n"
            "work-stealing | 2 | 90.0 % | 4.0 % | 3.0 % | 1.0 % | 2.0 %\n"
            "work-stealing | 8 | 40.0 % | 10.0 % | 5.0 % | 20.0 % | 25.0 %"},
           {"uts: shares",
            "uts: shares of the workers' simulated time\n"
            "scheduler | workers | work | overhead | search | lines | asleep\n"
            "central-queue | 1 | 95.0 % | 5.0 % | 0.0 % | 0.0 % | 0.0 %\n"
            "central-queue | 2 | 50.0 % | 30.0 % | 8.0 % | 2.0 % | 10.0 %\n"
            "central-queue | 8 | !DNF: timed out! | — | — | — | —"},
           {"fib n=20: hottest",
            "fib n=20: hottest cache lines, simulated, and their shares\n"
            "scheduler | workers | first | second | third\n"
            "work-stealing | 1 | — | — | —\n"
            "work-stealing | 2 | — | — | —\n"
            "work-stealing | 8 | top 10.0 % | bottom 5.0 % | inbox 0.2 %"},
           {"uts: hottest",
            "uts: hottest cache lines, simulated, and their shares\n"
            "scheduler | workers | first | second | third\n"
            "central-queue | 1 | — | — | —\n"
            "central-queue | 2 | list 0.3 % | — | —\n"
            "central-queue | 8 | !DNF: timed out! | — | —"},
           {"fib n=20: simulated time with",
            "fib n=20: simulated time with one cost varied\n"
            "scheduler | workers | cost | time [range] | ratio to unvaried [range]\n"
            "work-stealing | 8 | transfer × 0.5 | 3.00 s [3.00, 3.00] | 0.750 × [0.750, 0.750]\n"
            "work-stealing | 8 | jitter × 2 | 6.00 s [6.00, 6.00] | 1.50 × [1.50, 1.50]"}}) {
    EXPECT_EQ(shown(table_in(all, name)), expected);
  }
  const section& plots = section_in(all, "Simulated speedup");
  EXPECT_EQ(
      plots_shown(plots),
      "Simulated speedup of fib n=20\n"
      "Simulated speedup of fib n=20: speedup over one worker over workers. work-stealing: at 1 "
      "1.00 × (1.00 × to 1.00 ×); at 2 4.00 × (4.00 × to 4.00 ×); at 8 2.00 × (2.00 × to 2.00 ×). "
      "For comparison, a line: ideal.\n"
      "Simulated speedup of uts\n"
      "Simulated speedup of uts: speedup over one worker over workers. central-queue: at 1 1.00 × "
      "(1.00 × to 1.00 ×); at 2 2.00 × (2.00 × to 2.00 ×). For comparison, a line: ideal.\n");
  const auto plot = plots_in(plots).at(0);
  EXPECT_EQ(plot.references.at(0).points.at(1).y, 8);
}

TEST(SimulateSections, EachSayThatItsValuesAreSimulated) {
  std::size_t count = 0;
  for (const section& each : simulated()) {
    const bool has_values = !each.title.starts_with("How to read");
    EXPECT_EQ(contains(to_html(report::document{"", {each}}),
                       "Simulated, not measured: profile reference"),
              has_values)
        << each.title;
    ++count;
  }
  EXPECT_EQ(count, 6U);
  const auto data = read_lines(made_simulation());
  EXPECT_EQ(table_in(origin_sections(data), "The profile").rows,
            (std::vector<row>{{"name", "reference"},
                              {"processor", "A processor"},
                              {"date", "2026-11-22"},
                              {"source", "stealbench calibrate"},
                              {"transfer_ns", "90.0"},
                              {"jitter", "0.2"}}));
}

TEST(SimulateSections, KeepASimulationThatDidNotFinishAsARow) {
  const auto all = sections_of(read_lines(
      simulated_lines({{fib_on("a", 1), {}, "timed out"}, {fib_on("a", 2), {1.0}}}, {1, 2})));
  EXPECT_EQ(table_in(all, "fib n=20: simulated time").rows[0],
            (row{"a", "1", "DNF: timed out", "—", "—", "—"}));
  EXPECT_TRUE(contains(text_of(section_in(all, "Simulated scaling")),
                       "no speedup, because one worker did not finish."));
  EXPECT_THROW((void)section_in(all, "Sensitivity of the simulation"), std::out_of_range);
  EXPECT_THROW((void)section_in(all, "Simulated speedup"), std::out_of_range);
}

TEST(SimulateSections, NameAPriceThatIsNotTheInstancesOwn) {
  auto lines = made_simulation();
  for (json& each : lines) {
    if (each.contains("simulation")) each["simulation"]["unit_from"] = "uts tree=T3";
  }
  EXPECT_TRUE(contains(text_of(section_in(sections_of(read_lines(lines)), "Simulated scaling")),
                       "The time of a unit of work is that of uts tree=T3."));
}

TEST(SimulateSections, NeedAProfile) {
  auto lines = made_simulation();
  lines[0]["about"] = json::object();
  EXPECT_THROW((void)read_lines(lines), schedulers::bad_input);
}

std::string note_with(const std::function<void(json& about)>& change) {
  auto lines = made_simulation();
  change(lines[0]["about"]);
  return simulation_note(read_lines(lines));
}

TEST(SimulationNote, SaysTheErrorOfItsProfile) {
  EXPECT_EQ(note_with([](json&) {}),
            "Simulated, not measured: profile reference (A processor, "
            "2026-11-22), not validated.");
  EXPECT_EQ(
      note_with([](json& about) {
        about["profile"]["accuracy"] = {{"median_error", 0.04},
                                        {"ninth_decile_error", 0.12},
                                        {"contended_factor", 1.8},
                                        {"cells", 96},
                                        {"date", "2026-11-22"}};
      }),
      "Simulated, not measured: profile reference (A processor, 2026-11-22). Error against "
      "96 benchmarks measured on A processor: without contention median 4 %, nine in ten within 12 "
      "%; "
      "nine in ten contended ones within a factor of 1.8. With more workers than were measured, "
      "trust only an order that all profiles "
      "share, and no time.");
}

TEST(SimulationNote, SaysWhatIsNotMeasuredOfTheProfile) {
  EXPECT_EQ(note_with([](json& about) {
              about["profile"]["measured"] = false;
              about["profile"]["source"] = "A paper, 2020.";
              about["changes"] = {"transfer 180 ns", "wake 5 us"};
            }),
            "Simulated, not measured: profile reference (A processor, 2026-11-22) with transfer "
            "180 ns, wake 5 us, not "
            "validated. The costs of the profile are not measured; they come from: A paper, 2020.");
}

TEST(SimulationNote, SaysWhatIsDoubtfulOfTheProfile) {
  const std::string note = note_with([](json& about) {
    about["profile"]["doubt"] = "fib misses.";
    about["other_processor"] = "Z80";
  });
  EXPECT_EQ(note,
            "Simulated, not measured: profile reference (A processor, 2026-11-22), not validated. "
            "The profile is doubtful: fib misses. The profile is of another processor than this "
            "simulation ran on (Z80).");
}

TEST(CsvOfASimulation, HasTheMetricsOfASimulationAndNoOthers) {
  const report::table csv = csv_table(read_lines(made_simulation()));
  const auto at = [&](const std::string& name) {
    const auto found = std::ranges::find(csv.columns, name, &report::column::header);
    return static_cast<std::size_t>(found - csv.columns.begin());
  };
  EXPECT_EQ(at("cpu_seconds"), csv.columns.size());
  ASSERT_LT(at("lines_share"), csv.columns.size());
  EXPECT_EQ(csv.rows[2][at("lines_share")], "0.3");
  EXPECT_EQ(csv.rows[2][at("speedup")], "4");
  EXPECT_EQ(csv.rows[2][at("simulated_with")], "reference");
  EXPECT_EQ(csv.rows[3][at("varied")], "transfer=0.5");
  EXPECT_EQ(csv.rows[3][at("seconds")], "1");
}

}  // namespace
}  // namespace stealbench::experiments::simulate
