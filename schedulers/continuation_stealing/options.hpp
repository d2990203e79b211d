// The settings of continuation stealing. Its options are those of work stealing, of which it reads
// the victim alone.
#pragma once

#include <vector>

#include "schedulers/engine/settings.hpp"
#include "schedulers/setting_row.hpp"
#include "schedulers/work_stealing/options.hpp"

namespace stealbench::continuation_stealing {

/// In the order of the canonical form.
[[nodiscard]] inline std::vector<schedulers::row> setting_rows() {
  return {work_stealing::victim_row(), engine::idle_row()};
}

}  // namespace stealbench::continuation_stealing
