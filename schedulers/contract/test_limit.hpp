// A time limit for each test of an executable: a lost wake-up ends in a message that names the test
// and says whether its threads sleep, and not in CTest's time limit for the whole executable.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "schedulers/contract/time_limit.hpp"

namespace stealbench::schedulers::contract {

/// Less than CTest's limit, and a hundred times what the longest test takes.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr std::chrono::seconds longest_test{800};
#else
inline constexpr std::chrono::seconds longest_test{240};
#endif

class limits_tests : public testing::EmptyTestEventListener {
 public:
  explicit limits_tests(std::chrono::seconds longest = longest_test) : longest_(longest) {}

 private:
  // NOLINTBEGIN(readability-identifier-naming): GoogleTest's names
  void OnTestStart(const testing::TestInfo& test) override {
    // A death test forks, which a sanitizer allows to a process of one thread alone.
    if (std::string_view(test.test_suite_name()).ends_with("DeathTest")) return;
    limit_.emplace(std::string("the test ") + test.test_suite_name() + "." + test.name() +
                       ": a worker may sleep that should run something",
                   describe_threads, longest_);
  }
  void OnTestEnd(const testing::TestInfo& /*test*/) override { limit_.reset(); }
  // NOLINTEND(readability-identifier-naming)

  const std::chrono::seconds longest_;
  std::optional<time_limit> limit_;
};

// Before main(): whatever that is.
inline const bool limits_its_tests = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new limits_tests);  // NOLINT: it owns it.
  return true;
}();

}  // namespace stealbench::schedulers::contract
