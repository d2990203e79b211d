// A deque that is its owner's alone: its jobs are in the slots of a stack above a bound, and a
// thief asks for one and is given it. The protocol, its edges R1 and R2 and what is not covered are
// in private_deque.md; verify/work_stealing/private_deque_relacy.cpp checks this very file.
#pragma once

#include <cstddef>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/std_machine.hpp"

namespace stealbench::work_stealing {

/// One ordering per atomic operation, so that verify/ can weaken one at a time.
///   R1  a thief empties its hand and asks; the owner takes the request and fills the hand: in this
///       order;
///   R2  an owner gives a job away, and a thief finds it in its hand.
/// That a request is answered or withdrawn, and not both, is no matter of ordering: both are
/// read-modify-writes of one word.
struct private_orderings {
  using order = engine::order;

  // push, take_back, retire, by the owner.
  order push_entry = order::relaxed;     // the job is published by give
  order close_entry = order::relaxed;    // says to the owner that the slot is free
  order look_at_bound = order::relaxed;  // the owner's own write
  order move_bound = order::relaxed;     // to others a hint

  // answer, by the owner.
  order look_at_request = order::relaxed;  // saves a change of the word that would change nothing
  order take_request = order::acquire;     // R1: pairs with ask
  order give = order::release;             // R2: pairs with look_into_hand

  // ask, received, withdraw, by a thief.
  order look_before_ask = order::relaxed;  // as look_at_request
  order empty_hand = order::relaxed;       // R1: ordered by ask
  order ask = order::release;              // R1: pairs with take_request
  order ask_failed = order::relaxed;       // another thief is there: nothing was said
  order look_into_hand = order::acquire;   // R2: pairs with give
  order withdraw = order::relaxed;         // takes back what no worker has read
  order withdraw_failed = order::relaxed;  // the answer comes by R2

  // looks_empty, size_hint, by any thread.
  order hint_bound = order::relaxed;  // a hint, ordered by the caller's fences where it needs it
  order hint_entry = order::relaxed;  // likewise
};

inline constexpr private_orderings private_shipped{};

/// Over the slots [first, limit) of one owner, as split_deque: the owner pushes into the slot above
/// all others in use, and joins (take_back, or retire) the topmost one first. No operation of the
/// owner but answer() takes a read-modify-write or a fence.
template <class Slot, class M = engine::std_machine,
          const private_orderings& Orderings = private_shipped>
class alignas(128) private_deque {
  static_assert(engine::memory_model<M>);
  using kind = typename Slot::kind_type;

 public:
  /// Of one thief: where it is given a job.
  class alignas(64) hand {
   public:
    explicit hand(unsigned thief) : thief_(thief) { M::name(given_, "deques: hands of thieves"); }

    /// Whose it is.
    [[nodiscard]] unsigned thief() const { return thief_; }

   private:
    friend private_deque;
    const unsigned thief_;
    typename M::template atomic<Slot*> given_;  // Filled by an owner, emptied by the thief.
  };

  private_deque(Slot* first, Slot* limit) : limit_(limit), bound_(first) {
    M::name(bound_, "deques: bound, request");
    M::name(request_, "deques: bound, request");
  }

  /// Owner only. Offers the job in `slot`, which becomes the topmost one. Wait-free.
  [[gnu::always_inline]] void push(Slot& slot, kind& what) {
    slot.entry.open(what, Orderings.push_entry);
  }

  /// Owner only, for the topmost slot. True: the job is the owner's, and the slot is free. False:
  /// it was given away; once it has been run, call retire(). Wait-free.
  [[nodiscard, gnu::always_inline]] bool take_back(Slot& slot) {
    if (&slot < bound_.load(Orderings.look_at_bound)) [[unlikely]] {
      return false;
    }
    slot.entry.close(Orderings.close_entry);
    return true;
  }

  /// Owner only, for the topmost slot, after take_back has failed and the thief is done with it.
  void retire(Slot& slot) {
    slot.entry.close(Orderings.close_entry);
    bound_.store(&slot, Orderings.move_bound);
  }

  /// Owner only; `topmost` is the topmost slot, and open. Gives the oldest job to the thief that
  /// asks. Returns the hand that it has filled, or null. Wait-free.
  const hand* answer(Slot& topmost) {
    if (request_.load(Orderings.look_at_request) == nullptr) return nullptr;
    Slot* const oldest = bound_.load(Orderings.look_at_bound);
    if (oldest > &topmost) return nullptr;
    hand* const thief = request_.exchange(nullptr, Orderings.take_request);
    if (thief == nullptr) return nullptr;  // It has withdrawn.
    bound_.store(oldest + 1, Orderings.move_bound);
    thief->given_.store(oldest, Orderings.give);
    return thief;
  }

  /// A thief whose hand is in no other request. True: it asks, until it has received a job or
  /// withdrawn. False: another thief asks already. Wait-free.
  [[nodiscard]] bool ask(hand& own) {
    hand* seen = request_.load(Orderings.look_before_ask);
    if (seen != nullptr) return false;
    own.given_.store(nullptr, Orderings.empty_hand);
    return request_.compare_exchange_strong(seen, &own, Orderings.ask, Orderings.ask_failed);
  }

  /// The thief that asks: the job that it was given, or null. With a job it asks no more.
  /// Wait-free.
  [[nodiscard]] static Slot* received(hand& own) {
    return own.given_.load(Orderings.look_into_hand);
  }

  /// The thief that asks: true if it asks no more. False: the owner is giving it a job. Wait-free.
  [[nodiscard]] bool withdraw(hand& own) {
    hand* seen = &own;
    return request_.compare_exchange_strong(seen, nullptr, Orderings.withdraw,
                                            Orderings.withdraw_failed);
  }

  /// Any thread. Whether ask() may succeed. A job is seen as by looks_empty.
  [[nodiscard]] bool may_be_asked() const {
    return !looks_empty() && request_.load(Orderings.look_before_ask) == nullptr;
  }

  /// Any thread. Whether its owner seems to have no job to give.
  [[nodiscard]] bool looks_empty() const { return !is_open(bound_.load(Orderings.hint_bound)); }

  /// Any thread. About how many there are, by looks at the 1st, 2nd, 4th, … of their slots, of
  /// which each may cost a transfer of its line.
  [[nodiscard]] std::size_t size_hint() const {
    Slot* const oldest = bound_.load(Orderings.hint_bound);
    if (!is_open(oldest)) return 0;
    std::ptrdiff_t open = 1;
    while (2 * open <= limit_ - oldest && is_open(oldest + 2 * open - 1)) open *= 2;
    return static_cast<std::size_t>(open);
  }

 private:
  [[nodiscard]] bool is_open(const Slot* slot) const {
    return slot < limit_ && slot->entry.is_open(Orderings.hint_entry);
  }

  Slot* const limit_;
  // The oldest job that is the owner's, or where the next one goes. Written by the owner.
  typename M::template atomic<Slot*> bound_;
  // The hand of the thief that asks, or null. Set and cleared by a thief, cleared by the owner.
  typename M::template atomic<hand*> request_;
};

}  // namespace stealbench::work_stealing
