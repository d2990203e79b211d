#include "bench/cell/neighbours.hpp"

#include <cerrno>
#include <csignal>
#include <memory>
#include <system_error>
#include <thread>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace stealbench::cell {

neighbours::neighbours(unsigned count, std::chrono::milliseconds alone) {
  void* const shared = mmap(nullptr, count * sizeof(counter), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "neighbours");
  counters_ = {static_cast<counter*>(shared), count};
  const pid_t parent = getpid();
  for (counter& own : counters_) {
    std::construct_at(&own);
    const pid_t process = fork();
    if (process == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(0);  // It ended before that call.
      // The only writer. Relaxed: nothing else follows from a count.
      for (std::uint64_t i = 1;; ++i) own.value.store(i, std::memory_order_relaxed);
    }
    if (process < 0) {
      const int error = errno;
      end();
      throw std::system_error(error, std::generic_category(), "neighbours");
    }
    processes_.push_back(process);
  }
  const reading before = read();
  do {  // Once, but where others have the processors.
    std::this_thread::sleep_for(alone);
  } while (read().counted == before.counted);
  alone_ = rate_since(before);
}

neighbours::~neighbours() { end(); }

void neighbours::end() {
  for (const pid_t each : processes_) kill(each, SIGKILL);
  for (const pid_t each : processes_) waitpid(each, nullptr, 0);
  munmap(counters_.data(), counters_.size_bytes());
}

neighbours::reading neighbours::read() const {
  std::uint64_t sum = 0;
  // Relaxed: a count that is a moment old is as good.
  for (const counter& each : counters_) sum += each.value.load(std::memory_order_relaxed);
  return {.counted = sum, .when = clock::now()};
}

double neighbours::rate_since(const reading& before) const {
  const reading after = read();
  const std::chrono::duration<double> elapsed = after.when - before.when;
  return static_cast<double>(after.counted - before.counted) / elapsed.count();
}

}  // namespace stealbench::cell
