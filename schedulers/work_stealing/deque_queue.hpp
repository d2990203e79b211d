// A worker's queue over a deque of pointers to slots.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"
#include "schedulers/work_stealing/protocols/deque_limits.hpp"
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::work_stealing {

/// `Deque<Slot*, M>` is the deque of one worker on the machine `M`.
template <class Slot, template <class, class> class Deque>
class deque_queue {
  using machine = typename Slot::machine;
  using deque_type = Deque<Slot*, machine>;
  static_assert(deque<deque_type>);
  using kind = typename Slot::kind_type;
  static constexpr bool has_private_jobs = deque_type::has_private_jobs;

 public:
  static constexpr engine::capabilities can{.expose = has_private_jobs,
                                            .begin_at = true,
                                            .find_work_of_one = true,
                                            .keep_jobs = true,
                                            .tell_bytes = true};

  using shared = deque_table<deque_type, machine>;

  deque_queue(shared& all, unsigned index, Slot* /*first*/, Slot* /*limit*/)
      : deque_(deque_limits_on<machine>.capacity, max_capacity),
        all_(all),
        victims_(index, static_cast<unsigned>(all.deques.size()), all.own.victim, all.stolen) {
    all.deques[index] = &deque_;
    machine::name(requested, "workers: requests for work");
  }

  [[gnu::always_inline]] engine::placement push(Slot& slot, const kind& what) {
    slot.entry.open(what, engine::order::relaxed);  // published by the deque's push
    if (deque_.push(&slot)) [[likely]] {
      return {engine::placement::shared};
    }
    slot.entry.close(engine::order::relaxed);  // says to the owner that the slot is free
    return {engine::placement::refused};
  }

  // The owner joins its jobs youngest first. If this one is still in the deque it is the youngest
  // there, and popped. For no loot is above a job of the owner's: loot comes only while the owner
  // has nothing to do, or waits for a job that is gone from the deque; and thieves take the oldest,
  // so that all older ones are gone then too.
  //
  // If it is not popped, whoever has taken it runs it. What was popped instead is loot. It goes
  // back to where it was: so it is in one place, and no other worker has had it meanwhile.
  [[gnu::always_inline]] bool take_back(Slot& slot) {
    Slot* const youngest = deque_.pop();
    if (youngest != &slot) [[unlikely]] {
      put_back(slot, youngest);
      return false;
    }
    slot.entry.close(engine::order::relaxed);  // says to the owner that the slot is free
    return true;
  }
  void retire(Slot& slot) {
    slot.entry.close(engine::order::relaxed);  // says to the owner that the slot is free
  }
  std::uint32_t expose(Slot& /*topmost*/, engine::offered /*what*/) requires has_private_jobs {
    deque_.expose();
    return 0;  // The deque keeps no count.
  }

  Slot* find_work(engine::steal_attempts& tried) {
    // Who sleeps relies on whoever is awake to find what has_work() sees, its own deque included.
    if (takes_half()) {
      if (Slot* const own = deque_.pop()) return own;
    }
    const bool forces = lose_patience();
    const auto size_of = [this](unsigned victim) { return all_.deques[victim]->size_hint(); };
    return victims_.find(size_of, tried, [&](unsigned victim) {
      Slot* const found = take_from(victim, forces, tried);
      return found != nullptr && takes_half() ? take_more(found, victim, tried) : found;
    });
  }
  Slot* find_work_of(unsigned victim, engine::steal_attempts& tried) {
    return take_from(victim, lose_patience(), tried);
  }

  void begin_at(unsigned worker) { victims_.begin_at(worker); }

  [[nodiscard]] bool has_work() const { return all_.has_work(); }
  [[nodiscard]] bool sees_more() const {
    return !all_.deques[victims_.latest()]->looks_empty() ||
           (takes_half() && !deque_.looks_empty());
  }

  [[nodiscard]] std::size_t bytes() const { return deque_.bytes(); }

  /// Whether the latest find_work, or take_back, may have put jobs into the deque, which its owner
  /// then announces as it does its own (K1 of engine/sleep/parking_lot.hpp). Also whether there may
  /// be jobs in the deque while its owner looks for work or waits.
  [[nodiscard]] bool keeps_jobs_meanwhile() const { return takes_half(); }

  alignas(64) typename Slot::lot::request_flag requested;

 private:
  [[nodiscard]] bool takes_half() const { return all_.own.amount == steal_amount::half; }

  // In jobs: as many as its owner has slots. Beyond it forks are calls.
  static constexpr std::size_t max_capacity =
      std::bit_ceil(machine::job_stack::bytes / sizeof(Slot));

  // Of the owner's jobs in one search, as many as one steal of half takes.
  static constexpr std::size_t most_loot = 32;

  Slot* take_from(unsigned victim, bool forces, engine::steal_attempts& tried) {
    const auto result = steal_from(*all_.deques[victim], forces);
    note(result.outcome, tried);
    if (has_private_jobs && result.job != nullptr) fruitless_ = 0;
    return result.job;
  }
  stolen<Slot*> steal_from(deque_type& victim, [[maybe_unused]] bool forces) {
    if constexpr (has_private_jobs) {
      if (!forces) return victim.steal_granted();
    }
    return victim.steal();
  }

  // Whether the time has come to force: an owner that forks at all has answered by then.
  bool lose_patience() {
    if (!has_private_jobs || ++fruitless_ <= deque_limits_on<machine>.force_after) return false;
    fruitless_ = 0;
    return true;
  }

  // There is room, as the job was popped a moment ago. Finds the queue by the awaited slot, lest
  // the fork path save a register for it.
  [[gnu::noinline, gnu::cold]] static void put_back(Slot& awaited, Slot* popped) {
    if (popped == nullptr) return;
    [[maybe_unused]] const bool fits = awaited.owner().queue.deque_.push(popped);
    assert(fits);
  }

  // A job has been stolen; takes more, up to half of what the victim had. Only one is in the
  // thief's hands at a time, so that there is none to lose if its own deque is full. Null if other
  // thieves have taken all again.
  [[gnu::noinline, gnu::cold]] Slot* take_more(Slot* latest, unsigned victim,
                                               engine::steal_attempts& tried) {
    const std::size_t more = (std::min)(all_.deques[victim]->size_hint() / 2, most_loot - 1);
    for (std::size_t i = 0; i < more && deque_.push(latest); ++i) {
      Slot* const next = take_from(victim, false, tried);
      latest = next != nullptr ? next : deque_.pop();
      if (next == nullptr) break;
    }
    return latest;
  }

  deque_type deque_;
  shared& all_;
  victims<machine> victims_;
  unsigned fruitless_ = 0;  // Rounds in turn without a job; where there are private ones.
};

}  // namespace stealbench::work_stealing
