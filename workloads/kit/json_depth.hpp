// How deeply a text of JSON is nested, before it is parsed: what is nested without end would end
// the stack of whoever walks it. A callback of nlohmann's parser knows too, but takes quadratic
// time.
#pragma once

#include <cstddef>
#include <string_view>

namespace stealbench::kit {

/// Whether lists and objects of the text are inside of more than `most` others.
[[nodiscard]] constexpr bool is_nested_deeper(std::string_view text, int most) {
  int depth = 0;
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char each = text[i];
    if (is_quoted && each == '\\') {
      ++i;
    } else if (each == '"') {
      is_quoted = !is_quoted;
    } else if (!is_quoted && (each == '[' || each == '{')) {
      if (++depth > most) return true;
    } else if (!is_quoted && (each == ']' || each == '}')) {
      --depth;
    }
  }
  return false;
}

}  // namespace stealbench::kit
