// The raw cost that bounds each figure: templates over what is timed, so that a test can say how
// long each of it takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

#include "bench/costs/figures.hpp"
#include "bench/costs/partner.hpp"

namespace stealbench::costs {

template <class Raw, std::size_t Bytes>
[[nodiscard]] figure_times time_copying_calls(bool /*pin*/) {
  return time_batches(operations_per_batch, [] {
    const captured<Bytes> content{};
    for (std::uint64_t call = 0; call < operations_per_batch; ++call) {
      use(content);
      Raw::template copying_call<Bytes>(content);
    }
  });
}

/// Of a thread that waits by futex and is woken.
template <class Partner, handover_end Timed>
[[nodiscard]] figure_times time_futex(bool pin) {
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
    rounds.add(start, Timed == handover_end::job_begins ? said.begun : gone_on, said,
               rounds.note_forker(gone_on));
  }
  return rounds.times();
}

/// Of any metric but `memory`, on the processor and the partner of `Raw`. Throws as time_figure.
template <class Raw>
[[nodiscard]] figure_times time_raw(std::string_view figure, bool pin) {
  using time = figure_times (*)(bool pin);
  constexpr time call = [](bool) {
    return time_operations(operations_per_batch, [] { Raw::call(); });
  };
  constexpr time line = [](bool) { return time_line_transfers<typename Raw::partner>(); };
  static const std::map<std::string_view, time> all{
      {"fork",
       [](bool) {
         return time_operations(operations_per_batch, [] {
           Raw::call();
           Raw::call();
         });
       }},
      {"spawn", call},
      {"spawn_8", call},
      {"spawn_1", call},
      {"capture_8", &time_copying_calls<Raw, 8>},
      {"capture_32", &time_copying_calls<Raw, 32>},
      {"capture_64", &time_copying_calls<Raw, 64>},
      {"capture_128", &time_copying_calls<Raw, 128>},
      {"capture_256", &time_copying_calls<Raw, 256>},
      {"steal", line},
      {"steal_0us", line},
      {"steal_10us", line},
      {"wake", &time_futex<typename Raw::partner, handover_end::job_begins>},
      {"waker", &time_futex<typename Raw::partner, handover_end::waker_goes_on>},
      {"run", call},
      {"loop_0",
       [](bool) {
         return time_operations(operations_per_batch, [] { Raw::loop(opaque_zero()); });
       }},
      {"loop_1000",
       [](bool) {
         return time_batches(operations_per_batch, [] { Raw::loop(operations_per_batch); });
       }},
      {"long_leaf",
       [](bool) {
         return time_each(long_leaves, [] { return nanoseconds_of([] { busy_for(leaf); }); });
       }},
      {"idle", [](bool) { return time_idleness([] {}); }}};
  return all.at(figure)(pin);
}

}  // namespace stealbench::costs
