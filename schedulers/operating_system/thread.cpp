#include "schedulers/operating_system/thread.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include <sys/prctl.h>
#include <unistd.h>

namespace stealbench::operating_system {
namespace {

void check(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

std::size_t exchange_default_stack(std::size_t bytes) {
  pthread_attr_t chosen;
  check(pthread_getattr_default_np(&chosen), "pthread_getattr_default_np");
  std::size_t before = 0;
  pthread_attr_getstacksize(&chosen, &before);
  int error = pthread_attr_setstacksize(&chosen, bytes);
  if (error == 0) error = pthread_setattr_default_np(&chosen);
  pthread_attr_destroy(&chosen);
  check(error, "cannot set the stack size of threads");
  return before;
}

void pin(int thread, unsigned index) {
  const processor_set one = only(processor_of(index));
  check(sched_setaffinity(thread, sizeof one, one.data()) == 0 ? 0 : errno, "sched_setaffinity");
}

}  // namespace

thread::thread(std::size_t stack_bytes, std::optional<unsigned> processor,
               std::function<void()> body)
    : body_(std::move(body)) {
  pthread_attr_t chosen;
  check(pthread_attr_init(&chosen), "pthread_attr_init");
  const std::unique_ptr<pthread_attr_t, int (*)(pthread_attr_t*)> ended(&chosen,
                                                                        &pthread_attr_destroy);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes =
      std::max(stack_bytes, static_cast<std::size_t>(PTHREAD_STACK_MIN) + page);
  int error = pthread_attr_setstacksize(&chosen, (bytes + page - 1) / page * page);
  const std::optional<processor_set> own =
      processor ? only(processor_of(*processor)) : processors_before_binding();
  if (error == 0 && own) error = pthread_attr_setaffinity_np(&chosen, sizeof *own, own->data());
  check(error, "cannot set the stack size and the processor of a thread");
  const auto start = [](void* self) -> void* {
    // Else the kernel may end a timed wait 50 microseconds late: longer than a heart's short
    // period.
    prctl(PR_SET_TIMERSLACK, 1);
    static_cast<thread*>(self)->body_();
    return nullptr;
  };
  // For want of address space as well it is EAGAIN, so the message tells what was asked for.
  error = pthread_create(&handle_, &chosen, start, this);
  if (error != 0) {
    std::string what =
        "cannot start a thread with a stack of " + std::to_string(stack_bytes) + " bytes";
    if (processor) what += " on processor " + std::to_string(processor_of(*processor));
    check(error, what.c_str());
  }
}

thread::~thread() { pthread_join(handle_, nullptr); }

void run_on_stack(std::size_t stack_bytes, const std::function<void()>& body) {
  std::exception_ptr error;
  {
    const thread runner(stack_bytes, std::nullopt, [&] {
      try {
        body();
      } catch (...) {
        error = std::current_exception();
      }
    });
  }
  if (error) std::rethrow_exception(error);
}

default_stack_scope::default_stack_scope(std::size_t bytes)
    : before_(exchange_default_stack(bytes)) {}

default_stack_scope::~default_stack_scope() { exchange_default_stack(before_); }

void pin_this_thread(unsigned index) { pin(0, index); }

std::vector<int> threads() {
  std::vector<int> ids;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/task"))
    ids.push_back(std::stoi(each.path().filename()));
  std::sort(ids.begin(), ids.end());
  return ids;
}

void pin_threads_since(const std::vector<int>& before) {
  unsigned index = 0;
  for (const int id : threads()) {
    if (!std::binary_search(before.begin(), before.end(), id)) pin(id, ++index);
  }
}

affinity_scope::affinity_scope() {
  check(sched_getaffinity(0, sizeof before_, before_.data()) == 0 ? 0 : errno, "sched_getaffinity");
}

affinity_scope::~affinity_scope() { sched_setaffinity(0, sizeof before_, before_.data()); }

void yield_thread() noexcept { sched_yield(); }

// A fiber that migrates asks again behind each join. So no compiler may take one answer for a
// whole function, as it may of pthread_self, which glibc declares const: neither inlined nor pure.
[[gnu::noinline]] const void* this_thread() noexcept {
  static thread_local const char mark = 0;
  asm volatile("" : : : "memory");
  return &mark;
}

}  // namespace stealbench::operating_system
