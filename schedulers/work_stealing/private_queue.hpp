// A worker's queue that is its job stack, and from which others get jobs by asking alone.
#pragma once

#include <algorithm>
#include <cstdint>

#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/work_stealing/protocols/deque_limits.hpp"
#include "schedulers/work_stealing/protocols/private_deque.hpp"
#include "schedulers/work_stealing/victims.hpp"

namespace stealbench::work_stealing {

template <class Slot>
class private_queue {
  using machine = typename Slot::machine;
  using deque = private_deque<Slot, machine>;
  using kind = typename Slot::kind_type;

 public:
  static constexpr engine::capabilities can{.expose = true,
                                            .begin_at = true,
                                            .find_work_of_one = true,
                                            .ask = true,
                                            .give_at_forks_alone = true};
  using shared = deque_table<deque, machine>;

  private_queue(shared& all, unsigned index, Slot* first, Slot* limit)
      : deque_(first, limit),
        all_(all),
        victims_(index, static_cast<unsigned>(all.deques.size()), all.own.victim, all.stolen),
        hand_(index) {
    all.deques[index] = &deque_;
  }

  [[gnu::always_inline]] engine::placement push(Slot& slot, const kind& what) {
    deque_.push(slot, what);
    return {engine::placement::shared};
  }
  [[gnu::always_inline]] bool take_back(Slot& slot) { return deque_.take_back(slot); }
  void retire(Slot& slot) { deque_.retire(slot); }
  std::uint32_t expose(Slot& topmost, engine::offered /*what*/) {
    const auto* const filled = deque_.answer(topmost);
    if (filled == nullptr) return 0;
    served_ = filled->thief();
    return 1;
  }
  /// The worker that was given the latest job.
  [[nodiscard]] unsigned served() const { return served_; }

  /// Asks one worker that seems to have a job, and in the rounds that follow looks whether it was
  /// given one. A worker that does not answer in some rounds is in a long leaf, or has no job any
  /// more: the next round goes on to another. No attempt is lost: an owner gives a job to one
  /// thief, and who finds another thief's request there counts it as empty.
  Slot* find_work(engine::steal_attempts& tried) {
    if (asked_ == nullptr) {
      const auto size_of = [this](unsigned victim) { return all_.deques[victim]->size_hint(); };
      victims_.some(size_of, [&](unsigned victim) { return ask(victim, tried); });
      avoided_ = nullptr;
    }
    tried.latest = victims_.latest();
    return look_at_answer(tried);
  }
  Slot* find_work_of(unsigned victim, engine::steal_attempts& tried) {
    avoided_ = nullptr;
    if (asked_ == nullptr) ask(victim, tried);
    tried.latest = victim;
    return look_at_answer(tried);
  }

  void begin_at(unsigned worker) { victims_.begin_at(worker); }

  /// Before the worker stops looking for work: withdraws its request. Returns the job that it was
  /// given first, or null.
  Slot* withdraw(engine::steal_attempts& tried) {
    if (asked_ == nullptr) return nullptr;
    if (asked_->withdraw(hand_)) {
      asked_ = nullptr;
      ++tried.empty;
      return nullptr;
    }
    ++tried.taken;
    // The owner has taken the request, and is some instructions from having given a job.
    Slot* given = nullptr;
    while ((given = deque::received(hand_)) == nullptr) machine::spin();
    asked_ = nullptr;
    return given;
  }

  /// What can be asked for. Of what this worker has asked for it is told (worker::answer).
  [[nodiscard]] bool has_work() const {
    return std::any_of(all_.deques.begin(), all_.deques.end(),
                       [](const deque* each) { return each->may_be_asked(); });
  }
  [[nodiscard]] bool sees_more() const { return !all_.deques[victims_.latest()]->looks_empty(); }

 private:
  bool ask(unsigned victim, engine::steal_attempts& tried) {
    deque& other = *all_.deques[victim];
    if (&other != avoided_ && other.may_be_asked() && other.ask(hand_)) {
      asked_ = &other;
      rounds_ = 0;
      return true;
    }
    ++tried.empty;
    return false;
  }

  Slot* look_at_answer(engine::steal_attempts& tried) {
    if (asked_ == nullptr) return nullptr;
    Slot* given = deque::received(hand_);
    if (given == nullptr && rounds_++ <= deque_limits_on<machine>.force_after &&
        !asked_->looks_empty()) {
      return nullptr;
    }
    if (given == nullptr) {
      avoided_ = asked_;
      return withdraw(tried);
    }
    ++tried.taken;
    asked_ = nullptr;
    return given;
  }

  // Its last words are its bound and its request, and the flag is behind them on the same line,
  // in the padding: an owner reads the bound and the flag at a fork and its join, and a thief that
  // asks looks at the bound and changes the others.
  [[no_unique_address]] deque deque_;

 public:
  typename Slot::lot::request_flag requested;

 private:
  shared& all_;
  victims<machine> victims_;
  deque* asked_ = nullptr;    // Whose request cell holds hand_.
  deque* avoided_ = nullptr;  // Who has not answered. For one round.
  unsigned rounds_ = 0;       // Since it asked.
  unsigned served_ = 0;
  typename deque::hand hand_;
};

}  // namespace stealbench::work_stealing
