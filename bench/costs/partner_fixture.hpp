// For tests of what measures a machine: a partner whose every act takes the time that the test
// says.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

#include "bench/costs/handover.hpp"
#include "bench/costs/partner.hpp"
#include "bench/system/fake_time_fixture.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::costs {

inline constexpr std::chrono::nanoseconds per_transfer{50};
inline constexpr std::chrono::nanoseconds per_wake_call{2600};
inline constexpr std::chrono::nanoseconds per_wake{7200};
inline constexpr std::chrono::nanoseconds per_sleep{1400};

/// What takes `usually` takes nine times as long in some cases and half as long in others: neither
/// the mean, nor the least, nor the greatest is the median.
inline std::chrono::nanoseconds with_outliers(std::chrono::nanoseconds usually,
                                              std::uint64_t number) {
  return number % 7 == 1 ? 9 * usually : number % 7 == 2 ? usually / 2 : usually;
}

/// The same for what is timed in batches: all of a run is an outlier.
inline void pass_with_outliers(std::chrono::nanoseconds usually) {
  const auto place = system::fake_time::passed() % std::chrono::milliseconds(40);
  system::fake_time::pass(place < std::chrono::milliseconds(8)    ? 10 * usually
                          : place < std::chrono::milliseconds(10) ? usually / 2
                                                                  : usually);
}

inline bool is_pinned_to(unsigned processor, pid_t thread = 0) {
  cpu_set_t may_use;
  CPU_ZERO(&may_use);
  return sched_getaffinity(thread, sizeof(may_use), &may_use) == 0 && CPU_COUNT(&may_use) == 1 &&
         CPU_ISSET(operating_system::processor_of(processor), &may_use);
}

struct partner_made {
  wait_by how;
  std::optional<unsigned> processor;
  bool is_owner_pinned;  ///< To the first processor.

  friend bool operator==(const partner_made&, const partner_made&) = default;
};

/// What the test says, and what it is told.
struct partner_notes {
  std::uint32_t awake_of_seven = 0;  ///< Of seven sends, the number that find it awake.
  std::vector<partner_made> partners = {};
  std::chrono::nanoseconds least_idle = std::chrono::hours(1);  ///< Before a send.
};

/// Answers in the time of its owner, which is that of the test.
class fake_partner {
 public:
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): templates make the partner
  static inline partner_notes noted;

  fake_partner(wait_by how, std::optional<unsigned> processor) : how_(how), processor_(processor) {
    noted.partners.push_back({how, processor, is_pinned_to(0)});
    on_owners_processor() = processor == 0U ? this : nullptr;
  }
  fake_partner(const fake_partner&) = delete;
  fake_partner& operator=(const fake_partner&) = delete;
  ~fake_partner() { on_owners_processor() = nullptr; }

  bool send(std::uint32_t number) {
    if (how_ == wait_by::spinning) {
      pass_with_outliers(4 * per_transfer);
      said_.acknowledge(number);
      return false;
    }
    if (processor_ == 0U) {
      waits_for_processor_ = number;
      yields_ = 0;
      system::fake_time::pass(per_wake_call);
      return true;
    }
    const auto sent = system::fake_time::passed();
    noted.least_idle = std::min(noted.least_idle, sent - answered_);
    const bool sleeps = number % 7 >= noted.awake_of_seven;
    const auto times = [number, sleeps](std::chrono::nanoseconds usually) {
      return sleeps ? with_outliers(usually, number) : usually / 20;
    };
    said_.begun = clock::now() + times(per_wake);
    said_.ended = said_.begun + std::chrono::microseconds(50);
    said_.by = this;
    said_.switches.slept += sleeps ? 1 : 0;
    system::fake_time::pass(times(per_wake_call) - (system::fake_time::passed() - sent));
    said_.acknowledge(number);
    answered_ = system::fake_time::passed();
    return sleeps;
  }
  [[nodiscard]] const answer& said() const { return said_; }

  /// The owner lets others have its processor: the second time the partner runs, and sleeps.
  static void yield_thread() {
    fake_partner* const other = on_owners_processor();
    if (other == nullptr || other->said_.is_given(other->waits_for_processor_)) return;
    if (++other->yields_ < 2) return;
    const std::uint32_t number = other->waits_for_processor_;
    system::fake_time::pass(std::chrono::nanoseconds(500));
    other->said_.begun = clock::now();
    system::fake_time::pass(std::chrono::nanoseconds(5000));
    other->said_.ended = clock::now();
    system::fake_time::pass(with_outliers(per_sleep, number));
    other->said_.acknowledge(number);
  }

 private:
  static fake_partner*& on_owners_processor() {
    static fake_partner* latest = nullptr;
    return latest;
  }

  const wait_by how_;
  const std::optional<unsigned> processor_;
  answer said_;
  std::chrono::nanoseconds answered_ = system::fake_time::passed();
  std::uint32_t waits_for_processor_ = 0;
  unsigned yields_ = 0;
};

}  // namespace stealbench::costs
