// The settings of what the engine itself does, for the schedulers that have them.
#pragma once

#include "schedulers/setting_row.hpp"

namespace stealbench::engine {

[[nodiscard]] schedulers::row idle_row();
[[nodiscard]] schedulers::row attempts_row();  ///< Requires idle_row().
[[nodiscard]] schedulers::row backoff_row();
[[nodiscard]] schedulers::row searchers_row();  ///< Requires idle_row().
[[nodiscard]] schedulers::row split_row();

}  // namespace stealbench::engine
