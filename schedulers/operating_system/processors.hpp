// The processors (hardware threads) that this process may use, and where they are in the machine.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include <sched.h>

struct hwloc_obj;
struct hwloc_topology;

namespace stealbench::operating_system {

/// As the system calls take it, of 8192 processors, the most that Linux has. A cpu_set_t alone has
/// 1024, and where the machine may have more the kernel refuses it.
using processor_set = std::array<cpu_set_t, 8>;

[[nodiscard]] processor_set only(unsigned processor);

/// Processors that the process may use, by its affinity at start-up, which the cpuset of its
/// control group limits too; at least 1. An OpenMP runtime in the program that binds threads has
/// narrowed that of the main thread before: then those that the runtime was given.
[[nodiscard]] unsigned processor_count();

/// These, if an OpenMP runtime has narrowed the calling thread to its place: a thread that it makes
/// would inherit that. None where the user has narrowed it. Of a process that was started with
/// OpenMP's variables of binding alone.
[[nodiscard]] std::optional<processor_set> processors_before_binding();

/// Where in a machine some of its processors are.
class processor_map {
 public:
  /// The processors `allowed`, by the operating system's numbers, in the machine `known`, which
  /// outlives the object. Null: nothing is known of where they are. Throws std::bad_alloc.
  processor_map(hwloc_topology* known, const std::vector<unsigned>& allowed);

  /// In the order in which workers are pinned: one hardware thread of each core, core by core and
  /// so package by package, then the second ones of all cores in the same order, and so on.
  [[nodiscard]] const std::vector<unsigned>& order() const { return order_; }

  /// The workers 0 to `workers` - 1, the nearest to `worker` first, beginning with itself: by the
  /// smallest part of the machine (core, cache, package) that holds the processors to which pinning
  /// assigns the two; among equally near ones, those that follow it first. Throws std::bad_alloc.
  [[nodiscard]] std::vector<unsigned> workers_by_distance(unsigned worker, unsigned workers) const {
    std::vector<unsigned> order(workers);
    order_by_distance(worker, order);
    return order;
  }

 private:
  // No vector here: a program with _GLIBCXX_DEBUG has other ones than the library that it links.
  void order_by_distance(unsigned worker, std::span<unsigned> order) const;
  [[nodiscard]] int common_depth(hwloc_obj* one, hwloc_obj* other) const;

  hwloc_topology* known_;
  std::vector<unsigned> order_;
  std::vector<hwloc_obj*> places_;  // Of the same processors; null: not known.
};

/// The processors that this process may use. Read by hwloc at the first call, which takes some
/// milliseconds.
[[nodiscard]] const processor_map& this_machine();

/// The operating system's number of the processor to which worker `index` is pinned: the index-th
/// in the order of this_machine(), counted round.
[[nodiscard]] unsigned processor_of(unsigned index);

}  // namespace stealbench::operating_system
