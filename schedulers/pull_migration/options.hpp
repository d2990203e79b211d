// The settings of pull migration, which has no options of its own.
#pragma once

#include <vector>

#include "schedulers/engine/settings.hpp"

namespace stealbench::pull_migration {

[[nodiscard]] inline std::vector<schedulers::row> setting_rows() { return {engine::split_row()}; }

}  // namespace stealbench::pull_migration
