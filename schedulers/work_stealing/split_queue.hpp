// A worker's queue that is its job stack: no pointers, the slots themselves are the deque.
#pragma once

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/engine/sleep/parking_lot.hpp"
#include "schedulers/work_stealing/protocols/deque_limits.hpp"
#include "schedulers/work_stealing/protocols/split_deque.hpp"
#include "schedulers/work_stealing/steal_worth.hpp"
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::work_stealing {

template <class Slot>
class split_queue {
  using machine = typename Slot::machine;
  using deque = split_deque<Slot, machine>;
  using kind = typename Slot::kind_type;

 public:
  static constexpr engine::capabilities can{.choose_answers = true,
                                            .expose = true,
                                            .expose_rest = true,
                                            .begin_at = true,
                                            .find_work_of_one = true,
                                            .weigh = true,
                                            .retire_together = true};
  struct shared : deque_table<deque, machine> {
    explicit shared(const schedulers::options& chosen)
        : deque_table<deque, machine>(chosen), worth(chosen.workers) {}
    std::vector<steal_worth<machine>> worth;  ///< Of each worker's jobs.
  };

  split_queue(shared& all, unsigned index, Slot* first, Slot* limit)
      : deque_(first, limit),
        all_(all),
        index_(index),
        victims_(index, static_cast<unsigned>(all.deques.size()), all.own.victim, all.stolen) {
    all.deques[index] = &deque_;
    assert(reinterpret_cast<const std::byte*>(&requested) -
               reinterpret_cast<const std::byte*>(&deque_) <
           static_cast<std::ptrdiff_t>(sizeof deque_));  // see deque_
  }

  [[gnu::always_inline]] engine::placement push(Slot& slot, const kind& what) {
    deque_.push(slot, what);
    return {engine::placement::shared};
  }
  [[gnu::always_inline]] bool take_back(Slot& slot) { return deque_.take_back(slot); }
  void retire(Slot& slot) { deque_.retire(slot); }
  std::uint32_t expose(Slot& topmost, engine::offered what) {
    return deque_.expose(topmost, portion_of(all_.own.expose, what));
  }
  static constexpr unsigned many_children = deque_limits_on<machine>.many_children;
  // The owner answers no request until it has joined all of them: of private ones, thieves would
  // have to force each few. Public ones cost the owner an exchange each; so only half are, and
  // only where the eldest is public, forced or stolen.
  std::uint32_t expose_rest(Slot& topmost, const Slot& eldest) {
    const bool offers = all_.own.expose == exposure::asked && !all_.worth[index_].is_spared();
    return offers ? deque_.expose_rest(topmost, eldest) : 0;
  }
  static std::chrono::nanoseconds beat_of(const schedulers::options& chosen) {
    return schedulers::own_options<options>(chosen).beat;
  }
  static engine::answers answers_of(const schedulers::options& chosen) {
    const exposure how = schedulers::own_options<options>(chosen).expose;
    if (how == exposure::heartbeat) return engine::answers::beats;
    return how == exposure::always ? engine::answers::pushes : engine::answers::requests;
  }

  /// Takes what is public. Owners see at their next fork that they are asked for work, and make
  /// jobs public; only where none does, the thief pays for a system-wide fence and takes what is
  /// private. Where jobs become public at beats alone, no thief takes a private one.
  Slot* find_work(engine::steal_attempts& tried) {
    const bool forces = lose_patience();
    const auto size_of = [this](unsigned victim) { return size_hint_of(*all_.deques[victim]); };
    return victims_.find(size_of, tried,
                         [&](unsigned victim) { return take_from(victim, forces, tried); });
  }
  Slot* find_work_of(unsigned victim, engine::steal_attempts& tried) {
    return take_from(victim, lose_patience(), tried);
  }

  void begin_at(unsigned worker) { victims_.begin_at(worker); }

  void weigh(unsigned victim, std::chrono::nanoseconds length) {
    using worth = steal_worth<machine>;
    times_claims_ = length < worth::long_anyway;
    if (length >= worth::least_length(claim_, static_cast<unsigned>(all_.worth.size()))) {
      all_.worth[victim].note_long();
    } else if (++short_jobs_ % worth::short_jobs_per_note == 0) {
      all_.worth[victim].note_short();
    }
  }

  [[nodiscard]] bool has_work() const {
    return forces() ? all_.has_work()
                    : std::any_of(all_.deques.begin(), all_.deques.end(),
                                  [](const deque* each) { return each->public_hint() > 0; });
  }
  [[nodiscard]] bool sees_more() const {
    const deque& latest = *all_.deques[victims_.latest()];
    return forces() ? !latest.looks_empty() : latest.public_hint() > 0;
  }

 private:
  // The private ones too where victims are compared by their jobs. They cost transfers, of their
  // slots' lines; and to know where to look next, only those matter that need no request.
  [[nodiscard]] std::size_t size_hint_of(const deque& victim) const {
    const bool compares = all_.own.victim == victim_choice::busiest;
    return compares && forces() ? victim.size_hint() : victim.public_hint();
  }

  Slot* take_from(unsigned victim, bool forces, engine::steal_attempts& tried) {
    if (all_.worth[victim].is_spared()) return nullptr;
    deque& other = *all_.deques[victim];
    std::chrono::steady_clock::time_point begin;
    if (times_claims_) begin = machine::now();
    stolen<Slot*> result = other.steal();
    if (result.job == nullptr && forces) {
      result = other.force(static_cast<std::uint16_t>(index_ + 1));
    }
    note(result.outcome, tried);
    if (result.job != nullptr) {
      fruitless_ = 0;
      if (times_claims_) claim_ += (machine::now() - begin - claim_) / 8;
    }
    return result.job;
  }

  static portion portion_of(exposure how, engine::offered what) {
    if (how == exposure::heartbeat) return portion::oldest;
    if (how == exposure::always) return portion::all;
    return what == engine::offered::child ? portion::half_or_few : portion::half;
  }

  [[nodiscard]] bool forces() const { return all_.own.expose != exposure::heartbeat; }

  // Whether the time has come to force.
  bool lose_patience() {
    if (!forces() || ++fruitless_ <= deque_limits_on<machine>.force_after) return false;
    fruitless_ = 0;
    return true;
  }

  // Its last word is its state, and the request is behind it on the same line, in the padding:
  // the owner reads both at a fork and its join, and a thief looks at both.
  [[no_unique_address]] deque deque_;

 public:
  typename Slot::lot::request_flag requested;

 private:
  shared& all_;
  const unsigned index_;
  victims<machine> victims_;
  unsigned fruitless_ = 0;
  // Of the jobs that this worker has stolen:
  unsigned short_jobs_ = 0;
  bool times_claims_ = false;  // Whether the latest was so short that its claim matters.
  // How long the latest claims took, on average. Long until some are known.
  std::chrono::nanoseconds claim_ = steal_worth<machine>::long_anyway;
};

}  // namespace stealbench::work_stealing
