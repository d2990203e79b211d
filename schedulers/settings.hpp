// The settings of work stealing: a table of what a user may write and which option it sets.
#pragma once

#include <vector>

#include "schedulers/options.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::schedulers {

/// In the order of the canonical form.
[[nodiscard]] const std::vector<setting>& work_stealing_settings();

/// Lays what the variant says over the options. Its deque is a matter of types and not of options.
void apply(const variant& chosen, options& options);

}  // namespace stealbench::schedulers
