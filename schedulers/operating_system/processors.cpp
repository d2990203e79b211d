#include "schedulers/operating_system/processors.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <type_traits>

#include <hwloc.h>

namespace stealbench::operating_system {
namespace {

template <class T, auto Free>
using owned =
    std::unique_ptr<std::remove_pointer_t<T>, std::integral_constant<decltype(Free), Free>>;

// Read once, at start-up: a pinned thread that asks later would be told of its one processor alone.
const std::vector<unsigned>& allowed_processors() {
  static const std::vector<unsigned> allowed = [] {
    processor_set set{};
    if (sched_getaffinity(0, sizeof set, set.data()) != 0) set = only(0);
    std::vector<unsigned> numbers;
    for (unsigned i = 0; i < 8 * sizeof set; ++i) {
      if (CPU_ISSET_S(i, sizeof set, set.data())) numbers.push_back(i);
    }
    return numbers;
  }();
  return allowed;
}

[[maybe_unused]] const std::vector<unsigned>& read_at_start_up = allowed_processors();

using topology = owned<hwloc_topology_t, &hwloc_topology_destroy>;

topology read_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return nullptr;
  topology read(raw);
  // Otherwise hwloc moves this thread to each processor in turn, to ask that one.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  if (hwloc_topology_load(raw) != 0) read.reset();
  return read;
}

}  // namespace

processor_set only(unsigned processor) {
  processor_set one{};
  CPU_SET_S(processor, sizeof one, one.data());
  return one;
}

unsigned processor_count() { return static_cast<unsigned>(allowed_processors().size()); }

processor_map::processor_map(hwloc_topology* known, const std::vector<unsigned>& allowed)
    : known_(known) {
  struct processor {
    unsigned number;
    unsigned rank;  // Among those of its core.
    hwloc_obj_t place;
  };
  std::vector<processor> all;
  const owned<hwloc_bitmap_t, &hwloc_bitmap_free> left(hwloc_bitmap_alloc());
  for (const unsigned each : allowed) hwloc_bitmap_set(left.get(), each);
  if (known != nullptr) {
    for (hwloc_obj_t node = nullptr;
         (node = hwloc_get_next_obj_by_type(known, HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
      memory_nodes_ += static_cast<unsigned>(hwloc_bitmap_intersects(node->cpuset, left.get()));
    }
    // By place, and so those of a core follow each other.
    hwloc_obj_t core_before = nullptr;
    for (hwloc_obj_t pu = nullptr;
         (pu = hwloc_get_next_obj_by_type(known, HWLOC_OBJ_PU, pu)) != nullptr;) {
      if (hwloc_bitmap_isset(left.get(), pu->os_index) == 0) continue;
      hwloc_bitmap_clr(left.get(), pu->os_index);
      hwloc_obj_t const core = hwloc_get_ancestor_obj_by_type(known, HWLOC_OBJ_CORE, pu);
      const bool is_next = core != nullptr && core == core_before;
      all.push_back({pu->os_index, is_next ? all.back().rank + 1 : 0, pu});
      if (core != core_before) ++cores_;
      core_before = core;
    }
  }
  for (const unsigned each : allowed) {
    if (hwloc_bitmap_isset(left.get(), each) != 0) all.push_back({each, 0, nullptr});
  }
  std::ranges::stable_sort(all, {}, &processor::rank);
  for (const processor& each : all) {
    order_.push_back(each.number);
    places_.push_back(each.place);
  }
}

// Of the smallest part of the machine that holds both.
int processor_map::common_depth(hwloc_obj* one, hwloc_obj* other) const {
  if (one == nullptr || other == nullptr) return 0;
  return one == other ? one->depth : hwloc_get_common_ancestor_obj(known_, one, other)->depth;
}

std::vector<unsigned> processor_map::workers_by_distance(unsigned worker, unsigned workers) const {
  std::vector<int> depths(workers);
  for (unsigned i = 0; i < workers; ++i) {
    depths[i] = common_depth(places_[worker % places_.size()], places_[i % places_.size()]);
  }
  std::vector<unsigned> order(workers);
  std::iota(order.begin(), order.end(), 0U);
  std::rotate(order.begin(), order.begin() + worker, order.end());
  std::stable_sort(order.begin() + 1, order.end(),
                   [&](unsigned left, unsigned right) { return depths[left] > depths[right]; });
  return order;
}

const processor_map& this_machine() {
  static const topology machine = read_topology();
  static const processor_map map(machine.get(), allowed_processors());
  return map;
}

unsigned processor_of(unsigned index) {
  const std::vector<unsigned>& order = this_machine().order();
  return order[index % order.size()];
}

}  // namespace stealbench::operating_system
