// The settings of the schedulers: what a user may write, and which option that sets.
#pragma once

#include <string_view>
#include <vector>

#include "schedulers/options.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::schedulers {

/// In the order of the canonical form. Empty where nothing can be set.
[[nodiscard]] std::vector<setting> settings_of(std::string_view scheduler);

/// Lays what the scheduler's variant says over the options. Its deque is a matter of types and not
/// of options.
void apply(std::string_view scheduler, const variant& chosen, options& options);

}  // namespace stealbench::schedulers
