#include <stdexcept>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

#include "workloads/kit/parameters.hpp"

namespace stealbench::kit {
namespace {

using instances = std::vector<std::vector<assignment>>;

description written() {
  return described(R"(
# A comment: not a label.
sample: what it does: a summary
shape: a = b: a shape that is
    continued
bound by: compute
n=2^20 (1 to 2^30): number of things: many (or few)
seed=7 (any): seed of the things
rate=1e-3 (real, 0 to 2.5): things per second
form=group (group | a fork | none): how they are
    made
grain: n, 2 to 2^9
sizes: n=8 form=*; n=2^3 rate=0.25 | form=none
)");
}

TEST(Described, HasItsNameSummaryAndProfile) {
  EXPECT_EQ(written().name, "sample");
  EXPECT_EQ(written().summary, "what it does: a summary");
  EXPECT_EQ(written().about.shape, "a = b: a shape that is continued");
  EXPECT_EQ(written().about.bound_by, "compute");
  EXPECT_EQ(written().about.unit, "");
}

TEST(Described, HasAGrainOfElementsOrOfLevelsUpToANumberOrAnotherParameter) {
  const granularity own = written().grain.value();
  EXPECT_EQ(own.parameter, "n");
  EXPECT_EQ(own.least, 2u);
  EXPECT_EQ(own.most, 512u);
  const granularity leaf = described("a: b\ngrain: leaf, 16 to n").grain.value();
  EXPECT_EQ(leaf.bounded_by, "n");
  EXPECT_EQ(leaf.most, ~std::uint64_t{0});
  EXPECT_EQ(leaf.counts, "size");
  const auto unit = [](const std::string& levels) {
    return described("a: b\ngrain: c, 0 to n, " + levels).grain.value().counts;
  };
  EXPECT_EQ(unit("levels of forks"), "levels_of_forks");
  EXPECT_EQ(unit("levels of a piece"), "levels_of_a_piece");
}

TEST(Described, HasEachKindOfParameterInOrder) {
  const std::vector<parameter> all = written().parameters;
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[0].key, "n");
  EXPECT_EQ(all[0].meaning, "number of things: many (or few)");
  const auto whole = std::get<integer_domain>(all[0].domain);
  EXPECT_EQ(whole.least, 1u);
  EXPECT_EQ(whole.most, 1u << 30);
  EXPECT_EQ(whole.standard, 1u << 20);
  const auto any = std::get<integer_domain>(all[1].domain);
  EXPECT_EQ(any.least, 0u);
  EXPECT_EQ(any.most, ~std::uint64_t{0});
  EXPECT_EQ(any.standard, 7u);
  const auto real = std::get<real_domain>(all[2].domain);
  EXPECT_EQ(real.least, 0);
  EXPECT_EQ(real.most, 2.5);
  EXPECT_EQ(real.standard, 1e-3);
  EXPECT_EQ(all[3].meaning, "how they are made");
  const auto choice = std::get<choice_domain>(all[3].domain);
  EXPECT_EQ(choice.words, (std::vector<std::string>{"group", "a fork", "none"}));
  EXPECT_EQ(choice.standard, "group");
}

TEST(Described, HasTheInstancesOfEachSizeAndOneForEachWordOfAStar) {
  const std::vector<size> all = written().sizes;
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "test");
  EXPECT_EQ(all[0].instances, (instances{{{"n", "8"}, {"form", "group"}},
                                         {{"n", "8"}, {"form", "a fork"}},
                                         {{"n", "8"}, {"form", "none"}},
                                         {{"n", "2^3"}, {"rate", "0.25"}}}));
  EXPECT_EQ(all[1].instances, (instances{{{"form", "none"}}}));
}

TEST(Described, RefusesWhatIsNoDescription) {
  EXPECT_THROW((void)described(""), std::exception);
  EXPECT_THROW((void)described("a: b\ncolour: red"), std::logic_error);
  EXPECT_THROW((void)described("a: b\nno label"), std::logic_error);
  EXPECT_THROW((void)described("a: b\nn=x (1 to 2): c"), std::exception);
  EXPECT_THROW((void)described("a: b\nn=1: no domain"), std::logic_error);
  EXPECT_THROW((void)described("a: b\ngrain: n"), std::exception);
  EXPECT_THROW((void)described("a: b\ngrain: n, 1 to 2, feet"), std::logic_error);
  EXPECT_THROW((void)description_of("no such room"), std::logic_error);
}

}  // namespace
}  // namespace stealbench::kit
