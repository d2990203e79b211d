// Work stealing: every worker keeps its jobs in a deque of its own; who has none takes the oldest
// job of a random other worker (Blumofe & Leiserson 1999, with child stealing: the forking worker
// goes on with the first branch and leaves the second one to be stolen).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "schedulers/engine/scheduler.hpp"
#include "schedulers/engine/share.hpp"
#include "schedulers/work_stealing/chase_lev_deque.hpp"

namespace stealbench::work_stealing {

/// `Deque<Job*>` is the deque of one worker.
template <class Job, template <class> class Deque>
class queue {
 public:
  struct shared {
    explicit shared(unsigned workers) : deques(workers) {}
    std::vector<Deque<Job*>*>
        deques;  // Each entry written by its worker's state, before any thread.
  };

  queue(shared& all, unsigned index)
      : deque_(initial_capacity, max_capacity), all_(all), index_(index), random_(index + 1) {
    all.deques[index] = &deque_;
  }
  queue(const queue&) = delete;
  queue& operator=(const queue&) = delete;
  ~queue() = default;

  engine::placement push(Job& job) {
    return {deque_.push(&job) ? engine::placement::shared : engine::placement::refused};
  }

  // Thieves take the oldest job first, so if this one is still here it is the youngest, unless a
  // group that was opened later has left children above it.
  Job* take_back(Job& /*job*/) { return deque_.pop(); }

  /// Tries every other worker once, from a random one on.
  Job* find_work(std::uint32_t& misses) {
    const auto workers = static_cast<unsigned>(all_.deques.size());
    unsigned victim = next_random() % workers;
    for (unsigned i = 0; i < workers; ++i) {
      if (victim != index_) {
        if (Job* const stolen = all_.deques[victim]->steal().job) return stolen;
        ++misses;
      }
      victim = victim + 1 == workers ? 0 : victim + 1;
    }
    return nullptr;
  }

  [[nodiscard]] bool has_work() const {
    for (const auto* each : all_.deques) {
      if (!each->looks_empty()) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t initial_capacity = std::size_t{1} << 10;  // 8 KiB: deeper than most.
  static constexpr std::size_t max_capacity = std::size_t{1} << 30;      // Then forks are calls.

  // xorshift32 (Marsaglia 2003): a victim needs no better, and the state is one word of the
  // thief's.
  std::uint32_t next_random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    return random_;
  }

  Deque<Job*> deque_;
  shared& all_;
  const unsigned index_;
  std::uint32_t random_;
};

template <class T>
using default_deque = chase_lev_deque<T>;

template <template <class> class Deque>
struct policy {
  static constexpr std::string_view name = "work-stealing";
  static constexpr bool directed = false;
  struct job_links {};
  using share = engine::whole_pool;
  template <class Job>
  using queue = work_stealing::queue<Job, Deque>;
};

using scheduler = engine::scheduler<policy<default_deque>>;

static_assert(schedulers::scheduler<scheduler>);
static_assert(schedulers::scheduler<scheduler::counting_variant>);

}  // namespace stealbench::work_stealing
