// That the random programs are worth running, and that one which fails is made small.
#include "schedulers/contract/random_program.hpp"

#include <cstdint>
#include <initializer_list>
#include <sstream>

#include <gtest/gtest.h>

namespace stealbench::schedulers::contract {
namespace {

void for_each_closure(const program& p, const auto& visit) {
  visit(p);
  for (const program& part : p.parts) for_each_closure(part, visit);
}

TEST(RandomProgram, DoesEverythingOftenEnough) {
  std::uint64_t programs = 0;
  std::uint64_t closures = 0;
  std::uint64_t threw = 0;
  std::uint64_t acts[9] = {};
  EXPECT_TRUE(shows_what_programs_mean([&](const program& p) {
    const observation seen = meaning(p);
    ++programs;
    closures += seen.closures;
    threw += seen.thrown ? 1 : 0;
    for_each_closure(p, [&](const program& each) { ++acts[static_cast<std::size_t>(each.does)]; });
    return seen;
  }));
  EXPECT_EQ(programs, 300u);
  EXPECT_GT(closures, programs * 30);
  EXPECT_GT(threw, programs / 10);
  EXPECT_LT(threw, programs * 9 / 10);
  for (const std::uint64_t each : acts) EXPECT_GT(each, 100u);
}

TEST(RandomProgram, ShrinksToWhatMakesItFail) {
  program last_failing;
  EXPECT_FALSE(shows_what_programs_mean([&](const program& p) {
    observation seen = meaning(p);
    for_each_closure(p, [&](const program& each) {
      if (each.does != act::loop || each.parts.size() < 2) return;
      ++seen.closures;
      last_failing = p;
    });
    return seen;
  }));
  std::ostringstream shown;
  showValue(last_failing, shown);
  EXPECT_EQ(shown.str(), "loop(compute; compute)");
}

program with(act does, std::initializer_list<program> parts) {
  return {.does = does, .parts = parts};
}
const program throwing{.throws_first = true, .parts = {}};
const program leaf;

TEST(Meaning, OfAForkIsTheFirstThrowAfterBothBranches) {
  const observation seen = meaning(with(act::fork, {throwing, throwing}));
  EXPECT_EQ(seen.closures, 3u);
  EXPECT_EQ(seen.thrown, thrown_at(name_of_part(name_of_root, 0), moment::first));
}

TEST(Meaning, OfASequenceEndsAtTheFirstThrowAndOfASwallowThrowsNothing) {
  EXPECT_EQ(meaning(with(act::sequence, {leaf, throwing, leaf})).closures, 3u);
  EXPECT_FALSE(meaning(with(act::swallow, {leaf, throwing})).thrown);
}

TEST(Meaning, OfAGroupThrowsWhatItsSyncDoes) {
  const auto parts = {leaf, throwing, leaf};
  EXPECT_EQ(meaning(with(act::group, parts)).thrown,
            thrown_at(name_of_part(name_of_root, 1), moment::first));
  EXPECT_FALSE(meaning(with(act::unsynced_group, parts)).thrown);
  EXPECT_EQ(meaning(with(act::abandoned_group, parts)).thrown,
            thrown_at(name_of_root, moment::before_sync));
}

TEST(Meaning, OfAGroupWithForksThrowsWhatItsChildrenDoAndNotWhatItsForksDo) {
  const observation seen =
      meaning(with(act::group_and_forks, {leaf, throwing, leaf, throwing, throwing}));
  EXPECT_EQ(seen.closures, 7u);  // The last fork has an empty second branch.
  EXPECT_EQ(seen.thrown, thrown_at(name_of_part(name_of_root, 3), moment::first));
  EXPECT_FALSE(meaning(with(act::group_and_forks, {leaf, throwing, throwing})).thrown);
}

}  // namespace
}  // namespace stealbench::schedulers::contract
