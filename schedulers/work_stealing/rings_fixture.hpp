// For tests: the deques that keep pointers to jobs in a ring of their own, as deque.hpp says.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

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

/// A tree of forks that counts what it runs in leaves[0] to leaves[count - 1]; `Children` leaves,
/// if not none, are the children of a group. Now and then one lets thieves come, who have little
/// time otherwise: most of the program is calls.
template <std::size_t Children = 0, class Worker>
// NOLINTNEXTLINE(misc-no-recursion): a tree
void count_leaves(Worker worker, std::atomic<int>* leaves, std::size_t count) {
  if (count == 1) {
    if (reinterpret_cast<std::uintptr_t>(leaves) % 256 == 0) std::this_thread::yield();
    ++*leaves;
    return;
  }
  if (count == Children) {
    auto group = worker->task_group();
    for (std::size_t i = 0; i < count; ++i) {
      group.spawn([=](auto w) { count_leaves(w, leaves + i, 1); });
    }
    return group.sync();
  }
  const std::size_t half = count / 2;
  worker->fork_join([=](auto w) { count_leaves<Children>(w, leaves, half); },
                    [=](auto w) { count_leaves<Children>(w, leaves + half, count - half); });
}

/// In `rounds` runs of such a tree each of its leaves runs once.
template <std::size_t Children = 0>
void expect_each_leaf_once(auto& pool, std::size_t count, int rounds) {
  std::vector<std::atomic<int>> leaves(count);
  for (int round = 1; round <= rounds; ++round) {
    pool.run([&](auto w) { count_leaves<Children>(w, leaves.data(), count); });
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(leaves[i], round) << i;
  }
}

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
