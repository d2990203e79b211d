// The serial elision that records the work and the span of what it runs: what `stealbench explain`
// takes them from. Not a row of any table: its times are not the program's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "schedulers/adapters/pieces.hpp"
#include "schedulers/counters.hpp"
#include "schedulers/description.hpp"
#include "schedulers/first_error.hpp"
#include "schedulers/in_order.hpp"
#include "schedulers/options.hpp"
#include "schedulers/scheduler.hpp"
#include "schedulers/work_span/recorder.hpp"

namespace stealbench::work_span {

/// The recorder of the run under way, and what the latest run has shown. One run at a time.
struct recording {
  static inline settings chosen;
  static inline recorder* running = nullptr;
  static inline record latest;
};

/// A call says where it is in the program.
class worker {
 public:
  /// Charges go to the run under way (kit::charge).
  struct machine {
    static void work(std::uint64_t units) { recording::running->work(units); }
  };

  const worker* operator->() const { return this; }

  template <class F, class G>
  auto fork_join(F&& f, G&& g, const char* file = __builtin_FILE(),
                 unsigned line = __builtin_LINE()) const {
    recorder::children branches(*recording::running);
    branches.offer(task_kind::fork, 1, file, line);
    const auto left = [&](worker self) -> decltype(auto) {
      const recorder::child running(branches, false);
      return f(self);
    };
    const auto right = [&](worker self) -> decltype(auto) {
      const recorder::child running(branches, true);
      return g(self);
    };
    return schedulers::fork_join_in_order(*this, left, right);
  }

  /// In as many pieces as it may at most be cut into.
  template <class Body>
  void parallel_for(std::size_t first, std::size_t last, std::size_t grain, const Body& body,
                    const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) const {
    schedulers::pieces pieces(first, last, grain);
    if (pieces.count() == 0) return;
    {
      recorder::children parts(*recording::running);
      parts.offer(task_kind::piece, pieces.count(), file, line);
      for (std::size_t i = 0; i < pieces.count(); ++i) {
        const recorder::child running(parts, i > 0);
        pieces.run(i, i + 1, *this, body);
      }
    }
    pieces.rethrow();
  }

  class group {
   public:
    group() : children_(*recording::running) {}

    template <class F>
    void spawn(F&& f, const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
      children_.offer(task_kind::spawn, 1, file, line);
      const auto child = [&](worker self) {
        const recorder::child running(children_, true);
        static_cast<void>(std::forward<F>(f)(self));
      };
      errors_.run(child, worker{}, rank_++);
      children_.resume();
    }
    void sync(const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
      children_.join(file, line);
      errors_.rethrow();
    }

   private:
    schedulers::first_error errors_;
    std::size_t rank_ = 0;
    recorder::children children_;
  };
  [[nodiscard]] group task_group() const { return group(); }
};

class scheduler {
 public:
  using worker = work_span::worker;
  static constexpr std::string_view name = "work-span";
  static schedulers::description describe() {
    return {.group = schedulers::group::baseline,
            .summary = "the serial elision, which records work and span"};
  }
  static constexpr bool serial_order_on_one_worker = true;

  explicit scheduler(const schedulers::options& /*options*/) {}
  scheduler(const scheduler&) = delete;
  scheduler& operator=(const scheduler&) = delete;

  [[nodiscard]] static unsigned worker_count() { return 1; }

  template <class F>
  decltype(auto) run(F&& f) {
    recorder follows(recording::chosen);
    const end_of_run ends(follows);
    return std::forward<F>(f)(worker{});
  }

  [[nodiscard]] static std::optional<schedulers::counters> counters() { return std::nullopt; }

 private:
  struct end_of_run {
    explicit end_of_run(recorder& follows) { recording::running = &follows; }
    end_of_run(const end_of_run&) = delete;
    end_of_run& operator=(const end_of_run&) = delete;
    ~end_of_run() { recording::latest = std::exchange(recording::running, nullptr)->end(); }
  };
};

static_assert(schedulers::scheduler<scheduler>);

}  // namespace stealbench::work_span
