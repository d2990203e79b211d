// A sanitizer ends what it is there to find: else all tests pass under its preset, and show
// nothing.
#include <cstdlib>
#include <limits>
#include <memory>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

namespace stealbench::verify {
namespace {

bool has(std::string_view sanitizer) {
  return std::string_view(STEALBENCH_SANITIZE).find(sanitizer) != std::string_view::npos;
}

int read_after_free() {
  auto owner = std::make_unique<volatile int>(1);
  const volatile int* const freed = owner.get();
  owner.reset();
  return *freed;
}

int overflow() {
  volatile int greatest = std::numeric_limits<int>::max();
  greatest = greatest + 1;
  return greatest;
}

void race() {
  int shared = 0;
  std::thread other([&] { ++shared; });
  ++shared;
  other.join();
}

TEST(Sanitizers, EndAReadOfFreedMemory) {
  if (!has("address")) GTEST_SKIP() << "is of AddressSanitizer";
  EXPECT_DEATH(static_cast<void>(read_after_free()), "heap-use-after-free");
}

TEST(Sanitizers, EndASignedOverflow) {
  if (!has("undefined")) GTEST_SKIP() << "is of UndefinedBehaviorSanitizer";
  EXPECT_DEATH(static_cast<void>(overflow()), "");  // In the preset asan by a trap, without a word.
}

TEST(Sanitizers, FailAProcessWithARace) {
  if (!has("thread")) GTEST_SKIP() << "is of ThreadSanitizer";
  const auto failed = [](int status) { return !::testing::ExitedWithCode(0)(status); };
  EXPECT_EXIT((race(), std::exit(0)), failed, "data race");
}

}  // namespace
}  // namespace stealbench::verify
