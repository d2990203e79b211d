// The thread that beats once in a period while a run is under way, for workers that make private
// jobs public at beats (../work_stealing/README.md#when-a-job-becomes-public).
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "schedulers/engine/memory_model.hpp"
#include "schedulers/engine/sleep/parker.hpp"

namespace stealbench::engine {

/// Protocol: one word.
///   resting --a run begins--> beating: who finds it resting wakes the thread
///   beating --the run ends--> ending --at the next beat--> resting, and the thread sleeps
///   ending --another run begins--> beating: the thread goes on
///   any --destructor--> stopped, and the thread is woken
/// So a pool without a run costs nothing, and runs shorter than a period share their beats. All
/// accesses are relaxed: nothing is read through the word, who sleeps for good is told of its
/// change by a token (parker.hpp, P1), and each change that another could make as well is a
/// read-modify-write.
template <class M>
class heart {
 public:
  /// Calls `beat` from a thread of its own. Throws std::system_error, as M::thread does.
  heart(std::chrono::nanoseconds period, std::function<void()> beat)
      : period_(period),
        beat_(std::move(beat)),
        thread_(std::in_place, stack_bytes, std::nullopt, [this] { live(); }) {}
  ~heart() {
    does_.exchange(stopped, order::relaxed);
    parker_.unpark();
    thread_.reset();  // Joins, while all that the thread uses is alive.
  }

  /// A run is under way for as long as it lives. Of no effect where there is no heart.
  class run_scope {
   public:
    explicit run_scope(heart* driven) : heart_(driven) {
      if (heart_ != nullptr) heart_->begin();
    }
    run_scope(const run_scope&) = delete;
    run_scope& operator=(const run_scope&) = delete;
    ~run_scope() {
      if (heart_ != nullptr) heart_->does_.exchange(ending, order::relaxed);
    }

   private:
    heart* const heart_;
  };

  /// Whether the calling thread is the heart's.
  [[nodiscard]] bool has_calling_thread() const { return thread_->is_calling(); }

  /// How often it has beaten. Any thread.
  [[nodiscard]] std::uint64_t beats() const { return beats_.load(order::relaxed); }

 private:
  static constexpr std::uint32_t resting = 0;
  static constexpr std::uint32_t beating = 1;
  static constexpr std::uint32_t ending = 2;
  static constexpr std::uint32_t stopped = 3;
  static constexpr std::size_t stack_bytes = std::size_t{256} << 10;

  void begin() {
    if (does_.exchange(beating, order::relaxed) == resting) parker_.unpark();
  }

  void live() {
    do parker_.park();
    while (beat_while_running());
  }

  // Returns false at the end of all. By deadlines, so that a late timer delays one beat and not
  // those that follow; who is late by a period has missed a beat, and does not make up for it.
  bool beat_while_running() {
    auto next = M::now() + period_;
    for (;;) {
      const auto now = M::now();
      if (now < next) parker_.park(next - now);
      std::uint32_t seen = does_.load(order::relaxed);
      if (seen == stopped) return false;
      if (seen == resting) return true;
      if (seen == ending && does_.compare_exchange_strong(seen, resting, order::relaxed,  //
                                                          order::relaxed)) {
        return true;
      }
      beats_.store(beats_.load(order::relaxed) + 1,
                   order::relaxed);  // written by this thread alone
      beat_();
      next += period_;
      if (next < M::now()) next = M::now() + period_;
    }
  }

  const std::chrono::nanoseconds period_;
  const std::function<void()> beat_;
  parker<M> parker_;
  typename M::template atomic<std::uint32_t> does_{resting};
  typename M::template atomic<std::uint64_t> beats_{0};
  std::optional<typename M::thread> thread_;
};

}  // namespace stealbench::engine
