#include "bench/costs/partner.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "schedulers/operating_system/thread.hpp"

namespace stealbench::costs {

partner::partner(wait_by how, std::optional<unsigned> processor)
    : how_(how), thread_([this, processor] {
        if (processor) operating_system::pin_this_thread(*processor);
        answer_all();
      }) {}

partner::~partner() {
  send(stop);
  thread_.join();
}

void partner::answer_all() {
  for (std::uint32_t number = await_after(0); number != stop; number = await_after(number)) {
    if (how_ == wait_by::futex) {
      said_.give(clock::now(), number);
    } else {
      said_.acknowledge(number);
    }
  }
}

std::uint32_t partner::await_after(std::uint32_t latest) {
  std::uint32_t number = word_.load(std::memory_order_acquire);  // pairs with W
  while (number == latest) {
    if (how_ == wait_by::futex) {
      // The kernel compares the word before it lets the thread sleep: no wake-up is lost.
      syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, latest, nullptr, nullptr, 0);
    }
    number = word_.load(std::memory_order_acquire);  // pairs with W
  }
  return number;
}

bool partner::wake() {
  return syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0) == 1;
}

}  // namespace stealbench::costs
