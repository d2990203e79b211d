// The settings of a comparison as its record keeps them, so that `--resume` can go on with them.
#pragma once

#include <string_view>

#include <nlohmann/json.hpp>

#include "bench/compare/plan.hpp"

namespace stealbench::compare {

/// What was asked, in canonical form: what stood for all or for random is spelled out.
[[nodiscard]] nlohmann::ordered_json settings_of(const compare_request& asked, const plan& made);

/// What was typed, and the rest from the settings that a comparison began with. Throws
/// nlohmann::json::exception if they are no such settings.
[[nodiscard]] compare_request completed(compare_request asked, const nlohmann::ordered_json& begun);

/// Throws workloads::bad_input, which names every setting of `now` that differs from `begun`.
void expect_same_settings(const nlohmann::ordered_json& begun, const nlohmann::ordered_json& now);

/// Throws workloads::bad_input: the comparison that was begun is not one that this program makes.
[[noreturn]] void refuse_to_resume(std::string_view why);

}  // namespace stealbench::compare
