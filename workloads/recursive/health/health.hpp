// Simulates the hospitals of a country, step by step: a tree of villages of which each is a task in
// every step, and a join at every level. Of all recursive workloads the one that keeps walking
// through memory, along lists that no longer lie in any order. After Olden and BOTS.
#pragma once

#include <cstdint>

#include "workloads/recursive/health/country.hpp"
#include "workloads/workload.hpp"

namespace stealbench::health {

/// A step of the village `index` and of all below it, by plain recursion.
void plain_step(country& in, std::uint64_t index);

/// The same, with a spawn for every village above the `serial_levels` lowest levels, and one for
/// each tree that these form. The village itself treats its patients meanwhile. Work O(patients),
/// span O(levels * (cities + patients of the largest village)). Requires: serial_levels >= 1.
template <class Worker>
void step(Worker worker, country& in, std::uint64_t index, std::uint32_t serial_levels) {
  village& here = in.at(index);
  if (here.level <= serial_levels) {
    plain_step(in, index);
    return;
  }
  const std::uint64_t first = in.first_below(index);
  auto group = worker->task_group();
  for (std::uint64_t below = first; below < first + in.shape().cities; ++below) {
    group.spawn([&in, below, serial_levels](Worker w) { step(w, in, below, serial_levels); });
  }
  treat(here);
  group.sync();
  admit(here, in.below(index));
}

/// The catalogue's entry.
struct workload {
  struct input {
    country people;
    std::uint64_t steps;
    std::uint32_t serial_levels;
    /// Published, or simulated by the sequential version when first asked for.
    mutable std::optional<census> expected = std::nullopt;
  };
  struct output {};  ///< The country itself is the result.

  static kit::description describe();
  static input prepare(const kit::parameters& chosen);
  static void reset(input& in) { in.people.populate(); }

  template <class Worker>
  static output run(Worker worker, input& in) {
    for (std::uint64_t done = 0; done < in.steps; ++done) {
      step(worker, in.people, 0, in.serial_levels);
    }
    return {};
  }

  static output sequential(input& in);
  /// Without a published answer the first call simulates, as long as a serial run.
  static std::optional<bool> verify(const input& in, const output& out);
  /// A step that was made twice.
  static void corrupt(input& in, output& /*unused*/) { plain_step(in.people, 0); }
  static nlohmann::ordered_json answer(const input& in, const output& out);

  /// In each step every village but the top one, above the serial levels or at their head.
  static std::uint64_t fork_count(const input& in, const output& out);
};

static_assert(workloads::workload<workload>);

}  // namespace stealbench::health
