// A worker's queue over a deque of pointers to slots.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/work_stealing/deque.hpp"
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::work_stealing {

/// `Deque<Slot*, M>` is the deque of one worker on the machine `M`.
template <class Slot, template <class, class> class Deque>
class deque_queue {
  using machine = typename Slot::machine;
  using deque_type = Deque<Slot*, machine>;
  static_assert(deque<deque_type>);
  using kind = typename Slot::kind_type;

 public:
  using shared = deque_table<deque_type, machine>;

  deque_queue(shared& all, unsigned index, Slot* /*first*/, Slot* /*limit*/)
      : deque_(machine::deque_capacity, max_capacity),
        all_(all),
        victims_(index, static_cast<unsigned>(all.deques.size()), all.victim, all.stolen) {
    all.deques[index] = &deque_;
    machine::name(requested, "workers: requests for work");
  }
  deque_queue(const deque_queue&) = delete;
  deque_queue& operator=(const deque_queue&) = delete;
  ~deque_queue() = default;

  [[gnu::always_inline]] engine::placement push(Slot& slot, const kind& of) {
    slot.entry.open(of, engine::order::relaxed);  // published by the deque's push
    if (deque_.push(&slot)) [[likely]] {
      return {engine::placement::shared};
    }
    slot.entry.close(engine::order::relaxed);  // says to the owner that the slot is free
    return {engine::placement::refused};
  }

  // The owner joins its jobs youngest first, and thieves take the oldest: what is left at the
  // bottom is this job, or it has been stolen and so have all older ones.
  [[gnu::always_inline]] bool take_back(Slot& slot) {
    if (deque_.pop() == nullptr) [[unlikely]] {
      return false;
    }
    slot.entry.close(engine::order::relaxed);  // says to the owner that the slot is free
    return true;
  }
  void retire(Slot& slot) {
    slot.entry.close(engine::order::relaxed);  // says to the owner that the slot is free
  }
  void expose(Slot& /*topmost*/) {}

  Slot* find_work(engine::failed_steals& failed) {
    Slot* found = nullptr;
    const auto size_of = [this](unsigned victim) { return all_.deques[victim]->size_hint(); };
    victims_.some(size_of, [&](unsigned victim) {
      found = find_work_of(victim, failed);
      return found != nullptr;
    });
    failed.latest = victims_.latest();
    return found;
  }
  Slot* find_work_of(unsigned victim, engine::failed_steals& failed) {
    const auto result = all_.deques[victim]->steal();
    failed.empty += result.outcome == steal_outcome::empty ? 1 : 0;
    failed.lost += result.outcome == steal_outcome::lost ? 1 : 0;
    return result.job;
  }

  [[nodiscard]] bool has_work() const { return all_.has_work(); }
  [[nodiscard]] bool sees_more() const { return !all_.deques[victims_.latest()]->looks_empty(); }

  alignas(64) typename Slot::lot::request_flag requested;

 private:
  // In jobs: as many as its owner has slots. Beyond it forks are calls.
  static constexpr std::size_t max_capacity =
      std::bit_ceil(machine::job_stack::bytes / sizeof(Slot));

  deque_type deque_;
  shared& all_;
  victims<machine> victims_;
};

}  // namespace stealbench::work_stealing
