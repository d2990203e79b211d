#include <gtest/gtest.h>

#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/fixture.hpp"

namespace stealbench::sections {
namespace {

using dataset::contains;
using dataset::fib_on;
using dataset::json;
using dataset::made_simulation;
using dataset::simulated_lines;
using row = std::vector<std::string>;

std::vector<section> simulated() { return simulate_sections(read_lines(made_simulation())); }

TEST(SimulateSections, SayWhatLimitsEachCurve) {
  const std::string words = text_of(section_in(simulated(), "Simulated scaling"));
  EXPECT_TRUE(contains(words,
                       "fib n=20 on work-stealing: greatest speedup 4.00 × [2.00, 8.00] with 8 "
                       "workers. With 8 workers, 50.0 % of the workers' time is work; the largest "
                       "other part is waiting for cache lines (30.0 %). The hottest cache line is: "
                       "idle count of the parking lot (25.0 %)."))
      << words;
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
  const auto& plot = std::get<report::curve_plot>(plots[0]);
  EXPECT_EQ(plot.title, "Simulated speedup of fib n=20");
  EXPECT_TRUE(plot.x.is_logarithmic && plot.y.is_logarithmic);
  ASSERT_EQ(plot.curves.size(), 1U);
  EXPECT_EQ(plot.curves[0].points.size(), 3U);
  EXPECT_EQ(plot.references[0].name, "ideal");
}

TEST(SimulateSections, EachSayThatItsValuesAreSimulated) {
  std::size_t count = 0;
  for (const section& each : simulated()) {
    const bool has_values = !each.title.starts_with("How to read");
    EXPECT_EQ(contains(text_of(each), "Simulated, not measured: profile reference"), has_values)
        << each.title;
    ++count;
  }
  EXPECT_EQ(count, 6U);
  const auto data = read_lines(made_simulation());
  EXPECT_TRUE(contains(text_of(section_in(origin_sections(data), "The simulated machine")),
                       "transfer_ns | 90.0"));
}

TEST(SimulateSections, KeepASimulationThatDidNotFinishAsARow) {
  const auto all = simulate_sections(read_lines(
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
  EXPECT_TRUE(
      contains(text_of(section_in(simulate_sections(read_lines(lines)), "Simulated scaling")),
               "The time of a unit of work is that of uts tree=T3."));
}

TEST(SimulateSections, NeedAProfile) {
  auto lines = made_simulation();
  lines[0]["about"] = json::object();
  EXPECT_THROW((void)read_lines(lines), kit::bad_input);
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
  EXPECT_EQ(note_with([](json& about) {
              about["profile"]["accuracy"] = {{"median_error", 0.04},
                                              {"ninth_decile_error", 0.12},
                                              {"contended_factor", 1.8},
                                              {"cells", 96},
                                              {"date", "2026-11-22"}};
            }),
            "Simulated, not measured: profile reference (A processor, 2026-11-22). Error against "
            "96 benchmarks measured with "
            "1 and 2 workers on A processor: median 4 %, nine in ten within 12 %; contended ones "
            "within a factor of 1.8. With more workers, trust shapes and mechanisms, not times.");
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
}  // namespace stealbench::sections
