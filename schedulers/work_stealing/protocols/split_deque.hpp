// A deque whose jobs are in the slots of a stack, split into a public and a private part. The owner
// takes back private jobs with no atomic read-modify-write and no fence; thieves take public ones,
// and can force the border between the parts upwards when its owner does not. The protocol, its
// edges S1 to S4 and what is not covered are in split_deque.md;
// verify/work_stealing/split_deque_relacy.cpp checks this very file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"

namespace stealbench::work_stealing {

/// One ordering per atomic operation, so that verify/ can weaken one at a time.
///   S1  a private job is offered by opening its slot, and found by a thief that forces the border;
///   S2  an owner that takes a private job back and a thief that forces the border past it: one of
///       them sees the other;
///   S3  an owner makes jobs public by a change of the state, and a thief claims one by another;
///   S4  a thief makes jobs public for other thieves.
/// That a public job is claimed once is no matter of ordering: claims are read-modify-writes of one
/// word. Nor is the reuse of a slot: its owner waits for the job's latch first
/// (engine/sleep/latch.hpp).
struct split_orderings {
  using order = engine::order;

  // push, by the owner.
  order push_entry = order::release;  // S1: pairs with force_entry

  // take_back, by the owner.
  // S2: ordered before take_state by the compiler fence, which pairs with force_fence. No mutant
  // leaves it out: it is for the compiler, whom Relacy does not play.
  order close_entry = order::relaxed;
  order take_state = order::relaxed;  // S2; a border that the owner has moved is its own write

  // settle, by an owner that finds its job in the public part.
  order settle_state = order::relaxed;    // as take_state; the exchange works on the newest value
  order settle_claim = order::relaxed;    // the job is the owner's own: nothing is read through it
  order settle_retract = order::relaxed;  // takes a thief's request back; publishes nothing

  // expose and expose_rest, by the owner.
  order expose_state = order::relaxed;      // the exchange works on the newest value; else a hint
  order expose_state_set = order::release;  // S3: pairs with steal_claim

  // retire, by the owner of a stolen job that has been run or declined.
  order retire_state = order::relaxed;      // the exchange works on the newest value
  order retire_state_set = order::relaxed;  // there is nothing public: publishes nothing

  // steal, by a thief.
  order steal_state = order::relaxed;  // validated by steal_claim
  order steal_claim = order::acquire;  // S3, S4: pairs with expose_state_set and force_grant

  // force, by a thief.
  order force_state = order::relaxed;  // validated by force_ask
  order force_look = order::relaxed;   // a hint that saves the system call
  order force_ask = order::relaxed;    // S2: ordered before force_entry by the heavy fence
  bool force_fence = true;  // S2: heavy; pairs with the compiler fence. False only in a mutant.
  order force_entry = order::acquire;    // S1: pairs with push_entry
  order force_grant = order::release;    // S4: pairs with another thief's steal_claim
  order force_give_up = order::relaxed;  // restores what was: publishes nothing

  // A read-modify-write that fails only tells the newest state: no job is read through it.
  order failure = order::relaxed;

  // looks_empty, by any thread.
  order hint_state = order::relaxed;  // ordered by the caller's fences (parking_lot.hpp, K1)
  order hint_entry = order::relaxed;  // likewise
};

inline constexpr split_orderings split_shipped{};

/// How many private jobs an owner makes public at a time.
enum class portion : std::uint8_t {
  half,  ///< The older half, if none is public; all of them where no thief can force the border,
         ///< since a worker that sleeps would find none while the owner is in a long leaf.
  half_or_few,  ///< As `half`, but at least eight, or all if there are fewer.
  half_of_all,  ///< The older half, those that are public included.
  all,          ///< All of them.
  oldest,       ///< The oldest one. Not while a thief may force the border.
};

/// Over the slots [first, limit) of one owner. A `Slot` has a member `entry`, a job_entry; what
/// else belongs to a job is beside it. The owner keeps the discipline of a stack: it pushes into
/// the slot above all others in use, and joins (take_back, or retire) the topmost one first.
template <class Slot, class M = engine::std_machine,
          const split_orderings& Orderings = split_shipped>
class split_deque {
  static_assert(engine::memory_model<M>);
  using kind = typename Slot::kind_type;

 public:
  /// Throws std::invalid_argument if the slots cross a multiple of 4 GiB, which an aligned
  /// block of a smaller size never does.
  split_deque(Slot* first, Slot* limit)
      : limit_(limit), high_half_(address_of(*first) & ~low_half), state_(pack(low(first), 0, 0)) {
    if ((address_of(*limit) & ~low_half) != high_half_) {
      throw std::invalid_argument("split_deque: the slots cross a multiple of 4 GiB");
    }
    M::name(state_, "deques: border, count of public jobs, request");
  }

  /// Owner only. Offers the job in `slot`, which becomes the topmost one. Wait-free.
  [[gnu::always_inline]] void push(Slot& slot, kind& what) {
    slot.entry.open(what, Orderings.push_entry);
  }

  /// Owner only, for the topmost slot. True: no worker has claimed the job and none will, and the
  /// slot is free. False: a thief has; once it has run the job or declined to, call retire().
  /// Wait-free while the job is private.
  [[nodiscard, gnu::always_inline]] bool take_back(Slot& slot) {
    slot.entry.close(Orderings.close_entry);
    M::compiler_fence();
    if (low(&slot) >= border_of(state_.load(Orderings.take_state))) [[likely]] {
      return true;
    }
    return settle(slot);
  }

  /// Owner only, for the topmost slot, after take_back has failed and the thief is done with it; or
  /// for the lowest of several, after it has failed for the topmost one and thieves are done with
  /// all, whose entries are closed.
  void retire(Slot& slot) {
    std::uint64_t now = state_.load(Orderings.retire_state);
    while (!replace(now, pack(low(&slot), 0, 0), Orderings.retire_state_set)) {
    }
  }

  /// Owner only; `topmost` is the topmost slot, and open. Makes private jobs public, and returns
  /// how many. Lock-free.
  std::uint32_t expose(Slot& topmost, portion wanted = portion::half) {
    std::uint64_t now = state_.load(Orderings.expose_state);
    for (;;) {
      const std::uint32_t were_public = asker(now) == 0 ? count(now) : 0;
      const std::uint32_t first = top(now);
      if (low(&topmost) < first) return 0;  // A thief has forced its way to the very last job.
      const std::uint32_t jobs = (low(&topmost) - first) / stride + 1;
      const std::uint32_t given = (std::min)(to_be_public(jobs, were_public, wanted), most_public);
      if (given <= were_public) return 0;
      if (replace(now, pack(first + given * stride, given, 0), Orderings.expose_state_set)) {
        return given - were_public;
      }
    }
  }

  /// Owner only; `eldest` is a slot in use, and `topmost` as for expose. If the job of `eldest` is
  /// public, forced or stolen, makes the older half of all that are left public, and returns how
  /// many more those are. Lock-free.
  std::uint32_t expose_rest(Slot& topmost, const Slot& eldest) {
    if (low(&eldest) >= border_of(state_.load(Orderings.expose_state))) return 0;
    return expose(topmost, portion::half_of_all);
  }

  /// Any thread but the owner. The oldest public job. Wait-free.
  [[nodiscard]] stolen<Slot*> steal() {
    std::uint64_t now = state_.load(Orderings.steal_state);
    if (count(now) == 0 || asker(now) != 0) return {steal_outcome::empty, nullptr};
    Slot* const oldest = at(top(now));
    if (!replace(now, now - one_job, Orderings.steal_claim)) return {steal_outcome::lost, nullptr};
    return {steal_outcome::taken, oldest};
  }

  /// Any thread but the owner, for a deque whose owner has left a request to share unanswered:
  /// makes the oldest private jobs public without it and takes the first. `thief` is not 0 and no
  /// other thread's. `lost` means that the owner, or another thief, was there. Wait-free but for
  /// the heavy fence; other thieves find nothing here meanwhile.
  [[nodiscard]] stolen<Slot*> force(std::uint16_t thief) {
    std::uint64_t now = state_.load(Orderings.force_state);
    if (count(now) > 0) return {steal_outcome::lost, nullptr};
    if (!M::asymmetric()) return {steal_outcome::empty, nullptr};
    const std::uint32_t first = border_of(now);
    Slot* const oldest = at(first);
    if (!is_open(oldest, Orderings.force_look)) return {steal_outcome::empty, nullptr};
    const auto most =
        static_cast<std::uint32_t>(std::min<std::ptrdiff_t>(most_forced, limit_ - oldest));
    std::uint64_t request = pack(first + most * stride, most, thief);
    if (!replace(now, request, Orderings.force_ask)) return {steal_outcome::lost, nullptr};

    if (Orderings.force_fence) M::heavy_fence();
    // From here on the owner sees the request before it takes one of these jobs back, and retracts
    // it; what it took before is closed.
    std::uint32_t open = 0;
    while (open < most && oldest[open].entry.is_open(Orderings.force_entry)) ++open;
    if (open == 0) {
      replace(request, pack(first, 0, 0), Orderings.force_give_up);
      return {steal_outcome::empty, nullptr};
    }
    if (!replace(request, pack(first + open * stride, open - 1, 0), Orderings.force_grant)) {
      return {steal_outcome::lost, nullptr};
    }
    return {steal_outcome::taken, oldest};
  }

  /// Any thread. How many public jobs there are. A job is seen as by looks_empty.
  [[nodiscard]] std::size_t public_hint() const {
    const std::uint64_t now = state_.load(Orderings.hint_state);
    return asker(now) == 0 ? count(now) : 0;
  }

  /// Any thread. About how many jobs there are that a thief could take: the private ones are told
  /// by looks at the 1st, 2nd, 4th, … of their slots, of which each may cost a transfer of its
  /// line.
  [[nodiscard]] std::size_t size_hint() const {
    const std::uint64_t now = state_.load(Orderings.hint_state);
    const std::size_t jobs = asker(now) == 0 ? count(now) : 0;
    if (!M::asymmetric() || !is_open(at(border_of(now)), Orderings.hint_entry)) return jobs;
    std::ptrdiff_t open = 1;
    while (2 * open <= limit_ - at(border_of(now)) &&
           is_open(at(border_of(now)) + 2 * open - 1, Orderings.hint_entry)) {
      open *= 2;
    }
    return jobs + static_cast<std::size_t>(open);
  }

  /// Any thread. Whether there is neither a public job nor a private one that could be forced. A
  /// job whose push is ordered before the call, by happens-before or by fences, is seen.
  [[nodiscard]] bool looks_empty() const {
    const std::uint64_t now = state_.load(Orderings.hint_state);
    if (count(now) > 0) return false;
    return !M::asymmetric() || !is_open(at(border_of(now)), Orderings.hint_entry);
  }

 private:
  // The state is one word: the border, as the low half of the address of the first private slot;
  // how many public jobs are below it; and which thief asks for them. While a thief asks, the jobs
  // counted are not public yet, though the border says so to the owner.
  static constexpr std::uint64_t one_job = std::uint64_t{1} << 16;
  static constexpr std::uint32_t most_public = 0xffff;
  static constexpr std::uint32_t most_forced = 16;
  static constexpr std::uint32_t few_public = 8;
  static constexpr std::uintptr_t low_half = 0xffff'ffff;
  static constexpr auto stride = static_cast<std::uint32_t>(sizeof(Slot));

  static std::uint64_t pack(std::uint32_t border, std::uint32_t jobs, std::uint16_t asker) {
    return std::uint64_t{border} << 32 | std::uint64_t{jobs} << 16 | asker;
  }
  static std::uint32_t border_of(std::uint64_t state) {
    return static_cast<std::uint32_t>(state >> 32);
  }
  static std::uint32_t count(std::uint64_t state) {
    return static_cast<std::uint32_t>(state) >> 16;
  }
  static std::uint32_t asker(std::uint64_t state) { return static_cast<std::uint16_t>(state); }
  // The oldest job that is not stolen, public or not.
  static std::uint32_t top(std::uint64_t state) { return border_of(state) - count(state) * stride; }

  static std::uintptr_t address_of(const Slot& slot) {
    return reinterpret_cast<std::uintptr_t>(&slot);
  }
  static std::uint32_t low(const Slot* slot) {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(slot));
  }
  [[nodiscard]] Slot* at(std::uint32_t position) const {
    return reinterpret_cast<Slot*>(high_half_ | position);
  }
  [[nodiscard]] bool is_open(const Slot* slot, engine::order o) const {
    return slot < limit_ && slot->entry.is_open(o);
  }

  bool replace(std::uint64_t& expected, std::uint64_t desired, engine::order success) {
    return state_.compare_exchange_strong(expected, desired, success, Orderings.failure);
  }

  // Of so many jobs, the stolen ones not counted.
  static std::uint32_t to_be_public(std::uint32_t jobs, std::uint32_t were_public, portion wanted) {
    if (wanted == portion::oldest) return (std::min)(were_public + 1, jobs);
    if (wanted == portion::all || !M::asymmetric()) return jobs;
    const bool keeps = were_public > 0 && wanted != portion::half_of_all;
    const std::uint32_t half = keeps ? were_public : (jobs + 1) / 2;
    return wanted == portion::half_or_few ? (std::max)(half, (std::min)(jobs, few_public)) : half;
  }

  // The slot is below the border. It is the topmost one, so no other public job is above it.
  [[nodiscard, gnu::noinline, gnu::cold]] bool settle(Slot& slot) {
    const std::uint32_t mine = low(&slot);
    std::uint64_t now = state_.load(Orderings.settle_state);
    for (;;) {
      if (mine >= border_of(now)) return true;  // The thief that asked has given up.
      if (mine < top(now)) return false;
      if (asker(now) != 0) {
        if (replace(now, pack(top(now), 0, 0), Orderings.settle_retract)) return true;
      } else {
        if (replace(now, pack(mine, count(now) - 1, 0), Orderings.settle_claim)) return true;
      }
    }
  }

  Slot* const limit_;
  const std::uintptr_t high_half_;
  // Read by the owner at every join; written by the owner and by thieves.
  alignas(128) typename M::template atomic<std::uint64_t> state_;
};

}  // namespace stealbench::work_stealing
