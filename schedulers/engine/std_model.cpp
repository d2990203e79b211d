#include "schedulers/engine/std_model.hpp"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace stealbench::engine {
namespace detail {

const bool membarrier_registered =
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;

void system_wide_fence() noexcept {
  // Cannot fail once the process is registered (membarrier(2), ERRORS).
  syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
}

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t old) noexcept {
  // EAGAIN (the word has changed) and EINTR both return: every caller looks at the word again.
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);
}

void futex_wake_one(const std::atomic<std::uint32_t>& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace detail

bool asymmetric_fence_available() noexcept { return detail::membarrier_registered; }

}  // namespace stealbench::engine
