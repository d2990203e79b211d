#include "schedulers/adapters/deferred_group.hpp"

#include <cstddef>
#include <system_error>

#include <gtest/gtest.h>

namespace stealbench::schedulers {
namespace {

/// A library that runs `most` children and then throws, if there are more.
struct throwing_library {
  std::size_t most;

  template <class Child>
  void run_all(std::size_t count, const Child& child) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (i == most) throw std::system_error(std::make_error_code(std::errc::not_enough_memory));
      child(*this, i);
    }
  }
};

TEST(DeferredGroup, RunsNoChildAgainAfterTheLibraryHasThrown) {
  int runs = 0;
  {
    deferred_group group(throwing_library{3});
    for (int i = 0; i < 5; ++i) group.spawn([&runs](auto) { ++runs; });
    EXPECT_THROW(group.sync(), std::system_error);
    EXPECT_EQ(runs, 3);
    group.spawn([&runs](auto) { runs += 10; });
    group.sync();
  }
  EXPECT_EQ(runs, 13);
}

}  // namespace
}  // namespace stealbench::schedulers
