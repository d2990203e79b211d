// A chain of tasks, each of which must end before the next may begin: no parallelism at all, so the
// time divided by the links is what a task costs that is offered and joined at once. Idle workers
// are tempted to take what its owner is about to take back.
#pragma once

#include <cstdint>

#include <fmt/format.h>

#include "workloads/kit/steps.hpp"
#include "workloads/workload.hpp"

namespace stealbench::chain {

/// The value at the end of the chain: `links` groups of one child each, one after the other. Work
/// and span O(links * steps).
template <class Worker>
std::uint64_t chain_of_groups(Worker worker, std::uint64_t links, std::uint64_t steps) {
  std::uint64_t value = 0;
  for (std::uint64_t link = 0; link < links; ++link) {
    auto group = worker->task_group();
    group.spawn([&value, steps](Worker w) {
      value = kit::stepped(value, steps);
      kit::charge(w, steps);
    });
    group.sync();
  }
  return value;
}

/// The same by forks whose first branch is empty: the link is the second one, which a scheduler
/// offers to others.
template <class Worker>
std::uint64_t chain_of_forks(Worker worker, std::uint64_t links, std::uint64_t steps) {
  std::uint64_t value = 0;
  for (std::uint64_t link = 0; link < links; ++link) {
    value = worker
                ->fork_join([](Worker /*unused*/) {},
                            [=](Worker w) {
                              const std::uint64_t next = kit::stepped(value, steps);
                              kit::charge(w, steps);
                              return next;
                            })
                .second;
  }
  return value;
}

enum class link_form : std::uint8_t { group, fork };

struct workload : workloads::defaults<workload> {
  struct input {
    std::uint64_t links;
    std::uint64_t steps;  ///< Of a link; at least 1, without which a lost link would not be seen.
    link_form form;
  };
  using output = std::uint64_t;

  static kit::description describe() { return kit::description_of("chain"); }
  static input prepare(const kit::parameters& chosen) {
    return {.links = chosen.integer("links"),
            .steps = chosen.integer("work"),
            .form = chosen.choice_as<link_form>("form")};
  }

  template <class Worker>
  static output run(Worker worker, const input& in) {
    return in.form == link_form::group ? chain_of_groups(worker, in.links, in.steps)
                                       : chain_of_forks(worker, in.links, in.steps);
  }

  static output sequential(const input& in) {
    std::uint64_t value = 0;
    for (std::uint64_t link = 0; link < in.links; ++link) value = kit::stepped(value, in.steps);
    return value;
  }
  /// One link too many.
  static void corrupt(input& in, output& out) { out = kit::stepped(out, in.steps); }
  static std::optional<bool> verify(const input& in, const output& out) {
    return out == kit::leap(in.links * in.steps).of(0);
  }
  static nlohmann::ordered_json answer(const input& /*unused*/, const output& out) {
    return fmt::format("{:016x}", out);
  }

  static std::uint64_t fork_count(const input& in, const output& /*unused*/) { return in.links; }
};

}  // namespace stealbench::chain
