// The machine in simulated time: the engine's view of simulation.hpp. Its threads are contexts of
// one thread of the operating system, so plain data is plain; every atomic operation charges for
// the cache line that it needs. Of the memory orders only the fences' cost is modelled: executions
// are sequentially consistent. verify/relacy_machine.hpp is there for the orders.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/run_gate.hpp"
#include "schedulers/engine/spinning_mutex.hpp"
#include "schedulers/engine/std_machine.hpp"
#include "schedulers/engine/tally.hpp"
#include "schedulers/operating_system/job_stack.hpp"
#include "schedulers/virtual_machine/simulation.hpp"

namespace stealbench::virtual_machine {

/// Of the simulation under way: every member but the constants needs one.
struct machine {
  using order = engine::order;

  template <class T>
  class zeroed_atomic {
   public:
    zeroed_atomic() = default;
    zeroed_atomic(const zeroed_atomic&) = delete;
    zeroed_atomic& operator=(const zeroed_atomic&) = delete;
    ~zeroed_atomic() = default;

    [[gnu::always_inline]] T load(order /*unused*/) const noexcept {
      read(this);
      return value_;
    }
    [[gnu::always_inline]] void store(T value, order /*unused*/) noexcept {
      write(this);
      value_ = value;
    }
    [[gnu::always_inline]] T exchange(T value, order /*unused*/) noexcept {
      change(this);
      return std::exchange(value_, value);
    }
    [[gnu::always_inline]] T fetch_add(T value, order /*unused*/) noexcept {
      change(this);
      return std::exchange(value_, static_cast<T>(value_ + value));
    }
    [[gnu::always_inline]] T fetch_sub(T value, order /*unused*/) noexcept {
      change(this);
      return std::exchange(value_, static_cast<T>(value_ - value));
    }
    [[gnu::always_inline]] bool compare_exchange_strong(T& expected, T desired, order /*unused*/,
                                                        order /*unused*/) noexcept {
      change(this);
      if (value_ != expected) {
        expected = value_;
        return false;
      }
      value_ = desired;
      return true;
    }

   protected:
    struct initialised {};
    constexpr zeroed_atomic(initialised /*unused*/, T value) noexcept : value_(value) {}

   private:
    friend machine;
    T value_;
  };

  template <class T>
  using atomic = engine::initialised_atomic<zeroed_atomic<T>, T>;

  template <class T>
  using zeroed_plain = engine::std_machine::zeroed_plain<T>;
  template <class T>
  using plain = engine::std_machine::plain<T>;

  /// As glibc's, whose price it has: a locked operation each way, and a futex where it is taken.
  /// Ulrich Drepper, "Futexes Are Tricky", 2011: free, taken, taken and waited for.
  class futex_mutex {
   public:
    bool try_lock() {
      std::uint32_t seen = available;
      return word_.compare_exchange_strong(seen, taken, order::acquire, order::relaxed);
    }
    void lock() {
      if (try_lock()) return;
      while (word_.exchange(waited_for, order::acquire) != available) wait(word_, waited_for, {});
    }
    void unlock() {
      if (word_.exchange(available, order::release) == waited_for) notify_one(word_);
    }

   private:
    static constexpr std::uint32_t available = 0;
    static constexpr std::uint32_t taken = 1;
    static constexpr std::uint32_t waited_for = 2;
    atomic<std::uint32_t> word_;
  };
  using mutex = engine::spinning_mutex<machine, futex_mutex>;

  static void fence(order o) noexcept {
    if (o == order::seq_cst) running.all->fence();
  }
  [[nodiscard]] static bool asymmetric() noexcept { return true; }
  static void compiler_fence() noexcept {}
  static void light_fence() noexcept {}
  static void heavy_fence() noexcept { running.all->system_wide_fence(); }
  static void spin() noexcept {
    keep_order();
    running.now += running.all->costs().pause;
  }
  static bool wait(const zeroed_atomic<std::uint32_t>& word, std::uint32_t old,
                   std::chrono::nanoseconds at_most) {
    return running.all->wait(&word, 1000 * at_most.count(), [&] { return word.value_ == old; });
  }
  static void notify_one(const zeroed_atomic<std::uint32_t>& word) { running.all->wake_one(&word); }

  static void yield_thread() noexcept {
    keep_order();
    running.now += running.all->costs().yield;
  }
  [[nodiscard]] static std::chrono::steady_clock::time_point now() noexcept {
    return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(running.now / 1000));
  }

  class thread {
   public:
    thread(std::size_t stack_bytes, std::optional<unsigned> processor, std::function<void()> body)
        : started_(running.all->start(stack_bytes, processor, std::move(body))) {}
    thread(const thread&) = delete;
    thread& operator=(const thread&) = delete;
    ~thread() { running.all->join(started_); }
    static constexpr bool is_calling() { return false; }  // No process exits in simulated time.

   private:
    virtual_machine::thread& started_;
  };
  [[nodiscard]] static const void* this_thread() noexcept { return running.all->current(); }
  struct process_mark {
    static constexpr bool is_here() { return true; }
    static void expect_here() {}
  };
  using run_gate = engine::open_gate;
  /// The i-th thread is on the i-th processor in any case.
  struct pin_scope {
    explicit pin_scope(unsigned /*index*/) {}
  };
  /// Those on the same socket first, and by their numbers.
  [[nodiscard]] static std::vector<unsigned> workers_by_distance(unsigned worker,
                                                                 unsigned workers) {
    const unsigned of_socket = running.all->costs().processors_per_socket;
    std::vector<unsigned> order(workers);
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [=](unsigned other) {
      const bool is_near = of_socket == 0 || other / of_socket == worker / of_socket;
      const unsigned apart = other > worker ? other - worker : worker - other;
      return std::pair(!is_near, apart);
    });
    return order;
  }

  class job_stack : public operating_system::job_slots {
   public:
    job_stack() : begin_(running.all->take_job_stack()) {}
    job_stack(const job_stack&) = delete;
    job_stack& operator=(const job_stack&) = delete;
    ~job_stack() { running.all->give_back_job_stack(begin_); }

    [[nodiscard]] std::byte* begin() const { return begin_; }

   private:
    std::byte* begin_;
  };

  /// Takes as long as a read: here a worker waits for one line at a time.
  template <class T>
  static void prefetch(const zeroed_atomic<T>& word) noexcept {
    static_cast<void>(word.load(engine::order::relaxed));
  }
  static void charge(engine::cost what) noexcept {
    if (what == engine::cost::look) {
      running.all->look();
    } else {
      running.all->charge_price(static_cast<std::size_t>(what));
    }
  }
  template <class T>
  static void name(const T& object, const char* text) {
    running.all->name(&object, sizeof object, text);
  }
  template <class T>
  static void reads(const T& object, const char* text) noexcept {
    read_plain(&object, text);
  }
  template <class T>
  static void writes(const T& object) noexcept {
    write_plain(&object);
  }
  /// The running task has done units of its workload's work.
  static void work(std::uint64_t units) noexcept { running.all->work(units); }

  // Before a window begins there is nothing to be seen: searches are as short as can be, since
  // there may be thousands of workers.
  static engine::limits limits() {
    engine::limits shipped = engine::std_machine::limits();
    shipped.max_workers = max_workers;
    if (!running.all->is_in_window()) {
      shipped.spin_rounds = shipped.yield_rounds = shipped.rounds_unseen = 0;
    }
    return shipped;
  }
  /// Each worker has a processor of its own.
  static unsigned join_rounds(unsigned /*workers*/) { return engine::std_machine::join_rounds(1); }
  static constexpr unsigned most_searchers(unsigned workers) {
    return engine::std_machine::most_searchers(workers);
  }
};

static_assert(engine::machine<machine>);

}  // namespace stealbench::virtual_machine

namespace stealbench::engine {

/// Counting takes no simulated time, and tells the simulation what a worker does.
template <>
struct tally_hooks<virtual_machine::machine> {
  using words = std_machine;
  static void turns_to(schedulers::activity next) { virtual_machine::running.all->does(next); }
};

}  // namespace stealbench::engine
