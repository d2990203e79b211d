// What is said of the strategy to choose, on made-up times whose answer is known by hand.
#include <gtest/gtest.h>

#include "results/dataset/simulation_fixture.hpp"
#include "results/sections/fixture.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

dataset::cell timed_on(const std::string& workload, const std::string& scheduler,
                       unsigned workers) {
  return {{workload, {}}, scheduler, workers};
}

using times_by_strategy = std::vector<std::pair<std::string, std::vector<double>>>;

/// Seconds of each strategy on w1, w2 and w3.
std::vector<measured> cells_of(const times_by_strategy& all, unsigned workers,
                               std::size_t rounds = 6) {
  std::vector<measured> cells;
  for (const auto& [scheduler, seconds] : all) {
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      cells.push_back({timed_on("w" + std::to_string(i + 1), scheduler, workers),
                       std::vector<double>(rounds, seconds[i])});
    }
  }
  return cells;
}

const times_by_strategy made_times{{"one", {1, 2, 4}}, {"two", {2, 1, 16}}, {"three", {1, 4, 1}}};

measurements with_families(measurements data) {
  data.name_families({{"w1", "recursive"}, {"w2", "recursive"}, {"w3", "loops"}});
  return data;
}

std::string choice_in(const measurements& data, unsigned workers) {
  return choice_of(estimates(data), workers);
}

TEST(Choice, IsTheLeastMeanWithItsWorstAndWhatAFamilyTakesInstead) {
  EXPECT_EQ(choice_in(with_families(data_of(cells_of(made_times, 2))), 2),
            "If you may choose one of 3 strategies with 2 workers: three, 1.59 × the best on "
            "average, 4.00 × at "
            "worst (w2). For the family recursive alone: one, 1.41 × (three takes 2.00 ×).");
}

TEST(Choice, NamesWhatIsNotToldApart) {
  EXPECT_EQ(choice_in(data_of(cells_of({{"a", {1, 1}}, {"b", {1, 1}}, {"c", {9, 9}}}, 1)), 1),
            "If you may choose one of 3 strategies with 1 worker: a, 1.00 × the best on average, "
            "and is shown to be "
            "slower than the best nowhere. Not told apart from it: b.");
}

TEST(Choice, IsNoneOfTwoStrategiesAndBelowSixRounds) {
  EXPECT_EQ(choice_in(data_of(cells_of({{"a", {1}}, {"b", {2}}}, 2)), 2), "");
  EXPECT_EQ(choice_in(data_of(cells_of(made_times, 2, 5)), 2), "");
}

/// Of strategies of which most are compared with `two`.
measurements compared_with_two(const std::vector<measured>& cells) {
  const json pairs{{{"factor", "f"}, {"variant", "one"}, {"against", "two"}},
                   {{"factor", "f"}, {"variant", "three"}, {"against", "two"}},
                   {{"factor", "f"}, {"variant", "two"}, {"against", "one"}}};
  return data_of(cells, {{"ablation", pairs}});
}

// Of these two nothing but chance says which is faster.
const std::vector<double> usual{1.0, 1.2, 0.9, 1.1, 1.0, 1.3};
const std::vector<double> least{0.9, 1.1, 1.0, 1.0, 0.8, 1.3};

TEST(Choice, IsTheBaseOfAnAblationUnlessItIsShownToBeSlower) {
  const std::string words = choice_in(compared_with_two({{timed_on("w", "four", 2), usual},
                                                         {timed_on("w", "one", 2), least},
                                                         {timed_on("w", "two", 2), usual},
                                                         {timed_on("w", "three", 2), six(9)}}),
                                      2);
  EXPECT_TRUE(contains(words, "with 2 workers: two, 1.05 ×")) << words;
  EXPECT_TRUE(contains(words, "Not told apart from it: one, four.")) << words;
  EXPECT_FALSE(contains(words, "compared with")) << words;
}

TEST(Choice, IsTheBaseForAFamilyTooUnlessItIsShownToBeSlowerThere) {
  const std::string words = choice_in(with_families(compared_with_two({
                                          {timed_on("w1", "one", 2), least},
                                          {timed_on("w1", "two", 2), usual},
                                          {timed_on("w1", "three", 2), six(3)},
                                          {timed_on("w3", "one", 2), six(30)},
                                          {timed_on("w3", "two", 2), six(30)},
                                          {timed_on("w3", "three", 2), six(1)},
                                      })),
                                      2);
  EXPECT_TRUE(contains(words, "with 2 workers: three, ")) << words;
  EXPECT_TRUE(contains(words, "For the family recursive alone: two, 1.05 × (three takes 3.00 ×)."))
      << words;
}

TEST(Choice, SaysWhatTheBaseOfAnAblationTakes) {
  const std::string words = choice_in(compared_with_two(cells_of(made_times, 2)), 2);
  EXPECT_TRUE(contains(words,
                       "(w2). two, which most are compared with: 3.17 × the best on average, "
                       "16.0 × at worst (w3)."))
      << words;
}

TEST(Choice, SaysNothingOfABaseThatIsNotAmongTheStrategies) {
  const std::string words =
      choice_in(compared_with_two(cells_of({{"one", {1}}, {"three", {2}}, {"four", {3}}}, 2)), 2);
  EXPECT_TRUE(contains(words, "with 2 workers: one, 1.00 ×")) << words;
  EXPECT_FALSE(contains(words, "compared with")) << words;
}

/// One instance; with 64 workers, and once more with each cost.
measurements simulated_by_cost(
    const std::vector<std::pair<std::string, std::vector<double>>>& by_cost) {
  std::vector<dataset::simulated> all;
  for (const auto& [cost, seconds] : by_cost) {
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      all.push_back(
          {dataset::varied(timed_on("w", std::string(1, static_cast<char>('a' + i)), 64), cost),
           six(seconds[i])});
    }
  }
  return read_lines(dataset::simulated_lines(all, {64}));
}

TEST(Choice, SaysWhereTheSensitivityTableContradictsIt) {
  const std::string claim =
      "If you may choose one of 3 strategies with 64 workers, simulated, reference: a, 1.00 × the "
      "best on "
      "average, "
      "and is shown to be slower than the best nowhere.";
  EXPECT_EQ(choice_in(simulated_by_cost({{"", {1, 2, 3}}}), 64), claim) << "no other cost";
  EXPECT_EQ(choice_in(simulated_by_cost({{"", {1, 2, 3}}, {"wake=2", {1, 3, 3}}}), 64),
            claim + " The same leads with each other cost of the sensitivity table.");
  EXPECT_EQ(
      choice_in(
          simulated_by_cost({{"", {1, 2, 3}}, {"wake=0.5", {6, 2, 3}}, {"wake=2", {1, 3, 3}}}), 64),
      claim +
          " The sensitivity table contradicts this: with wake × 0.5 it is b (a takes "
          "3.00 ×).");
}

report::table regret_table_of(const measurements& data) {
  return table_in(regret_section(estimates(data)), "Regret");
}

TEST(RegretTable, HasTheMeanAndTheWorstOfEachStrategy) {
  EXPECT_EQ(
      shown(regret_table_of(data_of(cells_of(made_times, 2)))),
      "Regret: time over the best of 3 strategies, geometric mean of 3 instances · the worst\n"
      "strategy | 2 workers\n"
      "(choose) | three\n"
      "three | *1.59 × · 4.00 × w2*\n"
      "one | 2.00 × · 4.00 × w3\n"
      "two | 3.17 × · 16.0 × w3");
}

TEST(RegretTable, SaysWhatIsNotToldApartAndWhatDidNotFinish) {
  auto cells = cells_of({{"a", {1, 1}}, {"b", {1, 1}}}, 2);
  cells.push_back({timed_on("w1", "c", 2), {}, "crashed"});
  cells.push_back({timed_on("w2", "c", 2), six(1)});
  EXPECT_EQ(regret_table_of(data_of(cells)).rows, (std::vector<row>{{"(choose)", "a, b"},
                                                                    {"a", "1.00 × · nowhere"},
                                                                    {"b", "1.00 × · nowhere"},
                                                                    {"c", "DNF (1)"}}));
}

TEST(RegretTable, HasRangesBelowSixRounds) {
  const auto data = data_of({{timed_on("w", "a", 2), {1, 1}},
                             {timed_on("w", "b", 2), {2, 4}},
                             {timed_on("w", "c", 2), {9, 9}}});
  EXPECT_EQ(regret_table_of(data).rows[2], (row{"b", "3.00 × [2.00, 4.00] · 3.00 × w"}));
}

// As in a comparison, where `serial` has one benchmark, beside the most workers.
TEST(RegretTable, CountsTheStrategiesOfEachWorkerCount) {
  auto cells = cells_of({{"one", {1}}, {"two", {2}}, {"three", {3}}}, 1);
  const auto with_two = cells_of({{"one", {1}}, {"two", {2}}, {"three", {3}}, {"serial", {2}}}, 2);
  cells.insert(cells.end(), with_two.begin(), with_two.end());
  const auto data = data_of(cells);
  EXPECT_TRUE(contains(choice_in(data, 1), "one of 3 strategies with 1 worker:"));
  EXPECT_TRUE(contains(choice_in(data, 2), "one of 4 strategies with 2 workers:"));
  const report::table found = regret_table_of(data);
  EXPECT_TRUE(contains(found.title, "over the best of 3 to 4 strategies,")) << found.title;
  EXPECT_EQ(headers_of(found), "strategy | 1 worker | 2 workers");
  EXPECT_EQ(found.rows.back().front(), "three");
  EXPECT_EQ(found.rows.at(3).front(), "serial (1 worker)");
}

TEST(RegretTable, LeavesOutWorkerCountsOfTwoStrategies) {
  auto cells = cells_of({{"one", {1}}, {"two", {2}}}, 1);
  EXPECT_EQ(choice_in(data_of(cells), 1), "");
  const auto with_two = cells_of({{"one", {1}}, {"two", {2}}, {"serial", {2}}}, 2);
  cells.insert(cells.end(), with_two.begin(), with_two.end());
  const auto data = data_of(cells);
  EXPECT_EQ(choice_in(data, 1), "");
  EXPECT_EQ(headers_of(regret_table_of(data)), "strategy | 2 workers");
  std::erase_if(cells, [](const measured& each) {
    return each.which.workers == 2 && each.which.scheduler != "serial";
  });
  const auto apart = data_of(cells);
  EXPECT_TRUE(regret_section(estimates(apart)).empty());
  EXPECT_TRUE(regret_sections(std::vector{apart}).empty());
}

TEST(RegretSections, SetMachinesSideBySideOverWhatAllHave) {
  auto fast = dataset::simulated_lines({{timed_on("w1", "one", 64), six(1)},
                                        {timed_on("w1", "two", 64), six(2)},
                                        {timed_on("w1", "three", 64), six(3)},
                                        {timed_on("w1", "four", 64), six(0.1)}},
                                       {64});
  auto slow = dataset::renamed(dataset::simulated_lines({{timed_on("w1", "three", 64), six(1)},
                                                         {timed_on("w1", "two", 64), six(2)},
                                                         {timed_on("w1", "one", 64), six(3)}},
                                                        {64}),
                               R"("name":"reference")", R"("name":"other")");
  slow[0]["about"]["changes"] = {"wake 2us"};
  const auto all = regret_sections(
      std::vector{data_of(cells_of(made_times, 2, 3)), read_lines(fast), read_lines(slow)});
  const std::string words = text_of(section_in(all, "Regret"));
  for (const char* const part :
       {"Measured, the strategies are not told apart yet (3 of 6 rounds).",
        "If you may choose one of 4 strategies with 64 workers, simulated, reference: four, 1.00 ×",
        "If you may choose one of 3 strategies with 64 workers, simulated, other with wake 2us: "
        "three, 1.00 "
        "×"}) {
    EXPECT_TRUE(contains(words, part)) << part << " in\n" << words;
  }
  EXPECT_EQ(shown(table_in(all, "Regret")),
            "Regret: time over the best of 3 strategies, geometric mean of 1 instance · the worst\n"
            "strategy | 2 workers | 64 workers, simulated, reference | 64 workers, simulated, "
            "other with wake 2us\n"
            "(choose) | not told apart yet | one | three\n"
            "three | 1.00 × [1.00, 1.00] · 1.00 × w1 | 3.00 × · 3.00 × w1 | *1.00 × · "
            "nowhere*\n"
            "two | 2.00 × [2.00, 2.00] · 2.00 × w1 | 2.00 × · 2.00 × w1 | 2.00 × · 2.00 × w1\n"
            "one | 1.00 × [1.00, 1.00] · 1.00 × w1 | *1.00 × · nowhere* | 3.00 × · 3.00 × "
            "w1");
  EXPECT_TRUE(regret_sections(std::vector{data_of({{timed_on("w", "a", 2), six(1)}})}).empty());
}

TEST(RegretSections, NameTheBaseFirstOnEveryMachine) {
  const auto other = dataset::simulated_lines({{timed_on("w", "one", 64), least},
                                               {timed_on("w", "two", 64), usual},
                                               {timed_on("w", "three", 64), six(9)}},
                                              {64});
  const auto all =
      regret_sections(std::vector{compared_with_two({{timed_on("w", "one", 2), least},
                                                     {timed_on("w", "two", 2), usual},
                                                     {timed_on("w", "three", 2), six(9)}}),
                                  read_lines(other)});
  EXPECT_EQ(table_in(all, "Regret").rows.front(), (row{"(choose)", "two, one", "two, one"}));
}

TEST(RegretSections, DivideMoreThanFourColumnsByTheirSimulatedWorkerCounts) {
  const auto times = [](double first) {
    std::vector<dataset::simulated> all;
    for (const unsigned workers : {8U, 64U}) {
      all.push_back({timed_on("w1", "one", workers), six(first)});
      all.push_back({timed_on("w1", "two", workers), six(2)});
      all.push_back({timed_on("w1", "three", workers), six(workers)});
    }
    return dataset::simulated_lines(all, {8, 64});
  };
  const auto all = regret_sections(std::vector{
      data_of(cells_of(made_times, 2)), read_lines(times(1)),
      read_lines(dataset::renamed(times(4), R"("name":"reference")", R"("name":"other")"))});
  std::vector<std::string> tables;
  for (const report::block& each : section_in(all, "Regret").blocks) {
    if (const auto* table = std::get_if<report::table>(&each)) tables.push_back(shown(*table));
  }
  ASSERT_EQ(tables.size(), 3U);
  EXPECT_TRUE(contains(tables[0], "· the worst\nstrategy | 2 workers\n")) << tables[0];
  EXPECT_EQ(tables[1],
            "Regret with 8 workers, simulated: time over the best of 3 strategies, geometric mean "
            "of 1 instance · the worst\n"
            "strategy | reference | other\n"
            "(choose) | one | two\n"
            "two | 2.00 × · 2.00 × w1 | *1.00 × · nowhere*\n"
            "one | *1.00 × · nowhere* | 2.00 × · 2.00 × w1\n"
            "three | 8.00 × · 8.00 × w1 | 4.00 × · 4.00 × w1");
  EXPECT_TRUE(contains(tables[2], "Regret with 64 workers, simulated: ")) << tables[2];
  EXPECT_TRUE(contains(tables[2], "three | 64.0 × · 64.0 × w1 | 32.0 ×")) << tables[2];
}

}  // namespace
}  // namespace stealbench::sections
