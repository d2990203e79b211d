// For tests: the deques that keep pointers to jobs in a ring of their own, as deque.hpp says.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "schedulers/work_stealing/deque_queue.hpp"
#include "schedulers/work_stealing/every_deque.hpp"

namespace stealbench::work_stealing {

template <class Tuple>
struct ring_list;
template <class... Deques>
struct ring_list<std::tuple<Deques...>> {
  using types = testing::Types<Deques...>;
  using types_of_int_pointers = testing::Types<typename Deques::template deque<int*>...>;
  static constexpr std::array names{Deques::name...};
};

template <class... Deques>
using rings_among = ring_list<decltype(std::tuple_cat(
    std::declval<
        std::conditional_t<deques::ring<Deques>, std::tuple<Deques>, std::tuple<>>>()...))>;

using rings = deques::every<rings_among>;

/// The deque `Of` with room for two jobs.
template <class Of>
struct narrow {
  static constexpr std::string_view name = Of::name;
  template <class T, class M>
  struct deque : Of::template deque<T, M> {
    deque(std::size_t /*initial_capacity*/, std::size_t /*max_capacity*/)
        : Of::template deque<T, M>(1, 2) {}
  };
  template <class Slot>
  using queue = deque_queue<Slot, deque>;
};

/// For TYPED_TEST_SUITE.
struct ring_names {
  template <class Type>
  // NOLINTNEXTLINE(readability-identifier-naming): GoogleTest calls it so.
  static std::string GetName(int index) {
    std::string name(rings::names.at(static_cast<std::size_t>(index)));
    std::replace(name.begin(), name.end(), '-', '_');  // It begins what a filter leaves out.
    return name;
  }
};

}  // namespace stealbench::work_stealing
