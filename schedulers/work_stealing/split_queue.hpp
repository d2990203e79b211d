// A worker's queue that is its job stack: no pointers, the slots themselves are the deque.
#pragma once

#include <cstdint>

#include "schedulers/engine/worker_state.hpp"
#include "schedulers/work_stealing/split_deque.hpp"
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::work_stealing {

template <class Slot>
class split_queue {
  using deque = split_deque<Slot>;
  using kind = typename Slot::kind_type;

 public:
  using shared = deque_table<deque>;

  split_queue(shared& all, unsigned index, Slot* first, Slot* limit)
      : deque_(first, limit), all_(all), index_(index), victims_(index) {
    all.deques[index] = &deque_;
  }
  split_queue(const split_queue&) = delete;
  split_queue& operator=(const split_queue&) = delete;
  ~split_queue() = default;

  [[gnu::always_inline]] engine::placement push(Slot& slot, const kind& of) {
    deque_.push(slot, of);
    return {engine::placement::shared};
  }
  [[gnu::always_inline]] bool take_back(Slot& slot, const kind& of) {
    return deque_.take_back(slot, of);
  }
  void retire(Slot& slot) { deque_.retire(slot); }
  void share(Slot& topmost) { deque_.share(topmost); }

  /// Takes what is public. Owners see at their next fork that somebody is idle, and make jobs
  /// public; only where none does, the thief pays for a system-wide fence and takes what is
  /// private.
  Slot* find_work(std::uint32_t& misses) {
    const auto workers = static_cast<unsigned>(all_.deques.size());
    Slot* found = nullptr;
    const auto ask = [&](const auto& attempt) {
      return victims_.any(workers, [&](unsigned victim) {
        found = attempt(*all_.deques[victim]).job;
        misses += found == nullptr ? 1 : 0;
        return found != nullptr;
      });
    };
    if (ask([](deque& of) { return of.steal(); })) {
      fruitless_ = 0;
    } else if (++fruitless_ > patience) {
      fruitless_ = 0;
      ask([this](deque& of) { return of.force(static_cast<std::uint16_t>(index_ + 1)); });
    }
    return found;
  }

  [[nodiscard]] bool has_work() const {
    for (const deque* each : all_.deques) {
      if (!each->looks_empty()) return true;
    }
    return false;
  }

 private:
  // Rounds without a job before a thief forces a border: some microseconds, in which an owner that
  // forks at all has answered.
  static constexpr unsigned patience = 16;

  deque deque_;
  shared& all_;
  const unsigned index_;
  victims victims_;
  unsigned fruitless_ = 0;
};

}  // namespace stealbench::work_stealing
