// For tests: the schedulers whose fibers migrate.
#pragma once

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "schedulers/busy_leaves/scheduler.hpp"
#include "schedulers/continuation_stealing/scheduler.hpp"
#include "schedulers/depth_first/scheduler.hpp"

namespace stealbench::fibers {

using every_scheduler = testing::Types<continuation_stealing::scheduler, busy_leaves::scheduler,
                                       depth_first::scheduler>;

/// For TYPED_TEST_SUITE. Without '-', behind which GoogleTest takes a filter for what is left out:
/// a death test, which runs anew by its name, would then run nothing and end with 0.
struct scheduler_names {
  template <class Type>
  // NOLINTNEXTLINE(readability-identifier-naming): GoogleTest calls it so.
  static std::string GetName(int /*index*/) {
    std::string name(Type::name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};

}  // namespace stealbench::fibers
