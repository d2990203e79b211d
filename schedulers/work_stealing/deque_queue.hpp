// A worker's queue over a deque of pointers to slots.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/options.hpp"
#include "schedulers/work_stealing/deque.hpp"
#include "schedulers/work_stealing/loop_record.hpp"
#include "schedulers/work_stealing/mailbox.hpp"
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::work_stealing {

/// `Deque<Slot*, M>` is the deque of one worker on the machine `M`.
template <class Slot, template <class, class> class Deque>
class deque_queue {
  using machine = typename Slot::machine;
  using deque_type = Deque<Slot*, machine>;
  static_assert(deque<deque_type>);
  using kind = typename Slot::kind_type;
  using mailbox_type = mailbox<Slot, machine>;
  using claim = job_claim<decltype(Slot::runner)>;

 public:
  struct shared : deque_table<deque_type, machine> {
    explicit shared(const schedulers::options& chosen)
        : deque_table<deque_type, machine>(chosen),
          takes_half(chosen.stealing.amount == steal_amount::half),
          takes_newest(chosen.stealing.end == steal_end::newest),
          // A leapfrogging worker needs to know who runs a job, where an open claim may be.
          has_affinity(chosen.stealing.victim == victim_choice::mailbox &&
                       chosen.join == schedulers::join_policy::any),
          mailboxes(has_affinity ? chosen.workers : 0),
          parts(has_affinity ? parts_on_record : 0) {}

    const bool takes_half;
    const bool takes_newest;
    const bool has_affinity;               ///< Whether parts of loops are mailed.
    std::vector<mailbox_type*> mailboxes;  // Written as `deques` are.
    loop_record<machine> parts;            ///< Of loops, and who ran them last.
  };

  deque_queue(shared& all, unsigned index, Slot* /*first*/, Slot* /*limit*/)
      : deque_(machine::deque_capacity, max_capacity),
        all_(all),
        victims_(index, static_cast<unsigned>(all.deques.size()), all.victim, all.stolen),
        index_(index),
        mailbox_(all.has_affinity ? letters : 0) {
    all.deques[index] = &deque_;
    if (all.has_affinity) all.mailboxes[index] = &mailbox_;
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

  /// The same for a job with an affinity for another worker. It is in the deque as well, marked, as
  /// any worker that finds it there must claim it.
  engine::placement push_for(Slot& slot, const kind& of, unsigned worker) {
    if (worker == index_) return push(slot, of);
    slot.entry.open(of, engine::order::relaxed);  // published by the claim
    claim::open_to_all(slot.runner);
    if (deque_.push(marked(&slot))) {
      all_.mailboxes[worker]->post(&slot);
    } else if (claim::claim(slot.runner)) {  // Not where an older letter has led another to it.
      slot.entry.close(engine::order::relaxed);
      return {engine::placement::refused};
    }
    return {engine::placement::shared};
  }
  /// The worker that ran this part of a loop last.
  [[nodiscard]] std::optional<unsigned> affinity_of(std::size_t part) const {
    return all_.parts.runner_of(part);
  }
  void note_affinity(std::size_t part) { all_.parts.note(part, index_); }

  // The owner joins its jobs youngest first. If this one is still in the deque it is the youngest
  // there, and popped. For no loot lies above a job of the owner's: loot comes only while the owner
  // has nothing to do, or waits for a job that is gone from the deque; and where thieves take the
  // oldest, all older ones are gone then too.
  //
  // If it is not popped, who has taken it runs it. What was popped instead is loot, or where
  // thieves take the newest an older job of the owner's. It goes back to where it was: so it is in
  // one place, and nobody else has had it meanwhile. Where thieves take the newest, and half, loot
  // may lie above the awaited job after all: then its owner waits for it as if it were gone, and is
  // one of those whose find_work comes upon it. So is the owner of a job that was mailed, which
  // stays in the deque when its addressee has claimed it: its own older jobs may be there still.
  [[gnu::always_inline]] bool take_back(Slot& slot) {
    Slot* const youngest = deque_.pop();
    if (youngest != &slot) [[unlikely]] {
      return take_back_marked(slot, youngest);
    }
    slot.entry.close(engine::order::relaxed);  // says to the owner that the slot is free
    return true;
  }
  void retire(Slot& slot) {
    slot.entry.close(engine::order::relaxed);  // says to the owner that the slot is free
  }
  void expose(Slot& /*topmost*/) {
    if constexpr (has_private_jobs) deque_.expose();
  }

  Slot* find_work(engine::steal_attempts& tried) {
    // Who sleeps relies on whoever is awake to find what has_work() sees, its own deque included.
    if (keeps_jobs_meanwhile()) {
      while (Slot* const own = deque_.pop()) {
        if (Slot* const mine = claimed(own)) return mine;
      }
    }
    if (all_.has_affinity) {
      while (Slot* const letter = mailbox_.take()) {
        if (claim::claim(letter->runner)) return letter;
      }
    }
    const bool forces = lose_patience();
    Slot* found = nullptr;
    const auto size_of = [this](unsigned victim) { return all_.deques[victim]->size_hint(); };
    victims_.some(size_of, [&](unsigned victim) {
      found = take_from(victim, forces, tried);
      if (found != nullptr && all_.takes_half) found = take_more(found, victim, tried);
      if (found != nullptr) found = claimed_late(found);
      return found != nullptr;
    });
    tried.latest = victims_.latest();
    return found;
  }
  Slot* find_work_of(unsigned victim, engine::steal_attempts& tried) {
    return take_from(victim, lose_patience(), tried);
  }

  [[nodiscard]] bool has_work() const { return all_.has_work(); }
  [[nodiscard]] bool sees_more() const {
    return !all_.deques[victims_.latest()]->looks_empty() ||
           ((all_.takes_half || all_.has_affinity) && !deque_.looks_empty());
  }

  [[nodiscard]] std::size_t bytes() const { return deque_.bytes(); }

  /// Whether the latest find_work, or take_back, may have put jobs into the deque, which its owner
  /// then announces as it does its own (K1 of engine/parking_lot.hpp). Also whether there may be
  /// jobs in the deque while its owner looks for work or waits.
  [[nodiscard]] bool keeps_jobs_meanwhile() const {
    return all_.takes_half || all_.takes_newest || all_.has_affinity;
  }

  alignas(64) typename Slot::lot::request_flag requested;

 private:
  // In jobs: as many as its owner has slots. Beyond it forks are calls.
  static constexpr std::size_t max_capacity =
      std::bit_ceil(machine::job_stack::bytes / sizeof(Slot));

  // On the machines of the checks few, so that letters are dropped and parts share an entry.
  static constexpr std::size_t letters = std::max<std::size_t>(machine::deque_capacity / 4, 2);
  static constexpr std::size_t parts_on_record = 8 * machine::deque_capacity;

  // For how many pauses a thief leaves a job to its addressee: a few rounds of that one's search.
  static constexpr unsigned leave = 4 * machine::force_after;

  // Of the owner's jobs in one search, as many as one steal of half takes.
  static constexpr std::size_t most_loot = 32;

  // Whether the owner can have jobs that no thief may take unless it forces them.
  static constexpr bool has_private_jobs = requires(deque_type & any) { any.steal_granted(); };

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
    if constexpr (requires { victim.steal_newest(); }) {
      if (all_.takes_newest) return victim.steal_newest();
    }
    return victim.steal();
  }

  // Whether the time has come to force: an owner that forks at all has answered by then.
  bool lose_patience() {
    if (!has_private_jobs || ++fruitless_ <= machine::force_after) return false;
    fruitless_ = 0;
    return true;
  }

  // Slots are aligned, so that the lowest bit tells of a job that must be claimed.
  static constexpr std::uintptr_t mark = 1;
  static Slot* marked(Slot* slot) {
    return reinterpret_cast<Slot*>(reinterpret_cast<std::uintptr_t>(slot) | mark);
  }

  static bool is_marked(Slot* taken) {
    return (reinterpret_cast<std::uintptr_t>(taken) & mark) != 0;
  }
  static Slot* job_of(Slot* taken) {
    return reinterpret_cast<Slot*>(reinterpret_cast<std::uintptr_t>(taken) & ~mark);
  }

  // Of what was in a deque: the job, if it is the caller's to run, or null.
  static Slot* claimed(Slot* taken) {
    if (!is_marked(taken)) return taken;
    Slot* const job = job_of(taken);
    return claim::claim(job->runner) ? job : nullptr;
  }

  // The same for a job that is another owner's. One that was mailed is left to its addressee for a
  // moment; meanwhile a letter may come. The job in hand then goes where others can steal it.
  Slot* claimed_late(Slot* taken) {
    for (unsigned i = 0; is_marked(taken) && i < leave; ++i) {
      if (!claim::is_open(job_of(taken)->runner)) return nullptr;
      if (Slot* const letter = mailbox_.take()) {
        if (!deque_.push(taken)) break;
        if (claim::claim(letter->runner)) return letter;
        taken = deque_.pop();
      }
      machine::spin();
    }
    return taken == nullptr ? nullptr : claimed(taken);
  }

  // What was popped is not the awaited job itself.
  [[gnu::noinline, gnu::cold]] static bool take_back_marked(Slot& awaited, Slot* popped) {
    if (popped != marked(&awaited)) {
      put_back(awaited, popped);
      return false;
    }
    if (claimed(popped) == nullptr) return false;
    awaited.entry.close(engine::order::relaxed);  // says to the owner that the slot is free
    return true;
  }

  // There is room, as the job was popped a moment ago. Finds the queue by the awaited slot, lest
  // the fork path save a register for it.
  static void put_back(Slot& awaited, Slot* popped) {
    if (popped == nullptr) return;
    [[maybe_unused]] const bool fits = awaited.owner().queue.deque_.push(popped);
    assert(fits);
  }

  // A job has been stolen; takes more, up to half of what the victim had. Only one is in the
  // thief's hands at a time, so that there is none to lose if its own deque is full. Null if other
  // thieves have taken all again.
  [[gnu::noinline, gnu::cold]] Slot* take_more(Slot* latest, unsigned victim,
                                               engine::steal_attempts& tried) {
    const std::size_t more = std::min(all_.deques[victim]->size_hint() / 2, most_loot - 1);
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
  const unsigned index_;
  mailbox_type mailbox_;
};

}  // namespace stealbench::work_stealing
