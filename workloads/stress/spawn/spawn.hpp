// The spawn loop: one closure spawns all children into one group. Where children are queued, all of
// them may be alive at once, which is what deques must grow for and what memory is spent on; where
// they run at their spawn, never more than one.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/kit/receipts.hpp"
#include "workloads/workload.hpp"

namespace stealbench::spawn {

/// Spawns every task as a child of one group, as kit::spawn_and_join; each child leaves in its
/// place of `ended_at` how many children had been spawned when it ended. No counter that all write
/// to, which would cost more than the spawn: the spawning closure writes one and the children read
/// it. On one worker exact; else a child that ends during a spawn may count on either side of it.
template <class Worker>
void spawn_all_counted(Worker worker, kit::receipts& done, std::span<std::uint64_t> ended_at) {
  std::atomic<std::uint64_t> spawned = 0;  // Relaxed everywhere: nothing is published by it.
  struct {
    kit::receipts& done;
    std::span<std::uint64_t> ended_at;
    const std::atomic<std::uint64_t>& spawned;
  } const common{done, ended_at, spawned};
  auto group = worker->task_group();
  for (std::uint64_t child = 0; child < done.tasks(); ++child) {
    spawned.store(child + 1, std::memory_order_relaxed);
    group.spawn([&common, child](Worker w) {
      common.done.perform(w, child);
      common.ended_at[child] = common.spawned.load(std::memory_order_relaxed);
    });
  }
  group.sync();
}

/// The greatest number of children that were spawned and had not ended, from what
/// spawn_all_counted leaves. Linear.
[[nodiscard]] std::uint64_t greatest_live(std::span<const std::uint64_t> ended_at);

struct workload : kit::with_receipts {
  struct input {
    kit::receipts done;
    std::vector<std::uint64_t> ended_at;  ///< Empty where the live children are not counted.
  };

  static kit::description describe() { return kit::description_of("spawn"); }
  static input prepare(const kit::parameters& chosen);

  template <class Worker>
  static output run(Worker worker, input& in) {
    if (in.ended_at.empty()) {
      kit::spawn_and_join(worker, in.done, 0, in.done.tasks());
    } else {
      spawn_all_counted(worker, in.done, in.ended_at);
    }
    return {};
  }

  static output sequential(input& in);
  static nlohmann::ordered_json answer(const input& in, const output& out);
};

}  // namespace stealbench::spawn
