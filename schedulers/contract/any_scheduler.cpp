// One scheduler behind the interface of any_scheduler.hpp: compiled once per scheduler, whose
// header comes first, as it must compile alone.
#include STEALBENCH_SCHEDULER_HEADER

#include "schedulers/contract/any_scheduler.hpp"

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "schedulers/description.hpp"

namespace stealbench::schedulers::contract {
namespace {

using subject = STEALBENCH_SCHEDULER;

// A worker is valid in the closure that received it, and there this is wrong.
template <class Handle>
class erased_worker final : public worker_interface {
 public:
  explicit erased_worker(Handle inner) : inner_(inner) {}

  void fork_join(const any_task& f, const any_task& g) override {
    inner_->fork_join([&f](Handle w) { call(f, w); }, [&g](Handle w) { call(g, w); });
  }
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const any_body& body) override {
    inner_->parallel_for(first, last, grain, [&body](Handle w, std::size_t i) {
      erased_worker erased(w);
      body(any_worker(erased), i);
    });
  }
  [[nodiscard]] any_group task_group() override {
    using group = decltype(inner_->task_group());
    const auto inner = std::shared_ptr<group>(new group(inner_->task_group()));
    return {[inner](any_task f) { inner->spawn([own = std::move(f)](Handle w) { call(own, w); }); },
            [inner] { inner->sync(); }};
  }

  static void call(const any_task& f, Handle w) {
    erased_worker erased(w);
    f(any_worker(erased));
  }

 private:
  Handle inner_;
};

template <class Scheduler>
erased_scheduler erased(const options& chosen) {
  using handle = typename Scheduler::worker;
  const auto inner = std::make_shared<Scheduler>(chosen);
  return {.worker_count = inner->worker_count(),
          .run =
              [inner](const any_task& f) {
                inner->run([&f](handle w) { erased_worker<handle>::call(f, w); });
              },
          .counters = [inner] { return inner->counters(); }};
}

template <class Scheduler>
constexpr bool has_counting_variant = requires {
  typename Scheduler::counting_variant;
};

template <class Scheduler>
erased_scheduler erased_counting(const options& chosen) {
  if constexpr (has_counting_variant<Scheduler>) {
    return erased<typename Scheduler::counting_variant>(chosen);
  } else {
    throw std::logic_error("this scheduler does not count");
  }
}

}  // namespace

erased_scheduler make_linked_scheduler(const options& chosen) { return erased<subject>(chosen); }

erased_scheduler make_counting_scheduler(const options& chosen) {
  return erased_counting<subject>(chosen);
}

// Read by initializers of other files.
constinit const std::string_view any_scheduler::name = subject::name;
constinit const std::string_view any_scheduler::policy::deque = deque_of<subject>();
constinit const bool any_scheduler::counts = has_counting_variant<subject>;
description any_scheduler::describe() { return subject::describe(); }
std::string any_scheduler::library() { return library_of<subject>(); }

}  // namespace stealbench::schedulers::contract
