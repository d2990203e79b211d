#include "bench/costs/handover.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>

namespace stealbench::costs {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

struct rules {
  nanoseconds still;       // Before each fork, to begin with.
  nanoseconds most_still;  // What it is doubled up to while the other worker does not sleep.
  std::size_t least_times;
  std::size_t most_times;
  nanoseconds long_enough;  // Then it ends where enough rounds count,
  nanoseconds too_long;     // and then in any case.
};

// Every scheduler still looks for work after so short a time.
constexpr rules awake_for(nanoseconds still) {
  return {.still = still,
          .most_still = still,
          .least_times = 101,
          .most_times = 2001,
          .long_enough = milliseconds(300),
          .too_long = seconds(5)};
}

// Our own workers sleep after some 60 microseconds, GCC's OpenMP after some milliseconds, LLVM's
// after 200 milliseconds.
constexpr rules asleep{.still = milliseconds(20),
                       .most_still = milliseconds(640),
                       .least_times = 11,
                       .most_times = 31,
                       .long_enough = milliseconds(1500),
                       .too_long = seconds(10)};

constexpr nanoseconds least_patience = milliseconds(1);
constexpr nanoseconds most_patience = milliseconds(64);

rules rules_for(other_worker before) {
  switch (before) {
    case other_worker::just_done:
      return awake_for(nanoseconds(0));
    case other_worker::awake:
      return awake_for(microseconds(2));
    case other_worker::long_awake:
      return awake_for(microseconds(10));
    case other_worker::asleep:
      break;
  }
  return asleep;
}

}  // namespace

thread_switches switches_so_far() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return {.slept = used.ru_nvcsw, .forced = used.ru_nivcsw};
}

handover_rounds::handover_rounds(other_worker before)
    : before_(before),
      clock_ns_(clock_nanoseconds()),
      still_(rules_for(before).still),
      patience_(least_patience),
      used_before_(system::usage_of_process()) {}

bool handover_rounds::is_another_wanted() const {
  const rules by = rules_for(before_);
  const auto passed = clock::now() - begun_;
  if (times_.size() >= by.most_times || passed >= by.too_long) return false;
  return times_.size() < by.least_times || passed < by.long_enough;
}

bool handover_rounds::shifts_turn() {
  const bool shifts = std::bernoulli_distribution()(turns_);
  shifts_ += shifts ? 1 : 0;
  return shifts;
}

// Where workers sleep there is time enough to ask. Where the other worker has just done a job, the
// next fork would come later for it; and that it had the same switches at its own latest job, or
// kept its processor ever since, is the stricter condition.
forker handover_rounds::note_forker(clock::time_point gone_on) const {
  return {.gone_on = gone_on,
          .by = operating_system::this_thread(),
          .switches = before_ == other_worker::asleep ? switches_so_far() : thread_switches()};
}

void handover_rounds::add(clock::time_point start, clock::time_point end, const answer& said,
                          const forker& from) {
  const double ns = nanoseconds_between(start, end) - clock_ns_;
  if (counts(ns, said, from)) times_.push_back(ns);
  if (rounds_ > 1) return;
  first_run_seconds_ = nanoseconds_between(start, clock::now()) * 1e-9;
  used_before_ = system::usage_of_process();
}

std::optional<thread_switches> handover_rounds::see(const sighting& now) {
  for (sighting& each : seen_) {
    if (each.thread == now.thread) return std::exchange(each, now).switches;
  }
  seen_.push_back(now);
  return std::nullopt;
}

bool handover_rounds::counts(double ns, const answer& said, const forker& from) {
  if (before_ == other_worker::asleep) see({from.by, from.switches});
  if (said.by == from.by) {
    ++kept_;
    patience_ = std::min(2 * patience_, most_patience);
    return false;
  }
  patience_ = least_patience;
  const std::optional<thread_switches> before = see({said.by, said.switches});
  if (ns <= 0) {
    ++reversed_;
    return false;
  }
  if (!before) return false;
  if (before_ != other_worker::asleep) return said.switches == *before;
  const bool has_slept = said.switches.slept > before->slept;
  if (!has_slept) still_ = std::min(2 * still_, rules_for(before_).most_still);
  return has_slept;
}

figure_times handover_rounds::times() const {
  const rules by = rules_for(before_);
  if (times_.size() < by.least_times) {
    throw std::runtime_error(fmt::format(
        "{} of {} rounds count, {} must: the forking worker kept {} jobs, {} began before their "
        "fork by the clock, else the other worker {}",
        times_.size(), rounds_, by.least_times, kept_, reversed_,
        before_ == other_worker::asleep ? "had not slept" : "had not kept its processor"));
  }
  const auto later_rounds = static_cast<double>(rounds_ - 1);
  return {.ns_per_operation = times_,
          .operations_per_run = 1,
          .all_operations = std::uint64_t{rounds_} + shifts_,
          .uncounted_runs = rounds_ - times_.size(),
          .first_run_seconds = first_run_seconds_,
          .still_seconds = std::chrono::duration<double>(still_).count(),
          .per_run = (system::usage_of_process() - used_before_) / later_rounds};
}

}  // namespace stealbench::costs
