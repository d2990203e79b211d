// Who leads, the ranks, and the order of what `compare` reports.
#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "results/sections/fixture.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

std::string verdict_on(const raw_lines& lines) {
  const auto data = read_lines(lines);
  return verdict_of(estimates(data));
}

/// The comparison, and the same once more with n=30, where this cell takes `factor` times as long.
raw_lines on_two_instances(const std::string& slow_cell, double factor) {
  raw_lines first = made_comparison(6);
  raw_lines second = first;
  slow_down(second, slow_cell, factor);
  second = dataset::renamed(dataset::renamed(second, "n:20", "n:30"), R"("n":"20")", R"("n":"30")");
  for (const json& each : second[0]["cells"]) first[0]["cells"].push_back(each);
  first.pop_back();
  first.insert(first.end(), second.begin() + 2, second.end());
  return first;
}

TEST(Verdict, NamesWhoLeadsAndByHowMuch) {
  const std::string verdict = verdict_on(made_comparison(6));
  EXPECT_TRUE(contains(verdict, "With 2 workers, work-stealing leads. It takes 1.00 × the time"))
      << verdict;
  EXPECT_TRUE(contains(
      verdict,
      "All others that finished are slower on average; serial (1 worker) is next with 2.0"))
      << verdict;
  EXPECT_TRUE(
      contains(verdict, "work-stealing is shown to be slower than the fastest on no instance."))
      << verdict;
}

TEST(Verdict, SaysThatNoneFinishedOnlyWhereOneFailed) {
  std::vector<measured> all{{fib_on("serial", 1), six(1)},
                            {fib_on("openmp", 1), six(1)},
                            {fib_on("serial", 64), six(1)},
                            {fib_on("openmp", 64), six(1), "crashed"}};
  all[2].which.what.parameters = {{"n", "30"}};
  const measurements failed = data_of(all);
  EXPECT_TRUE(contains(verdict_of(estimates(failed)), "no scheduler finished every"))
      << "one failed";
  all[3] = {all[2].which, six(1)};
  all[3].which.scheduler = "openmp";
  const measurements sparse = data_of(all);
  EXPECT_EQ(verdict_of(estimates(sparse)),
            "With 64 workers on 2 processors no scheduler was measured on every workload instance, "
            "so none leads.");
}

TEST(Verdict, NamesWhatSharesTheLead) {
  raw_lines lines = made_comparison(6);
  slow_down(lines, "fib/serial/n:20/workers:2", 0.52);
  EXPECT_TRUE(contains(verdict_on(lines), "All others that finished are slower"))
      << "slower by 4 % in rounds that scatter by 2 %";
  lines = made_comparison(6);
  slow_down(lines, "fib/serial/n:20/workers:2", 0.505);
  std::string verdict = verdict_on(lines);
  EXPECT_TRUE(contains(verdict,
                       "no scheduler leads: none that finished is shown to be slower "
                       "than work-stealing, whose mean is the least ("))
      << verdict;
  EXPECT_FALSE(contains(verdict, "next with")) << verdict;
  std::vector<measured> three{{fib_on("serial", 2), std::vector<double>(6, 2.0)},
                              {fib_on("onetbb", 2), {1, 1.1, 1, 1, 1, 1}},
                              {fib_on("openmp", 2), {1, 1, 1, 1, 1, 1}}};
  const auto data = data_of(three);
  verdict = verdict_of(estimates(data));
  EXPECT_TRUE(contains(verdict, "onetbb (1.00 ×), openmp (1.00 ×) share the lead")) << verdict;
  EXPECT_TRUE(
      contains(verdict, "All others are slower on average; serial (1 worker) is next with 2.00 ×"));
}

/// No word of a rank or a lead anywhere, and how much is missing.
TEST(Verdict, ClaimsNothingBelowSixRounds) {
  for (const std::size_t rounds : {1U, 2U, 5U}) {
    raw_lines lines =
        lines_of("compare", {{fib_on("serial", 2), std::vector<double>(rounds, 9.0)},
                             {fib_on("openmp", 2), std::vector<double>(rounds, 1.0)}});
    lines.back()["spent_seconds"] = 10.0 * static_cast<double>(rounds);
    for (const bool is_finished : {false, true}) {
      if (is_finished) {
        lines.push_back(dataset::finished_line());
        lines.back()["spent_seconds"] = 10.0 * static_cast<double>(rounds);
      }
      const auto data = read_lines(lines);
      const std::string verdict = verdict_of(estimates(data));
      EXPECT_TRUE(contains(verdict, fmt::format("not told apart yet ({} of 6 rounds).", rounds)))
          << verdict;
      EXPECT_TRUE(contains(verdict, fmt::format("about {}.0 s; ", 10 * (6 - rounds)))) << verdict;
      EXPECT_TRUE(contains(verdict, is_finished ? "measure again with --rounds 6 or more."
                                                : "continue with --resume."))
          << verdict;
      for (const section& each : compare_sections(data)) {
        for (const char* const claim :
             {" leads", "is slower", "is next", "At worst", "rank 1", "· 9.00"}) {
          EXPECT_FALSE(contains(text_of(each), claim)) << claim << " in " << text_of(each);
        }
        for (const report::block& block : each.blocks) {
          const auto* const table = std::get_if<report::table>(&block);
          EXPECT_EQ(table == nullptr ? 0
                                     : std::ranges::count(table->marks, report::emphasis::best,
                                                          &report::mark::what),
                    0)
              << each.title;
        }
      }
    }
  }
}

TEST(Verdict, GivesALongTimeInMinutesRoundedUp) {
  for (const auto& [seconds, expected] : std::vector<std::pair<double, std::string>>{
           {179, "179 s"}, {181, "4 min"}, {361, "7 min"}}) {
    raw_lines lines = lines_of("compare", {{fib_on("serial", 2), {1}}, {fib_on("openmp", 2), {1}}});
    lines.back()["spent_seconds"] = seconds / 5;  // Of the six rounds one was measured.
    EXPECT_TRUE(contains(verdict_on(lines), "take about " + expected + ";")) << verdict_on(lines);
  }
}

TEST(Verdict, NamesWhereTheLeaderIsBehind) {
  // Two workers are of no use to work-stealing on one of the two.
  const std::string verdict = verdict_on(on_two_instances("fib/work-stealing/n:20/workers:2", 2.5));
  EXPECT_TRUE(contains(verdict, "work-stealing leads")) << verdict;
  EXPECT_TRUE(contains(verdict, "(geometric mean of 2 instances)")) << verdict;
  EXPECT_TRUE(contains(verdict, " At worst work-stealing takes 1.25 × [")) << verdict;
  EXPECT_TRUE(contains(verdict, "] (fib n=30).")) << verdict;
}

// With the most workers; the next is the best of the others.
TEST(Verdict, NamesTheNextAndTheWorstLoss) {
  std::vector<measured> all;
  const auto add = [&](const std::string& n, const std::string& scheduler, unsigned workers,
                       double seconds) {
    all.push_back({{{"fib", {{"n", n}}}, scheduler, workers}, six(seconds)});
  };
  for (const auto& [n, a, b, c] : std::vector<std::tuple<std::string, double, double, double>>{
           {"20", 2, 1, 9}, {"25", 1, 40, 90}, {"30", 3, 1, 9}}) {
    add(n, "onetbb", 2, b);
    add(n, "openmp", 1, 0.1);
    add(n, "openmp", 2, c);
    add(n, "serial", 2, a);
  }
  const auto data = data_of(all);
  const std::string words = verdict_of(estimates(data));
  EXPECT_TRUE(contains(words, "With 2 workers, serial (1 worker) leads.")) << words;
  EXPECT_TRUE(contains(words, "onetbb is next with 3.42 ×")) << words;
  EXPECT_TRUE(contains(words, " At worst serial (1 worker) takes 3.00 × [3.00, 3.00] (fib n=30)."))
      << words;
}

// The noise of `openmp` hides what is between it and the other two, which differ from each other.
TEST(Verdict, NamesTheOneThatTheOthersAreComparedWithFirst) {
  std::vector<measured> all{{fib_on("onetbb", 2), six(1.05)},
                            {fib_on("openmp", 2), {1, 1.5, 1, 0.7, 1, 1.2}},
                            {fib_on("rayon", 2), six(1.10)}};
  for (measured& each : all) {
    for (std::size_t i = 0; i < each.seconds.size(); ++i)
      each.seconds[i] *= 1 + 1e-3 * static_cast<double>(i % 3);
  }
  const auto of = [](const std::vector<measured>& measured_ones) {
    const auto data = data_of(measured_ones);
    return verdict_of(estimates(data));
  };
  EXPECT_TRUE(contains(of(all), "none is shown to be slower than openmp, whose mean is the least"))
      << of(all);
  all.push_back({fib_on("serial", 2), six(9)});
  EXPECT_TRUE(contains(of(all),
                       "With 2 workers, openmp (1.00 ×), onetbb (1.05 ×), rayon (1.10 ×) "
                       "share the lead: none of them is shown to be slower than the first"))
      << of(all);
}

TEST(Verdict, NamesNobodyWhereNobodyFinished) {
  const auto data = data_of(
      {{fib_on("serial", 2), {}, "wrong answer"}, {fib_on("openmp", 2), {}, "wrong answer"}});
  EXPECT_TRUE(contains(verdict_of(estimates(data)), "so none leads"));
}

TEST(Verdict, ComparesNothingWithOneScheduler) {
  const auto data = data_of({{fib_on("serial", 2), {1, 1}}});
  EXPECT_EQ(verdict_of(estimates(data)), "One scheduler alone, so there is nothing to compare.");
}

TEST(Verdict, SaysWhatDidNotFinish) {
  const auto shown = [](const raw_lines& lines) {
    return text_of(section_in(compare_sections(read_lines(lines)), "Verdict"));
  };
  EXPECT_TRUE(
      contains(shown(made_comparison(6)), "Did not finish: openmp on fib n=20 with 2 workers."));
}

TEST(RankTable, HasTheGeometricMeanAndMarksTheBestAndWhatDidNotFinish) {
  const auto uts = [](const char* scheduler) { return dataset::cell{{"uts", {}}, scheduler, 2}; };
  const auto data = data_of({{fib_on("serial", 2), six(4)},
                             {fib_on("onetbb", 2), six(1)},
                             {fib_on("openmp", 2), {}, "crashed"},
                             {uts("serial"), six(3)},
                             {uts("onetbb"), six(6)},
                             {uts("openmp"), {}, "crashed"}});
  EXPECT_EQ(shown(rank_table(estimates(data))),
            "Rank and time over the best, with 2 workers\n"
            "scheduler | geometric mean | fib n=20 | uts\n"
            "onetbb | *1.41 ×* | *1 · 1.00 ×* | 2 · 2.00 ×\n"
            "serial (1 worker) | 2.00 × | 2 · 4.00 × | *1 · 1.00 ×*\n"
            "openmp | !DNF (2)! | !DNF! | !DNF!");
}

TEST(RankTable, SaysWhereWorkersHadToShareProcessors) {
  const auto data = data_of({{fib_on("serial", 16), six(4)}, {fib_on("onetbb", 16), six(1)}});
  EXPECT_EQ(rank_table(estimates(data)).title,
            "Rank and time over the best, with 16 workers on 2 processors");
  EXPECT_TRUE(verdict_of(estimates(data)).starts_with("With 16 workers on 2 processors, onetbb"));
}

TEST(RankTable, HasTheOrderOfTheDatasetBelowSixRounds) {
  const auto data =
      data_of({{fib_on("serial", 2), {4, 4, 4, 4, 4}}, {fib_on("onetbb", 2), {1, 1, 1, 1, 1}}});
  EXPECT_EQ(shown(rank_table(estimates(data))),
            "Time over the least median, with 2 workers\n"
            "scheduler | geometric mean | fib n=20\n"
            "serial (1 worker) | 4.00 × | 4.00 ×\n"
            "onetbb | 1.00 × | 1.00 ×");
}

TEST(CompareSections, AreInTheirOrderWithWhatATerminalShowsLast) {
  std::vector<std::string> titles;
  std::vector<std::string> summary;
  for (const section& each : compare_sections(read_lines(made_comparison(6)))) {
    titles.push_back(each.title);
    if (each.shown == report::prominence::summary) summary.push_back(each.title);
  }
  EXPECT_EQ(titles, (row{"Verdict", "Ranks", "Speedup", "Overhead", "Balance", "Memory",
                         "First run and steady state", "Processor time and context switches",
                         "All values"}));
  EXPECT_EQ(summary, (row{"Verdict", "Ranks", "Speedup", "Overhead"}));
}

}  // namespace
}  // namespace stealbench::sections
