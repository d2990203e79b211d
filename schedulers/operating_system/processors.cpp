#include "schedulers/operating_system/processors.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <type_traits>

#include <dlfcn.h>
#include <hwloc.h>
#include <unistd.h>

namespace stealbench::operating_system {
namespace {

template <class T, auto Free>
using owned =
    std::unique_ptr<std::remove_pointer_t<T>, std::integral_constant<decltype(Free), Free>>;

bool is_told_to_bind() {
  const auto is_set = [](const char* variable) { return std::getenv(variable) != nullptr; };
  static const bool is_told = is_set("OMP_PROC_BIND") || is_set("OMP_PLACES") ||
                              is_set("GOMP_CPU_AFFINITY") || is_set("KMP_AFFINITY");
  return is_told;
}

/// The call of the program's OpenMP runtime, which we do not link.
template <class Call>
Call* openmp(const char* name) {
  return reinterpret_cast<Call*>(dlsym(RTLD_DEFAULT, name));
}

/// Those of OpenMP, if it binds threads to them: GNU's runtime the main thread, before any static
/// object of ours is made; LLVM's each at its first call.
std::vector<processor_set> openmp_places() {
  const auto count = openmp<int()>("omp_get_num_places");
  const auto size_of = openmp<int(int)>("omp_get_place_num_procs");
  const auto read = openmp<void(int, int*)>("omp_get_place_proc_ids");
  std::vector<processor_set> places;
  if (count == nullptr || size_of == nullptr || read == nullptr) return places;
  for (int i = 0; i < count(); ++i) {
    std::vector<int> numbers(static_cast<std::size_t>(size_of(i)));
    read(i, numbers.data());
    processor_set& place = places.emplace_back();
    for (const int each : numbers) {
      CPU_SET_S(static_cast<unsigned>(each), sizeof place, place.data());
    }
  }
  return places;
}

/// Of a process whose main thread has `own`, perhaps by OpenMP.
processor_set before_binding(const processor_set& own) {
  const auto count = openmp<int()>("omp_get_num_procs");
  if (count == nullptr) return own;
  processor_set most;  // What the control group leaves: the process's if OpenMP counts as many.
  std::memset(most.data(), 0xff, sizeof most);
  sched_setaffinity(0, sizeof most, most.data());
  sched_getaffinity(0, sizeof most, most.data());
  sched_setaffinity(0, sizeof own, own.data());
  if (CPU_COUNT_S(sizeof most, most.data()) == count()) return most;
  most = own;  // Else at least all places.
  for (const processor_set& each : openmp_places()) {
    CPU_OR_S(sizeof most, most.data(), most.data(), each.data());
  }
  return most;
}

// Read once, at start-up: a pinned thread that asks later would be told of its one processor alone.
// Never destroyed: other threads may ask while the process exits.
const std::vector<unsigned>& allowed_processors() {
  static const auto& allowed = *new std::vector<unsigned>([] {
    processor_set set{};
    if (sched_getaffinity(0, sizeof set, set.data()) != 0) set = only(0);
    const int count = CPU_COUNT_S(sizeof set, set.data());
    if (is_told_to_bind() && count < sysconf(_SC_NPROCESSORS_ONLN)) set = before_binding(set);
    std::vector<unsigned> numbers;
    for (unsigned i = 0; i < 8 * sizeof set; ++i) {
      if (CPU_ISSET_S(i, sizeof set, set.data())) numbers.push_back(i);
    }
    return numbers;
  }());
  return allowed;
}

[[maybe_unused]] const std::vector<unsigned>& read_at_start_up = allowed_processors();

/// Once; null if the system does not say.
hwloc_topology_t read_topology() {
  hwloc_topology_t read = nullptr;
  if (hwloc_topology_init(&read) != 0) return nullptr;
  // Otherwise hwloc moves this thread to each processor in turn, to ask that one.
  hwloc_topology_set_flags(read, HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING);
  return hwloc_topology_load(read) == 0 ? read : nullptr;
}

}  // namespace

processor_set only(unsigned processor) {
  processor_set one{};
  CPU_SET_S(processor, sizeof one, one.data());
  return one;
}

unsigned processor_count() { return static_cast<unsigned>(allowed_processors().size()); }

std::optional<processor_set> processors_before_binding() {
  processor_set own{};
  if (!is_told_to_bind() || sched_getaffinity(0, sizeof own, own.data()) != 0) return {};
  processor_set all{};
  for (const unsigned each : allowed_processors()) CPU_SET_S(each, sizeof all, all.data());
  if (CPU_EQUAL_S(sizeof own, own.data(), all.data())) return {};
  const std::vector<processor_set> places = openmp_places();
  if (places.empty()) return {};
  const auto place = static_cast<std::size_t>(openmp<int()>("omp_get_place_num")());
  // A thread that is not yet OpenMP's has become one by these calls, and may be bound by them.
  sched_setaffinity(0, sizeof own, own.data());
  const bool is_bound =
      place < places.size() && CPU_EQUAL_S(sizeof own, own.data(), places[place].data());
  return is_bound ? std::optional(all) : std::nullopt;
}

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
    // By place, and so those of a core follow each other.
    hwloc_obj_t core_before = nullptr;
    for (hwloc_obj_t pu = nullptr;
         (pu = hwloc_get_next_obj_by_type(known, HWLOC_OBJ_PU, pu)) != nullptr;) {
      if (hwloc_bitmap_isset(left.get(), pu->os_index) == 0) continue;
      hwloc_bitmap_clr(left.get(), pu->os_index);
      hwloc_obj_t const core = hwloc_get_ancestor_obj_by_type(known, HWLOC_OBJ_CORE, pu);
      const bool is_next = core != nullptr && core == core_before;
      all.push_back({pu->os_index, is_next ? all.back().rank + 1 : 0, pu});
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

void processor_map::order_by_distance(unsigned worker, std::span<unsigned> order) const {
  std::vector<int> depths(order.size());
  for (unsigned i = 0; i < order.size(); ++i) {
    depths[i] = common_depth(places_[worker % places_.size()], places_[i % places_.size()]);
  }
  std::iota(order.begin(), order.end(), 0U);
  std::rotate(order.begin(), order.begin() + worker, order.end());
  std::stable_sort(order.begin() + 1, order.end(),
                   [&](unsigned left, unsigned right) { return depths[left] > depths[right]; });
}

const processor_map& this_machine() {
  static const auto& map = *new processor_map(read_topology(), allowed_processors());
  return map;
}

unsigned processor_of(unsigned index) {
  const std::vector<unsigned>& order = this_machine().order();
  return order[index % order.size()];
}

}  // namespace stealbench::operating_system
