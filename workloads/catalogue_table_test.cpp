#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "workloads/catalogue.hpp"

namespace stealbench::workloads {
namespace {

TEST(CatalogueTable, HasEveryWorkloadOnce) {
  const std::string table = catalogue_table(descriptions());
  for (const kit::description& each : descriptions()) {
    const std::string row = "| [" + each.name + "](" + each.family + "/" + each.name + "/) |";
    const std::size_t found = table.find(row);
    ASSERT_NE(found, std::string::npos) << each.name << " has the family " << each.family;
    EXPECT_EQ(table.find(row, found + 1), std::string::npos) << each.name;
  }
}

TEST(CatalogueTable, IsTheOneOnThePage) {
  std::ifstream file(STEALBENCH_CATALOGUE_PAGE);
  const std::string page{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_NE(page.find(catalogue_table(descriptions())), std::string::npos)
      << "renew it: cmake --build --preset verify --target pages";
}

}  // namespace
}  // namespace stealbench::workloads
