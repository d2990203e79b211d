#include "bench/costs/handover.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <sys/resource.h>

namespace stealbench::costs {

thread_switches switches_so_far() {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return {.slept = used.ru_nvcsw, .forced = used.ru_nivcsw};
}

bool handover_rounds::is_another_wanted() const {
  const auto passed = clock::now() - begun_;
  if (times_.size() >= before_.most_times || passed >= before_.too_long) return false;
  return times_.size() < before_.least_times || passed < before_.long_enough;
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
          .switches = before_.sleeps ? switches_so_far() : thread_switches()};
}

void handover_rounds::add(clock::time_point start, clock::time_point end, const answer& said,
                          const forker& self) {
  const double ns = nanoseconds_between(start, end) - clock_ns_;
  if (counts(ns, said, self)) times_.push_back(ns);
  if (rounds_ > 1) return;
  first_run_seconds_ = nanoseconds_between(start, clock::now()) * 1e-9;
  used_before_ = system::usage_of_process();
}

std::optional<thread_switches> handover_rounds::see(const void* thread,
                                                    const thread_switches& now) {
  const auto [known, is_new] = seen_.try_emplace(thread, now);
  if (is_new) return std::nullopt;
  return std::exchange(known->second, now);
}

bool handover_rounds::counts(double ns, const answer& said, const forker& self) {
  if (before_.sleeps) see(self.by, self.switches);
  if (said.by == self.by) {
    ++kept_;
    patience_ = std::min<std::chrono::nanoseconds>(2 * patience_, most_patience);
    return false;
  }
  patience_ = least_patience;
  const std::optional<thread_switches> before = see(said.by, said.switches);
  if (ns <= 0) {
    ++reversed_;
    return false;
  }
  if (!before) return false;
  if (!before_.sleeps) return said.switches == *before;
  const bool has_slept = said.switches.slept > before->slept;
  if (!has_slept) still_ = std::min<std::chrono::nanoseconds>(2 * still_, most_still);
  return has_slept;
}

figure_times handover_rounds::times() const {
  if (times_.size() < before_.least_times) {
    throw std::runtime_error(fmt::format(
        "{} of {} rounds count, {} must: the forking worker kept {} jobs, {} began before their "
        "fork by the clock, else the other worker {}",
        times_.size(), rounds_, before_.least_times, kept_, reversed_,
        before_.sleeps ? "had not slept, as where each job starts a thread, which has no wake-up"
                       : "had not kept its processor"));
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
