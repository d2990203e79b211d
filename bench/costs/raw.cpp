#include "bench/costs/raw.hpp"

#include <memory>
#include <stdexcept>

#include "bench/costs/machine_timing.hpp"

namespace stealbench::costs {
namespace {

struct real_calls {
  using partner = costs::partner;
  // Neither inlined nor left out.
  [[gnu::noinline]] static void call() { do_nothing(); }
  template <std::size_t Bytes>
  [[gnu::noinline]] static void copying_call(captured<Bytes> content) {
    use(content);
  }
  static void loop(std::size_t indices) {
    for (std::size_t i = 0; i < indices; ++i) do_nothing();
  }
};

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

}  // namespace

figure_result measure_raw(std::string_view figure, const schedulers::options& options) {
  if (figure == "memory") {
    return measure_memory<sleeping_threads>(options, [](const sleeping_threads&) {});
  }
  return {.times = time_raw<real_calls>(figure, options.pin), .worker_count = options.workers};
}

virtual_machine::costs measure_machine() {
  if (operating_system::processor_count() < 2) {
    throw std::runtime_error(
        "the costs transfer, wake_call, wake, membarrier and interrupt need two processors, and "
        "this process may use one");
  }
  return measure_costs<real_machine>();
}

}  // namespace stealbench::costs
