// The settings of work stealing, and those of them that continuation stealing has as well.
#pragma once

#include <vector>

#include "schedulers/setting_row.hpp"

namespace stealbench::work_stealing {

/// In the order of the canonical form.
[[nodiscard]] std::vector<schedulers::row> setting_rows();

}  // namespace stealbench::work_stealing
