#include "schedulers/engine/std_machine.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stealbench::engine {

static_assert(detail::to_std(order::relaxed) == std::memory_order_relaxed &&
              detail::to_std(order::acquire) == std::memory_order_acquire &&
              detail::to_std(order::release) == std::memory_order_release &&
              detail::to_std(order::acq_rel) == std::memory_order_acq_rel &&
              detail::to_std(order::seq_cst) == std::memory_order_seq_cst);

[[gnu::init_priority(101)]] const detail::membarrier_registration detail::membarrier{
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0};

void std_machine::heavy_fence() noexcept {
  if (!detail::membarrier.is_made) return fence(order::seq_cst);
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) == 0) [[likely]]
    return;
  // A sandbox that the process has entered since it registered, say. To go on would let two workers
  // run one job: owners have no fence of their own.
  std::fprintf(
      stderr,
      "stealbench: membarrier was registered at start-up and is refused now (%s). Refuse it "
      "from the start, or not at all.\n",
      std::strerror(errno));
  std::abort();
}

bool std_machine::wait(const zeroed_atomic<std::uint32_t>& word, std::uint32_t old,
                       std::chrono::nanoseconds at_most) noexcept {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(at_most);
  const timespec limit{.tv_sec = seconds.count(), .tv_nsec = (at_most - seconds).count()};
  // EAGAIN (the word has changed) and EINTR both return: every caller looks at the word again.
  return syscall(SYS_futex, &word.word_, FUTEX_WAIT_PRIVATE, old,
                 at_most.count() == 0 ? nullptr : &limit, nullptr, 0) == 0 ||
         errno != ETIMEDOUT;
}

void std_machine::notify_one(const zeroed_atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word.word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace stealbench::engine
