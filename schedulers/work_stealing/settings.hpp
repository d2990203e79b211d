// The settings of work stealing.
#pragma once

#include <vector>

#include "schedulers/setting_row.hpp"

namespace stealbench::work_stealing {

/// In the order of the canonical form.
[[nodiscard]] std::vector<schedulers::row> setting_rows();

}  // namespace stealbench::work_stealing
