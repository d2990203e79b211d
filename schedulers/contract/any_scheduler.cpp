// One scheduler behind the interface of any_scheduler.hpp: compiled once per scheduler, whose
// header comes first, as it must compile alone.
#include STEALBENCH_SCHEDULER_HEADER

#include "schedulers/contract/any_scheduler.hpp"

#include <cstddef>
#include <memory>
#include <optional>
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
      erased_worker here(w);
      body(any_worker(here), i);
    });
  }
  [[nodiscard]] std::unique_ptr<group_interface> task_group() override;

  static void call(const any_task& f, Handle w) {
    erased_worker here(w);
    f(any_worker(here));
  }

 private:
  Handle inner_;
};

template <class Handle>
class erased_group final : public group_interface {
 public:
  explicit erased_group(Handle w) : inner_(w->task_group()) {}
  erased_group(const erased_group&) = delete;
  erased_group& operator=(const erased_group&) = delete;
  // oneTBB's may throw, by its type; the contract says that a group's drops what is thrown.
  ~erased_group() noexcept override {}  // NOLINT(modernize-use-equals-default)

  void spawn(any_task f) override {
    inner_.spawn([own = std::move(f)](Handle w) { erased_worker<Handle>::call(own, w); });
  }
  void sync() override { inner_.sync(); }

 private:
  decltype(std::declval<Handle&>()->task_group()) inner_;
};

template <class Handle>
std::unique_ptr<group_interface> erased_worker<Handle>::task_group() {
  return std::make_unique<erased_group<Handle>>(inner_);
}

template <class Scheduler>
class erased_scheduler final : public scheduler_interface {
 public:
  using handle = typename Scheduler::worker;

  explicit erased_scheduler(const options& chosen) : inner_(chosen) {}
  [[nodiscard]] unsigned worker_count() const override { return inner_.worker_count(); }
  void run(const any_task& f) override {
    inner_.run([&f](handle w) { erased_worker<handle>::call(f, w); });
  }
  [[nodiscard]] std::optional<schedulers::counters> counters() const override {
    return inner_.counters();
  }

 private:
  Scheduler inner_;
};

template <class Scheduler>
constexpr bool has_counting_variant = requires {
  typename Scheduler::counting_variant;
};

template <class Scheduler>
std::unique_ptr<scheduler_interface> make_counting(const options& chosen) {
  if constexpr (has_counting_variant<Scheduler>) {
    return std::make_unique<erased_scheduler<typename Scheduler::counting_variant>>(chosen);
  } else {
    throw std::logic_error("this scheduler does not count");
  }
}

}  // namespace

std::unique_ptr<scheduler_interface> make_linked_scheduler(const options& chosen) {
  return std::make_unique<erased_scheduler<subject>>(chosen);
}
std::unique_ptr<scheduler_interface> make_counting_scheduler(const options& chosen) {
  return make_counting<subject>(chosen);
}

// Read by initializers of other files.
constinit const std::string_view any_scheduler::name = subject::name;
constinit const std::string_view any_scheduler::policy::deque = deque_of<subject>();
constinit const bool any_scheduler::counts = has_counting_variant<subject>;
description any_scheduler::describe() { return subject::describe(); }
std::string any_scheduler::library() { return library_of<subject>(); }

}  // namespace stealbench::schedulers::contract
