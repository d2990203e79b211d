#include "schedulers/operating_system/distance.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <type_traits>

#include <hwloc.h>

#include "schedulers/operating_system/thread.hpp"

namespace stealbench::operating_system {
namespace {

using topology =
    std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, decltype(&hwloc_topology_destroy)>;

// Null if hwloc cannot read this machine; all workers are then equally near.
topology read_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) return {nullptr, &hwloc_topology_destroy};
  topology read(raw, &hwloc_topology_destroy);
  if (hwloc_topology_load(raw) != 0) read.reset();
  return read;
}

// The depth in the tree of the machine's parts of the smallest one that holds both processors.
int common_depth(const topology& known, unsigned processor, unsigned other) {
  if (known == nullptr) return 0;
  hwloc_obj_t const one = hwloc_get_pu_obj_by_os_index(known.get(), processor);
  hwloc_obj_t const two = hwloc_get_pu_obj_by_os_index(known.get(), other);
  if (one == nullptr || two == nullptr) return 0;
  return one == two ? one->depth : hwloc_get_common_ancestor_obj(known.get(), one, two)->depth;
}

}  // namespace

std::vector<unsigned> workers_by_distance(unsigned worker, unsigned workers) {
  static const topology machine = read_topology();
  std::vector<unsigned> order(workers);
  std::iota(order.begin(), order.end(), 0U);
  std::rotate(order.begin(), order.begin() + worker, order.end());
  std::stable_sort(order.begin() + 1, order.end(), [&](unsigned left, unsigned right) {
    return common_depth(machine, processor_of(worker), processor_of(left)) >
           common_depth(machine, processor_of(worker), processor_of(right));
  });
  return order;
}

}  // namespace stealbench::operating_system
