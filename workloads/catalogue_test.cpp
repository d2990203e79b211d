#include "workloads/catalogue.hpp"

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "workloads/all_workloads.hpp"
#include "workloads/counting_worker.hpp"

namespace stealbench::workloads {
namespace {

TEST(Catalogue, DescribesItsWorkloadsInOrder) {
  const std::vector<description> all = descriptions();
  ASSERT_EQ(all.size(), std::tuple_size_v<catalogue>);
  EXPECT_EQ(all.front().name, (std::tuple_element_t<0, catalogue>::describe().name));
  for (const description& a : all) {
    for (const description& b : all) EXPECT_EQ(a.name == b.name, &a == &b);
  }
}

TEST(Catalogue, SaysWhatEachWorkloadAndParameterIs) {
  for (const description& of : descriptions()) {
    EXPECT_FALSE(of.name.empty());
    EXPECT_FALSE(of.summary.empty()) << of.name;
    for (const parameter& each : of.parameters) {
      EXPECT_FALSE(each.meaning.empty()) << of.name << " " << each.key;
    }
  }
}

TEST(Catalogue, HasFourSizesOfDifferentInstancesForEachWorkload) {
  for (const description& of : descriptions()) {
    std::vector<std::string> names;
    for (const size& each : of.sizes) {
      names.push_back(each.name);
      EXPECT_EQ(instances_of(of, each, {}).size(), each.instances.size())
          << of.name << " " << each.name << " names an instance twice";
    }
    EXPECT_EQ(names, (std::vector<std::string>{"test", "small", "standard", "large"})) << of.name;
  }
}

TEST(Catalogue, HasDefaultsInsideTheirDomains) {
  for (const description& of : descriptions()) {
    const parameters defaults(of, {});
    for (const auto& [key, value] : defaults.all()) {
      const parameters typed(of, {{key, to_string(value)}});
      EXPECT_EQ(typed.all(), defaults.all()) << of.name << " " << key;
    }
  }
}

TEST(Catalogue, SaysWhatEachWorkloadIsGoodFor) {
  for (const description& of : descriptions()) {
    for (const std::string* text :
         {&of.about.family, &of.about.shape, &of.about.tasks, &of.about.work, &of.about.span,
          &of.about.bound_by, &of.about.answer, &of.about.source}) {
      EXPECT_FALSE(text->empty()) << of.name;
    }
  }
}

TEST(Catalogue, NamesGrainsThatCanBeSwept) {
  std::size_t swept = 0;
  for (const description& of : descriptions()) {
    if (!of.grain) continue;
    ++swept;
    for (const size& each : of.sizes) {
      for (const parameters& instance : instances_of(of, each, {})) {
        const grain_range range = range_of_grain(of, instance);
        EXPECT_LE(range.least, range.most) << of.name << " " << each.name;
        for (const std::uint64_t end : {range.least, range.most}) {
          EXPECT_NO_THROW(parameters(of, {{of.grain->parameter, std::to_string(end)}})) << of.name;
        }
      }
    }
  }
  EXPECT_GT(swept, 20u);
}

template <class Workload>
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest shows it as the name of the suite.
class InSerialCode : public testing::Test {};

TYPED_TEST_SUITE(InSerialCode, all_workloads);

TYPED_TEST(InSerialCode, TheReferenceIsRight) {
  for (const parameters& instance : test_instances<TypeParam>()) {
    auto in = TypeParam::prepare(instance);
    TypeParam::reset(in);
    const auto out = TypeParam::reference(in);
    EXPECT_EQ(TypeParam::verify(in, out), true);
  }
}

TYPED_TEST(InSerialCode, TheForkCountIsWhatIsForked) {
  for (const parameters& instance : test_instances<TypeParam>()) {
    auto in = TypeParam::prepare(instance);
    TypeParam::reset(in);
    std::uint64_t branches = 0;
    const auto out = TypeParam::run(counting_worker{&branches}, in);
    EXPECT_EQ(TypeParam::fork_count(in, out), branches);
  }
}

}  // namespace
}  // namespace stealbench::workloads
