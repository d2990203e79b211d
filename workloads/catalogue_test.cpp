#include "workloads/catalogue.hpp"

#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace stealbench::workloads
