// The settings of the schedulers: a table of what a user may write and which option it sets.
#pragma once

#include <string_view>
#include <vector>

#include "schedulers/options.hpp"
#include "schedulers/variant.hpp"

namespace stealbench::schedulers {

/// In the order of the canonical form. Empty where nothing can be set.
[[nodiscard]] const std::vector<setting>& settings_of(std::string_view scheduler);

/// Lays what the variant says over the options. Its deque is a matter of types and not of options.
void apply(const variant& chosen, options& options);

}  // namespace stealbench::schedulers
