#include <string>

#include <gtest/gtest.h>

#include "workloads/kit/parameters.hpp"

namespace stealbench::kit {
namespace {

TEST(RequireMemory, TakesWhatFits) {
  const std::uint64_t all = physical_memory_bytes();
  EXPECT_NO_THROW(require_memory("n", all, [](std::uint64_t n) { return n; }));
}

TEST(RequireMemory, NamesTheGreatestValueThatFits) {
  const std::uint64_t all = physical_memory_bytes();
  try {
    require_memory("n", all / 4 + 1, [](std::uint64_t n) { return 4 * n; });
    FAIL() << "took too much";
  } catch (const bad_input& refused) {
    const std::string message = refused.what();
    EXPECT_NE(message.find("up to " + std::to_string(all / 4)), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace stealbench::kit
