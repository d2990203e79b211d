// Deques that take down what is done to them, as histories for verify/linearizability.hpp: under
// Relacy and on real threads alike. An act is a character, so that a script is a string. Knows
// nothing of Relacy.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "schedulers/engine/jobs/job_entry.hpp"
#include "schedulers/engine/sleep/latch.hpp"
#include "schedulers/work_stealing/protocols/deque.hpp"
#include "schedulers/work_stealing/protocols/split_deque.hpp"
#include "verify/linearizability.hpp"

namespace stealbench::verify {

/// A deque of pointers in a buffer of its own. `Deque` is a deque of `int*`.
template <class Deque>
class recorded_ring_deque {
 public:
  static constexpr std::string_view owner_acts = "+-";  ///< Pushes, pops.
  static constexpr std::string_view thief_acts = "s";   ///< Steals.

  recorded_ring_deque(std::size_t capacity, std::size_t max_capacity)
      : deque_(capacity, max_capacity) {}

  /// False: a push was refused. At most 16 pushes.
  [[nodiscard]] bool play(char act, std::uint16_t /*who*/, auto& to) {
    bool room = true;
    if (act == '+') {
      int* const job = &jobs_[pushed_++];
      to.take_down(event::kind::push, [&] {
        room = deque_.push(job);
        return id(job);
      });
    }
    if (act == '-') to.take_down(event::kind::pop, [&] { return id(deque_.pop()); });
    if (act == 's') to.take_down(event::kind::steal, [&] { return id(deque_.steal().job); });
    return room;
  }

 private:
  [[nodiscard]] std::optional<std::size_t> id(const int* job) const {
    if (job == nullptr) return std::nullopt;
    return static_cast<std::size_t>(job - jobs_.data());
  }

  Deque deque_;
  std::array<int, 16> jobs_{};
  std::size_t pushed_ = 0;
};

/// The split deque, with the stack of slots of its owner. What its operations are to a sequential
/// deque:
///  - push is a push, and share is nothing: a border is no part of what a deque holds.
///  - steal and force are a steal of the job they claim, open or closed. A thief that finds it
///    closed declines, and the owner runs the job; but it has that from the latch, and the deque
///    had lost it at the claim.
///  - take_back is a pop of the topmost job, which is the youngest left. If it fails, it is a pop
///    that found nothing, and there was nothing: the slot lay below top. Top goes up by one slot
///    for each claim, and retire brings it down before the owner forks there anew; so every job
///    below it is claimed, and all that are not joined yet lie below.
template <class M, std::size_t Slots,
          const work_stealing::split_orderings& Orderings = work_stealing::split_shipped>
class recorded_split_deque {
 public:
  static constexpr std::string_view owner_acts = "+-S";  ///< Pushes, pops, shares.
  static constexpr std::string_view thief_acts = "sf";   ///< Steals, forces.

  /// Of the `Slots`, the deque gets as many as its capacity.
  recorded_split_deque(std::size_t /*capacity*/, std::size_t max_capacity)
      : deque_(&slots_[0], &slots_[max_capacity]), capacity_(max_capacity) {}

  /// `who` is a thief's number. False: there is no slot for a push.
  [[nodiscard]] bool play(char act, std::uint16_t who, auto& to) {
    if (act == '+') return push(to);
    if (act == '-') pop(to);
    if (act == 'S') expose();
    if (act == 's') steal(to, [&] { return deque_.steal(); });
    if (act == 'f') steal(to, [&] { return deque_.force(who); });
    return true;
  }

 private:
  struct kind {};
  static inline kind a_job;
  struct no_sleeper {};  // No worker sleeps at a latch in these tests.

  struct slot {
    using kind_type = kind;
    engine::job_entry<kind, M> entry;
    engine::latch<no_sleeper, M> finished;
    std::size_t job = 0;  // plain on purpose: the deque and the latch order the accesses to it
    bool gone = false;    // the owner's own record
  };
  using slots = std::array<slot, Slots + 1>;

  bool push(auto& to) {
    if (depth_ == capacity_) return false;
    slot& topmost = slots_[depth_++];
    topmost.job = pushed_++;
    to.take_down(event::kind::push, [&] {
      deque_.push(topmost, a_job);
      return std::optional(topmost.job);
    });
    return true;
  }

  // A job that is gone is waited for by the pops that come to its slot again, each for as long as
  // one look: until then the owner may work above it, as a worker does; and where the deque has
  // lost a job, the test goes on to be judged.
  void pop(auto& to) {
    while (depth_ > 0 && slots_[depth_ - 1].gone) {
      if (!slots_[depth_ - 1].finished.done()) return;
      retire(slots_[depth_ - 1]);
    }
    if (depth_ == 0) return;
    slot& topmost = slots_[depth_ - 1];
    to.take_down(event::kind::pop, [&] {
      topmost.gone = !deque_.take_back(topmost);
      return topmost.gone ? std::nullopt : std::optional(topmost.job);
    });
    if (!topmost.gone) --depth_;
  }

  void retire(slot& stolen) {
    stolen.finished.reset();
    deque_.retire(stolen);
    stolen.gone = false;
    --depth_;
  }

  void expose() {
    if (depth_ > 0 && !slots_[depth_ - 1].gone) deque_.expose(slots_[depth_ - 1]);
  }

  // The event is over before the latch opens: then the slot may be another job's.
  void steal(auto& to, const auto& take) {
    slot* found = nullptr;
    to.take_down(event::kind::steal, [&] {
      found = take().job;
      return found == nullptr ? std::nullopt : std::optional(found->job);
    });
    if (found != nullptr) static_cast<void>(found->finished.set());
  }

  // So aligned, they do not lie across a multiple of 4 GiB.
  alignas(std::bit_ceil(sizeof(slots))) slots slots_{};
  work_stealing::split_deque<slot, M, Orderings> deque_;
  const std::size_t capacity_;
  std::size_t depth_ = 0;
  std::size_t pushed_ = 0;
};

}  // namespace stealbench::verify
