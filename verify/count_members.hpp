#pragma once

#include <cstddef>

namespace stealbench::verify {

/// Converts to any type, where nothing is evaluated.
struct anything {
  template <class T>
  constexpr operator T() const noexcept;
};

/// The number of members of an aggregate, none of which is an aggregate itself: it is the largest
/// number of values that it can be made from.
template <class Aggregate, class... Counted>
[[nodiscard]] consteval std::size_t count_members() {
  if constexpr (requires { Aggregate{Counted{}..., anything{}}; }) {
    return count_members<Aggregate, Counted..., anything>();
  } else {
    return sizeof...(Counted);
  }
}

}  // namespace stealbench::verify
