// Bouncing producer-consumer: each producer spawns the next producer and some consumers. Whoever
// takes the oldest task takes the next producer, so that the source of all work goes from worker to
// worker, and thieves that look where they found work last look in vain.
#pragma once

#include <cstdint>

#include "workloads/kit/receipts.hpp"
#include "workloads/workload.hpp"

namespace stealbench::bpc {

/// When a producer spawns the next one: before its consumers, so that it is the oldest of them and
/// stolen first, or after them.
enum class next_producer : std::uint8_t { first, last };

struct production {
  std::uint64_t depth;      ///< Producers, one after the other.
  std::uint64_t consumers;  ///< Of each producer.
  next_producer next;
};

/// The producer of a level, counted from 0, and what it spawns. The consumers' receipts are the
/// producers' as well: a producer that ran twice had each of its consumers run twice. Work
/// O(consumers) here; span of the whole O(depth + consumers) if the next producer comes first,
/// else O(depth * consumers), since consumers are spawned one by one.
///
/// A level waits for the next one, so a worker's stack may hold all of them: a level takes 96 bytes
/// on serial, 144 on work-stealing, 680 on onetbb, 760 on openmp (one worker, g++ 12 -O3, x86-64).
template <class Worker>
void produce(Worker worker, kit::receipts& done, const production& how, std::uint64_t level) {
  auto group = worker->task_group();
  const auto spawn_next = [&] {
    if (level + 1 == how.depth) return;
    group.spawn([&done, &how, level](Worker w) { produce(w, done, how, level + 1); });
  };
  if (how.next == next_producer::first) spawn_next();
  const std::uint64_t begin = level * how.consumers;
  for (std::uint64_t task = begin; task < begin + how.consumers; ++task) {
    group.spawn([&done, task](Worker w) { done.perform(w, task); });
  }
  if (how.next == next_producer::last) spawn_next();
  group.sync();
}

struct workload : kit::with_receipts {
  struct input {
    kit::receipts done;  ///< Of the consumers, level by level.
    production how;
  };

  static kit::description describe() { return kit::description_of("bpc"); }
  static input prepare(const kit::parameters& chosen) {
    const production how{.depth = chosen.integer("depth"),
                         .consumers = chosen.integer("consumers"),
                         .next = chosen.choice_as<next_producer>("next")};
    kit::require_memory("consumers", how.consumers, [&](std::uint64_t consumers) {
      return kit::receipts::bytes_for(how.depth * consumers);
    });
    return {.done = kit::receipts(how.depth * how.consumers, chosen.integer("work")), .how = how};
  }

  template <class Worker>
  static output run(Worker worker, input& in) {
    produce(worker, in.done, in.how, 0);
    return {};
  }

  /// Every consumer, and every producer but the first.
  static std::uint64_t fork_count(const input& in, const output& /*unused*/) {
    return in.done.tasks() + in.how.depth - 1;
  }
};

}  // namespace stealbench::bpc
