#include "workloads/kit/parameters.hpp"

#include <initializer_list>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace stealbench::kit {
namespace {

/// A workload of one parameter of each kind, and a word that means two of them.
description sample() {
  return {
      .name = "sample",
      .summary = "for tests",
      .parameters = {{"preset", "a name for a count and a rate",
                      choice_domain{.words = {"custom", "half", "all"},
                                    .standard = "custom",
                                    .means = {{"half", {{"count", "50"}, {"rate", "0.5"}}},
                                              {"all", {{"count", "100"}}}}}},
                     {"count", "things", integer_domain{1, 100, 10}},
                     {"rate", "things per second", real_domain{0, 2, 0.25}},
                     {"mode", "how", choice_domain{.words = {"fast", "slow"}, .standard = "fast"}}},
      .sizes = {{"test", {{{"count", "1"}}}},
                {"small", {{}, {{"preset", "half"}, {"mode", "slow"}}, {{"preset", "all"}}}}}};
}

parameters chosen(const std::vector<assignment>& assignments) { return {sample(), assignments}; }

/// The message of the bad_input that `action` throws; empty if it throws none.
template <class Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const bad_input& error) {
    return error.what();
  }
  return {};
}

std::string complaint_about(const std::vector<assignment>& assignments) {
  return complaint([&] { (void)chosen(assignments); });
}

TEST(Parameters, AreTheDefaultsWhereNothingIsAssigned) {
  const parameters values = chosen({});
  EXPECT_EQ(values.integer("count"), 10u);
  EXPECT_EQ(values.real("rate"), 0.25);
  EXPECT_EQ(values.choice("mode"), "fast");
  EXPECT_FALSE(values.was_set("count"));
}

TEST(Parameters, TakeTheLastOfSeveralAssignments) {
  const parameters values = chosen({{"count", "7"}, {"mode", "slow"}, {"count", "8"}});
  EXPECT_EQ(values.integer("count"), 8u);
  EXPECT_EQ(values.choice("mode"), "slow");
  EXPECT_TRUE(values.was_set("count"));
  EXPECT_FALSE(values.was_set("rate"));
}

TEST(Parameters, AreListedInTheOrderOfTheDescription) {
  std::vector<std::string> entries;
  const parameters values = chosen({{"rate", "1e-3"}});
  for (const auto& [key, value] : values.all()) entries.push_back(key + "=" + to_string(value));
  EXPECT_EQ(entries,
            (std::vector<std::string>{"preset=custom", "count=10", "rate=0.001", "mode=fast"}));
}

TEST(Parameters, AcceptTheEndsOfARangeAndPowersOfTwo) {
  EXPECT_EQ(chosen({{"count", "1"}}).integer("count"), 1u);
  EXPECT_EQ(chosen({{"count", "100"}}).integer("count"), 100u);
  EXPECT_EQ(chosen({{"count", "2^6"}}).integer("count"), 64u);
  EXPECT_EQ(chosen({{"rate", "0"}}).real("rate"), 0.0);
  EXPECT_EQ(chosen({{"rate", "2.0"}}).real("rate"), 2.0);
}

void expect_refused(const std::string& key, std::initializer_list<const char*> typed,
                    const std::string& valid) {
  for (const char* text : typed) {
    EXPECT_EQ(complaint_about({{key, text}}),
              fmt::format("--set {}={}: expected {}", key, text, valid));
  }
}

TEST(Parameters, RefuseWhatIsNoValueOrOutOfItsRangeWithWhatIsValid) {
  expect_refused("count",
                 {"",
                  " ",
                  "abc",
                  "-1",
                  "+1",
                  " 1",
                  "1 ",
                  "1.0",
                  "1e2",
                  "0x10",
                  "1,000",
                  "2^",
                  "2^-1",
                  "2^ 3",
                  "2^64",
                  "3^2",
                  "2^2^2",
                  "0",
                  "101",
                  "2^7",
                  "18446744073709551616",
                  "99999999999999999999999"},
                 "an integer between 1 and 100");
  expect_refused("rate",
                 {"", "x", "+1", " 1", "1 ", "1,5", "0x1p0", "nan", "inf", "-inf", "1e999", "-0.5",
                  "2.0000001", "1e300"},
                 "a number between 0 and 2");
  expect_refused("mode", {"Fast", ""}, "one of fast, slow");
}

TEST(Parameters, NameTheKeysThatAWorkloadHas) {
  EXPECT_EQ(complaint_about({{"cuont", "1"}}),
            "--set cuont=1: sample has no parameter 'cuont'; valid: preset, count, rate, mode");
}

TEST(Parameters, FillInWhatTheLastOfSeveralWordsStandsFor) {
  const parameters values = chosen({{"preset", "half"}});
  EXPECT_EQ(values.integer("count"), 50u);
  EXPECT_EQ(values.real("rate"), 0.5);
  EXPECT_TRUE(values.was_set("preset"));
  EXPECT_FALSE(values.was_set("count"));
  const parameters other = chosen({{"preset", "half"}, {"preset", "all"}});
  EXPECT_EQ(other.integer("count"), 100u);
  EXPECT_EQ(other.real("rate"), 0.25);
}

TEST(Parameters, RefuseAValueBesideAWordThatStandsForIt) {
  const std::string expected =
      "--set preset=half: it means count=50, so --set count cannot be used with it";
  EXPECT_EQ(complaint_about({{"preset", "half"}, {"count", "50"}}), expected);
  EXPECT_EQ(complaint_about({{"count", "50"}, {"preset", "half"}}), expected);
  EXPECT_EQ(complaint_about({{"preset", "half"}, {"mode", "slow"}}), "");
  EXPECT_EQ(complaint_about({{"preset", "custom"}, {"count", "50"}}), "");
}

TEST(WhyNotSimulated, IsMemoryOnlyIfTheDescriptionSaysSo) {
  description each = sample();
  EXPECT_EQ(why_not_simulated(each),
            "cannot be simulated, because its description names no unit of work");
  each.about.bound_by = "memory latency";
  EXPECT_TRUE(why_not_simulated(each).ends_with("it is bound by memory latency"));
  each.about.unit = "step";
  EXPECT_EQ(why_not_simulated(each), "");
}

TEST(ParseAssignment, SplitsAtTheFirstEqualsSignAndRefusesWhatHasNoKey) {
  EXPECT_EQ(parse_assignment("key=value"), (assignment{"key", "value"}));
  EXPECT_EQ(parse_assignment("key=a=b"), (assignment{"key", "a=b"}));
  EXPECT_EQ(parse_assignment("key="), (assignment{"key", ""}));
  for (const std::string typed : {"key", "=1", ""}) {
    EXPECT_EQ(complaint([&] { (void)parse_assignment(typed); }),
              "--set " + (typed.empty() ? "''" : typed) + ": expected KEY=VALUE");
  }
}

TEST(Parameters, AreEnumeratorsByThePlaceOfTheWord) {
  enum class mode { fast, slow };
  EXPECT_EQ(chosen({}).choice_as<mode>("mode"), mode::fast);
  EXPECT_EQ(chosen({{"mode", "slow"}}).choice_as<mode>("mode"), mode::slow);
}

TEST(Parameters, NameThePowersOfTwoBesideANumberThatIsNone) {
  EXPECT_NO_THROW(require_power_of_two(chosen({{"count", "64"}}), "count"));
  EXPECT_EQ(complaint([] {
              require_power_of_two(chosen({{"count", "65"}}), "count");
            }),
            "--set count=65: expected a power of two, such as 64 or 128");
}

TEST(FindSize, NamesTheSizesThatAWorkloadHas) {
  EXPECT_EQ(find_size(sample(), "small").instances.size(), 3u);
  EXPECT_EQ(complaint([] { (void)find_size(sample(), "huge"); }),
            "--size huge: sample has no such size; valid: test, small");
}

std::vector<std::uint64_t> counts_of(const std::string& size_name,
                                     const std::vector<assignment>& by_user) {
  const description described = sample();
  std::vector<std::uint64_t> found;
  for (const parameters& instance :
       instances_of(described, find_size(described, size_name), by_user)) {
    found.push_back(instance.integer("count"));
  }
  return found;
}

TEST(InstancesOf, AreThoseOfTheSizeWithWhatTheUserSets) {
  using counts = std::vector<std::uint64_t>;
  EXPECT_EQ(counts_of("test", {}), (counts{1}));
  EXPECT_EQ(counts_of("small", {}), (counts{10, 50, 100}));
  EXPECT_EQ(counts_of("small", {{"mode", "fast"}}), (counts{10, 50, 100}));
  // Nothing of `half` is left but mode=slow, and nothing of `all`, which is then the first again.
  EXPECT_EQ(counts_of("small", {{"count", "3"}}), (counts{3, 3})) << "a value drops a word";
  EXPECT_EQ(counts_of("test", {{"preset", "half"}}), (counts{50})) << "and a word a value";
  EXPECT_EQ(counts_of("small", {{"preset", "all"}, {"mode", "fast"}}), (counts{100}))
      << "what has become the same runs once";
}

TEST(InstancesOf, StillRefuseTheUsersOwnContradiction) {
  const description described = sample();
  EXPECT_EQ(complaint([&] {
              (void)instances_of(described, find_size(described, "test"),
                                 {{"preset", "all"}, {"count", "2"}});
            }),
            "--set preset=all: it means count=100, so --set count cannot be used with it");
  EXPECT_EQ(complaint([&] {
              (void)instances_of(described, find_size(described, "test"), {{"cuont", "2"}});
            }),
            "--set cuont=2: sample has no parameter 'cuont'; valid: preset, count, rate, mode");
}

}  // namespace
}  // namespace stealbench::kit
