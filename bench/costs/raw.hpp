// The raw cost that bounds each figure: templates over what is timed, so that a test can say how
// long each of it takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>

#include "bench/costs/figures.hpp"
#include "bench/costs/handover.hpp"
#include "bench/costs/partner.hpp"
#include "bench/costs/resources.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::costs {

template <class Raw, std::size_t Bytes>
[[nodiscard]] figure_times time_copying_calls() {
  return time_batches(operations_per_batch, [] {
    const captured<Bytes> content{};
    for (std::uint64_t call = 0; call < operations_per_batch; ++call) {
      use(content);
      Raw::template copying_call<Bytes>(content);
    }
  });
}

/// Of a thread that waits by futex and is woken.
template <class Partner>
[[nodiscard]] figure_times time_futex(handover_end timed, bool pin) {
  const operating_system::affinity_scope restore;
  if (pin) operating_system::pin_this_thread(0);
  handover_rounds rounds(other_worker::asleep);
  Partner other(wait_by::futex, pin ? std::optional(1U) : std::nullopt);
  while (rounds.is_another_wanted()) {
    const std::uint32_t number = rounds.begin();
    rounds.leave_alone();
    const clock::time_point start = clock::now();
    other.send(number);
    const clock::time_point gone_on = clock::now();
    const answer& said = other.said();
    said.await(number);
    rounds.add(start, timed == handover_end::job_begins ? said.begun : gone_on, said,
               rounds.note_forker(gone_on));
  }
  return rounds.times();
}

/// Of any figure but `memory`, on the processor and the partner of `Raw`. Throws as time_figure.
template <class Raw>
[[nodiscard]] figure_times time_raw(figure which, bool pin) {
  switch (which) {
    case figure::fork:
      return time_operations(operations_per_batch, [] {
        Raw::call();
        Raw::call();
      });
    case figure::spawn:
    case figure::spawn_8:
    case figure::spawn_1:
    case figure::run:
      return time_operations(operations_per_batch, [] { Raw::call(); });
    case figure::capture_8:
      return time_copying_calls<Raw, 8>();
    case figure::capture_32:
      return time_copying_calls<Raw, 32>();
    case figure::capture_64:
      return time_copying_calls<Raw, 64>();
    case figure::capture_128:
      return time_copying_calls<Raw, 128>();
    case figure::capture_256:
      return time_copying_calls<Raw, 256>();
    case figure::steal:
    case figure::steal_0us:
    case figure::steal_10us:
      return time_line_transfers<typename Raw::partner>();
    case figure::wake:
      return time_futex<typename Raw::partner>(handover_end::job_begins, pin);
    case figure::waker:
      return time_futex<typename Raw::partner>(handover_end::waker_goes_on, pin);
    case figure::loop_0:
      return time_operations(operations_per_batch, [] { Raw::loop(opaque_zero()); });
    case figure::loop_1000:
      return time_batches(operations_per_batch, [] { Raw::loop(operations_per_batch); });
    case figure::long_leaf:
      return time_each(long_leaves, [] { return nanoseconds_of([] { busy_for(leaf); }); });
    case figure::idle:
      return time_idleness([] {});
    case figure::memory:
      break;
  }
  throw std::logic_error("memory is measured around the start of threads");
}

}  // namespace stealbench::costs
