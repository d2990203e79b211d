// Input from outside: options, files, answers of processes. Everything above includes it.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string_view>

namespace stealbench::schedulers {

/// Input that a user must correct: the message names what is valid, and the exit status is 2.
class bad_input : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Whether lists and objects of a text of JSON are inside of more than `most` others. To be asked
/// before it is parsed: deep nesting overflows the stack of what walks the result. A callback of
/// nlohmann's parser knows the depth too, but takes quadratic time.
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

}  // namespace stealbench::schedulers
