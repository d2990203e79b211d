// How long a worker looks for work before it sleeps, and what it does between two looks.
#pragma once

#include <algorithm>
#include <cstdint>

#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/options.hpp"

namespace stealbench::engine {

/// Why a worker looks for work.
enum class purpose : std::uint8_t { any_job, join };

/// Of all workers of a scheduler on the machine `M`, by its options.
template <class M>
class patience {
 public:
  explicit patience(const schedulers::options& chosen)
      : chosen_(chosen), join_rounds_(M::join_rounds(chosen.workers)) {}

  /// A worker that waits for long checks that it is in the process that made the pool.
  [[no_unique_address]] const typename M::process_mark made_in{};

  /// How many may search at a time.
  [[nodiscard]] unsigned most_searchers() const {
    using schedulers::searcher_limit;
    if (chosen_.searchers == searcher_limit::one) return 1;
    const unsigned workers = chosen_.workers;
    return chosen_.searchers == searcher_limit::all ? workers : M::most_searchers(workers);
  }

  /// One step of waiting, after as many rounds without a job, unless it is `over`. False when it is
  /// time to sleep, which is after some rounds of spinning and some of yielding.
  template <class Over>
  bool pause(purpose why, unsigned round, const Over& over) const {
    using schedulers::idle_policy;
    const unsigned spins = rounds(why);
    if (round == spins || round % 1024 == 1023) made_in.expect_here();
    if (round < spins || chosen_.idle == idle_policy::spin) {
      if (chosen_.backoff == schedulers::backoff_policy::yield_thread) {
        M::yield_thread();
      } else {
        for (unsigned left = pauses_after(round); left > 0 && !over(); --left) M::spin();
      }
      return true;
    }
    if (round < spins + M::limits().yield_rounds || chosen_.idle == idle_policy::yield_thread) {
      M::yield_thread();
      return true;
    }
    return false;
  }

 private:
  // Before a worker yields and then sleeps. Where the machine says none, it is none.
  [[nodiscard]] unsigned rounds(purpose why) const {
    const unsigned shipped = why == purpose::join ? join_rounds_ : M::limits().spin_rounds;
    if (chosen_.attempts == schedulers::attempt_limit::twice_workers) {
      const unsigned looks = std::clamp(chosen_.workers - 1, 1U, most_looks);
      return (std::min)(shipped, (2 * chosen_.workers + looks - 1) / looks);
    }
    return shipped;
  }

  [[nodiscard]] unsigned pauses_after(unsigned round) const {
    const unsigned longest = M::limits().longest_pause;
    if (chosen_.backoff == schedulers::backoff_policy::linear)
      return (std::min)(round + 1, longest);
    // Up to 16 times as many as with the linear one, so that a worker still finds a job soon.
    return (std::min)(1U << (std::min)(round, 16U), 16 * longest);
  }

  const schedulers::options chosen_;
  const unsigned join_rounds_;
};

}  // namespace stealbench::engine
