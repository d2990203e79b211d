// One scheduler behind the interface of any_scheduler.hpp: compiled once per scheduler.
#include "schedulers/contract/any_scheduler.hpp"

#include <cstddef>
#include <memory>
#include <utility>

#include STEALBENCH_SCHEDULER_HEADER

namespace stealbench::schedulers::contract {
namespace {

using subject = STEALBENCH_SCHEDULER;
using handle = subject::worker;

// A worker is valid in the closure that received it, and there this lies.
class erased_worker final : public worker_interface {
 public:
  explicit erased_worker(handle inner) : inner_(inner) {}

  void fork_join(const any_task& f, const any_task& g) override {
    inner_->fork_join([&f](handle w) { call(f, w); }, [&g](handle w) { call(g, w); });
  }
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain,
                    const any_body& body) override {
    inner_->parallel_for(first, last, grain, [&body](handle w, std::size_t i) {
      erased_worker here(w);
      body(any_worker(here), i);
    });
  }
  [[nodiscard]] std::unique_ptr<group_interface> task_group() override;

  static void call(const any_task& f, handle w) {
    erased_worker here(w);
    f(any_worker(here));
  }

 private:
  handle inner_;
};

class erased_group final : public group_interface {
 public:
  explicit erased_group(handle w) : inner_(w->task_group()) {}
  erased_group(const erased_group&) = delete;
  erased_group& operator=(const erased_group&) = delete;
  // oneTBB's may throw, by its type; the contract says that a group's drops what is thrown.
  ~erased_group() noexcept override {}  // NOLINT(modernize-use-equals-default)

  void spawn(any_task f) override {
    inner_.spawn([own = std::move(f)](handle w) { erased_worker::call(own, w); });
  }
  void sync() override { inner_.sync(); }

 private:
  decltype(std::declval<handle&>()->task_group()) inner_;
};

std::unique_ptr<group_interface> erased_worker::task_group() {
  return std::make_unique<erased_group>(inner_);
}

class erased_scheduler final : public scheduler_interface {
 public:
  explicit erased_scheduler(const options& chosen) : inner_(chosen) {}
  [[nodiscard]] unsigned worker_count() const override { return inner_.worker_count(); }
  void run(const any_task& f) override {
    inner_.run([&f](handle w) { erased_worker::call(f, w); });
  }

 private:
  subject inner_;
};

}  // namespace

std::unique_ptr<scheduler_interface> make_linked_scheduler(const options& chosen) {
  return std::make_unique<erased_scheduler>(chosen);
}

}  // namespace stealbench::schedulers::contract
