#include "results/system/inherited.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace stealbench::system {
namespace {

TEST(Environment, NamesTheVariablesThatBeginSo) {
  setenv("STEALBENCH_TEST_B", "", 1);
  setenv("STEALBENCH_TEST_A", "=", 1);
  EXPECT_EQ(variables("STEALBENCH_TEST_ NOT_SET"),
            (std::vector<std::string>{"STEALBENCH_TEST_A", "STEALBENCH_TEST_B"}));
  EXPECT_TRUE(variables("").empty());
}

TEST(Environment, OfRuntimesIsPrintableAndShort) {
  setenv("GOGC",
         "a\n\xff\x7f"
         "b",
         1);
  EXPECT_NE(environment_of_runtimes().find("GOGC=a???b"), std::string::npos);
  setenv("GOGC", std::string(5000, 'x').c_str(), 1);
  EXPECT_LT(environment_of_runtimes().size(), 1000U);
  unsetenv("GOGC");
  EXPECT_EQ(environment_of_runtimes().find("GOGC"), std::string::npos);
}

}  // namespace
}  // namespace stealbench::system
