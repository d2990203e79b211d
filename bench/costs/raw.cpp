#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "bench/costs/figures.hpp"
#include "bench/costs/handover.hpp"
#include "bench/costs/partner.hpp"
#include "bench/costs/resources.hpp"
#include "schedulers/operating_system/thread.hpp"

namespace stealbench::costs {
namespace {

// Neither inlined nor left out.
[[gnu::noinline]] void plain_call() { do_nothing(); }

template <std::size_t Bytes>
[[gnu::noinline]] void copying_call(captured<Bytes> content) {
  use(content);
}
template <std::size_t Bytes>
figure_times time_copying_calls() {
  return time_batches(operations_per_batch, [] {
    const captured<Bytes> content{};
    for (std::uint64_t call = 0; call < operations_per_batch; ++call) {
      use(content);
      copying_call<Bytes>(content);
    }
  });
}

void plain_loop(std::size_t indices) {
  for (std::size_t i = 0; i < indices; ++i) do_nothing();
}

figure_times time_futex(handover_end timed, bool pin) {
  const operating_system::affinity_scope restore;
  if (pin) operating_system::pin_this_thread(0);
  handover_rounds rounds(other_worker::asleep);
  partner other(wait_by::futex, pin ? std::optional(1U) : std::nullopt);
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

// As many threads as a pool starts, on stacks like its own; they sleep.
class sleeping_threads {
 public:
  // The other constructor comes first, so that the destructor runs if a thread cannot be started.
  explicit sleeping_threads(const schedulers::options& options) : sleeping_threads() {
    for (unsigned other = 1; other < options.workers; ++other) {
      threads_.push_back(std::make_unique<operating_system::thread>(
          options.stack_bytes, std::nullopt,
          // Relaxed: the threads read nothing else.
          [this] { is_over_.wait(false, std::memory_order_relaxed); }));
    }
  }
  sleeping_threads(const sleeping_threads&) = delete;
  sleeping_threads& operator=(const sleeping_threads&) = delete;
  ~sleeping_threads() {
    is_over_.store(true, std::memory_order_relaxed);  // As above.
    is_over_.notify_all();
  }

 private:
  sleeping_threads() = default;

  std::atomic<bool> is_over_{false};
  std::vector<std::unique_ptr<operating_system::thread>> threads_;  // Joined first.
};

figure_times time_raw(figure which, bool pin) {
  switch (which) {
    case figure::fork:
      return time_operations(operations_per_batch, [] {
        plain_call();
        plain_call();
      });
    case figure::spawn:
    case figure::spawn_8:
    case figure::spawn_1:
    case figure::run:
      return time_operations(operations_per_batch, [] { plain_call(); });
    case figure::capture_8:
      return time_copying_calls<8>();
    case figure::capture_32:
      return time_copying_calls<32>();
    case figure::capture_64:
      return time_copying_calls<64>();
    case figure::capture_128:
      return time_copying_calls<128>();
    case figure::capture_256:
      return time_copying_calls<256>();
    case figure::steal:
    case figure::steal_0us:
    case figure::steal_10us:
      return time_line_transfers();
    case figure::wake:
      return time_futex(handover_end::job_begins, pin);
    case figure::waker:
      return time_futex(handover_end::waker_goes_on, pin);
    case figure::loop_0:
      return time_operations(operations_per_batch, [] { plain_loop(opaque_zero()); });
    case figure::loop_1000:
      return time_batches(operations_per_batch, [] { plain_loop(operations_per_batch); });
    case figure::long_leaf:
      return time_each(long_leaves, [] { return nanoseconds_of([] { busy_for(leaf); }); });
    case figure::idle:
      return time_idleness([] {});
    case figure::memory:
      break;
  }
  throw std::logic_error("memory is measured around the start of threads");
}

}  // namespace

figure_result measure_raw(figure which, const schedulers::options& options) {
  if (which == figure::memory) {
    return measure_memory<sleeping_threads>(options, [](const sleeping_threads&) {});
  }
  return {.times = time_raw(which, options.pin), .worker_count = options.workers};
}

}  // namespace stealbench::costs
