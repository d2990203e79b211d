// The settings of continuation stealing. Its options are those of work stealing, of which it reads
// the victim alone.
#pragma once

#include <vector>

#include "schedulers/setting_row.hpp"

namespace stealbench::continuation_stealing {

/// In the order of the canonical form.
[[nodiscard]] std::vector<schedulers::row> setting_rows();

}  // namespace stealbench::continuation_stealing
