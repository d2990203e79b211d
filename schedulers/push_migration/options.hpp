// The options and settings of push migration alone.
#pragma once

#include <vector>

#include "schedulers/setting_row.hpp"

namespace stealbench::push_migration {

struct options {
  /// How many jobs a worker pushes from one balancing step to its next: at least 1.
  unsigned period = 16;
};

/// In the order of the canonical form.
[[nodiscard]] inline std::vector<schedulers::row> setting_rows() {
  return {schedulers::row_of("balance", "after how many pushes a worker balances the queues",
                             &options::period,
                             {{"16", 16U, {.summary = "every 16th push of a worker"}},
                              {"1", 1U, {.summary = "every push"}},
                              {"4", 4U, {.summary = "every fourth push"}},
                              {"64", 64U, {.summary = "every 64th push"}}})};
}

}  // namespace stealbench::push_migration
