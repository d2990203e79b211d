// Threads in simulated time: each is a context with a clock of its own on one thread of the
// operating system, and the one with the earliest clock runs next. machine.hpp shows them to the
// engine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "schedulers/operating_system/context.hpp"
#include "schedulers/operating_system/job_stack.hpp"
#include "schedulers/operating_system/mapped_memory.hpp"
#include "schedulers/random.hpp"
#include "schedulers/timeline.hpp"
#include "schedulers/virtual_machine/cache_line.hpp"
#include "schedulers/virtual_machine/costs.hpp"
#include "schedulers/virtual_machine/run_queue.hpp"

namespace stealbench::virtual_machine {

using schedulers::activity;

/// The costs of a profile, as the model adds them up.
struct charges {
  picoseconds hit, rmw, fence, transfer, remote_transfer, shared_gap, pause, yield, system_call,
      sleep, wake_call, wake, membarrier, interrupt, thread_start;
  unsigned processors_per_socket;
  std::int64_t jitter_1024ths;
};

/// The random part of a charge, of 1024: from this up to just below its opposite.
inline constexpr std::int64_t least_deviation = -512;

/// A cost with the random part that was drawn.
[[nodiscard]] constexpr picoseconds deviating(picoseconds cost, std::int64_t jitter_1024ths,
                                              std::int64_t deviation) {
  return cost + cost * jitter_1024ths / 1024 * deviation / 1024;
}

inline constexpr std::size_t job_stack_bytes = operating_system::job_stack::bytes;
/// Of what is known of the lines of a job stack.
inline constexpr std::size_t bytes_of_its_lines = job_stack_bytes / line_bytes * sizeof(line);

/// What is simulated.
struct settings {
  virtual_machine::costs costs = {};
  strategy_prices prices = {};
  double unit_ns = 0;       ///< The price of a unit of work.
  std::uint64_t seed = 1;   ///< Of the jitter.
  unsigned job_stacks = 1;  ///< The most that exist at one time.
  bool looks_ahead = true;  ///< Whether hits may run ahead of other threads; see `running`.
  /// Called at each step: whenever the running thread gives way, before the next one goes on. So
  /// without looks_ahead it sees whatever one thread could see of another.
  const std::function<void()>* probe = nullptr;
};

/// Where the time of threads went, in picoseconds.
struct time_spent {
  picoseconds work = 0;    ///< Units of work.
  picoseconds search = 0;  ///< Looking for jobs, without what follows.
  picoseconds lines = 0;   ///< Waiting for cache lines.
  picoseconds asleep = 0;  ///< From the call that sleeps until the thread runs again.
};

/// How long threads have waited for the lines of one name.
struct line_wait {
  std::string name;
  picoseconds time = 0;
  std::uint64_t waits = 0;
};

/// What happened in a window of simulated time.
struct window {
  picoseconds length = 0;
  unsigned threads = 0;  ///< Of the workers those that have not ended.
  time_spent spent;      ///< Of all threads.
  std::vector<line_wait> lines;
  std::uint64_t units = 0;                 ///< Of work.
  std::array<std::uint64_t, 4> charged{};  ///< Forks, calls, spawns and pieces.
};

struct thread;

/// The state of the thread that runs, and what its every access needs. It may run ahead of the
/// others by `limit` while its accesses hit: no other thread could have had the line by then, had
/// it asked at its own clock, for a request takes half a transfer to arrive, and no transfer is
/// shorter than the jitter allows. A store takes the line at once: hits of a thread that is ahead
/// go on so much too long behind it. Whatever misses waits until no thread is earlier.
struct running_state {
  picoseconds now = 0;
  picoseconds limit = 0;
  picoseconds drained = 0;        ///< When the store buffer is empty.
  std::uint8_t drained_line = 0;  ///< The name of the line that comes last.
  thread_number self = 0;
  copies* own_copies = nullptr;
  picoseconds hit = 0;
  picoseconds rmw = 0;
  std::uintptr_t arena = 0;  ///< Of the job stacks, whose lines are found by their address.
  std::size_t arena_bytes = 0;
  line* arena_lines = nullptr;
  class simulation* all = nullptr;
};
// One simulation at a time: the members of a machine are static.
inline constinit running_state running;

class simulation {
 public:
  /// Throws std::system_error if the address space cannot be had, and std::logic_error if there is
  /// a simulation already.
  explicit simulation(const settings& chosen);
  ~simulation();

  /// Runs `body` as the first thread, which begins at 0 and joins all that are started; rethrows
  /// what it throws. Once. Ends the process with a message if all threads wait for each other.
  void run(std::size_t stack_bytes, const std::function<void()>& body);

  // All that follows is called by the thread that runs.

  [[gnu::noinline]] void give_way();  ///< Until no other thread is earlier.
  [[gnu::noinline]] void read_other(const void* place, line& wanted);
  [[gnu::noinline]] void write_other(const void* place, line& to);
  [[gnu::noinline]] void change_other(const void* place, line& to);
  [[gnu::noinline]] line& line_elsewhere(const void* place);
  [[gnu::noinline]] void read_plain_other(const void* place, line& wanted, const char* text);
  [[gnu::noinline]] void write_plain_other(const void* place, line& to);
  [[gnu::noinline]] void drain();  ///< Until the store buffer is empty.

  void charge(picoseconds cost) { running.now += jittered(cost); }
  /// Of forks, calls, spawns and pieces: engine::cost, without a look.
  void charge_price(std::size_t kind) {
    ++current_.charged[kind];
    running.now += jittered(prices_[kind]);
  }
  void look() { running.now += look_; }
  void work(std::uint64_t units);
  void fence();
  void system_wide_fence();
  /// As a futex does; `at_most` 0: for ever. Calls `is_unchanged` when no thread is earlier. False
  /// if the time has passed.
  bool wait(const void* word, picoseconds at_most, const std::function<bool()>& is_unchanged);
  void wake_one(const void* word);
  void sleep_for(picoseconds time);

  thread& start(std::size_t stack_bytes, std::optional<unsigned> processor,
                std::function<void()> body);
  void join(thread& awaited);
  [[nodiscard]] const thread* current() const { return running_; }

  /// Aligned to `bytes`, zero. Throws std::bad_alloc if all are in use.
  std::byte* take_job_stack();
  void give_back_job_stack(std::byte* block);

  /// Names the lines of an object, for window::lines. Lines of one name are added up.
  void name(const void* object, std::size_t bytes, const char* text);

  /// The running thread, from now on.
  void does(activity next);

  /// Until all other threads sleep, and none of them has been woken.
  void await_stillness();
  /// Of the workers, which are the first threads.
  void begin_window(unsigned workers = std::numeric_limits<unsigned>::max());
  [[nodiscard]] window end_window();
  [[nodiscard]] bool is_in_window() const { return is_in_window_; }

  [[nodiscard]] const charges& costs() const { return costs_; }

 private:
  [[nodiscard]] picoseconds jittered(picoseconds cost) {
    return deviating(
        cost, costs_.jitter_1024ths,
        static_cast<std::int64_t>(schedulers::next_random(random_) >> 54) + least_deviation);
  }
  [[nodiscard]] bool is_remote(thread_number owner) const;
  [[nodiscard]] picoseconds transfer(bool is_remote);
  [[nodiscard]] picoseconds transfer_to_read(line& wanted);
  [[nodiscard]] picoseconds transfer_to_write(const line& to);
  void await_line(picoseconds when, std::uint8_t name);
  void arrive(picoseconds when, const void* place, line& what);
  void copy_from(const void* place, line& wanted);
  void switch_to(thread& next);
  void resume(thread& next);
  void set_limit();
  void wake_up(thread& sleeper);
  void stop_waiting(thread& sleeper);
  thread& next_to_run();
  thread& make_thread(std::size_t stack_bytes, std::optional<unsigned> processor,
                      std::function<void()> body);
  static void run_thread(void* begun);
  void end_thread();
  [[noreturn]] void report_deadlock() const;
  [[nodiscard]] std::uint8_t name_of(const void* place, const line& what) const;
  void number(const void* place, line& what);

  charges costs_;
  std::array<picoseconds, 4> prices_;  // By engine::cost.
  picoseconds look_;
  double unit_ps_;
  std::uint64_t random_;
  picoseconds ahead_;
  const std::function<void()>* probe_;

  operating_system::mapped_memory arena_;
  operating_system::mapped_memory arena_lines_;
  std::vector<std::byte*> free_job_stacks_;
  std::unordered_map<std::uintptr_t, std::unique_ptr<line>> other_lines_;
  struct recent_line {
    std::uintptr_t address;
    line* found;
  };
  std::array<recent_line, 1024> recent_lines_{};  // Of other_lines_, direct-mapped.
  std::uint32_t line_numbers_ = 0;
  std::vector<std::string> names_;

  std::vector<std::unique_ptr<thread>> threads_;
  run_queue<thread> ready_;
  std::unordered_map<const void*, std::vector<thread*>> sleepers_;
  thread* running_ = nullptr;
  void* exceptions_ = operating_system::exceptions_of_this_thread();
  std::uint64_t barriers_ = 0;

  window current_;
  picoseconds window_begin_ = 0;
  unsigned workers_in_window_ = 0;
  bool is_in_window_ = false;
};

[[gnu::always_inline]] inline line& line_of(const void* place) {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(place) - running.arena;
  if (offset < running.arena_bytes) [[likely]]
    return running.arena_lines[offset / line_bytes];
  return running.all->line_elsewhere(place);
}

[[gnu::always_inline]] inline void keep_order() {
  if (running.now > running.limit) [[unlikely]]
    running.all->give_way();
}

/// The running thread is about to load, to store, to change by a locked operation.
[[gnu::always_inline]] inline void read(const void* place) {
  keep_order();
  line& wanted = line_of(place);
  if ((wanted.owner == running.self && running.now >= wanted.fetched) ||
      running.own_copies->has(wanted)) [[likely]] {
    running.now += running.hit;
  } else {
    running.all->read_other(place, wanted);
  }
}
[[gnu::always_inline]] inline void write(const void* place) {
  keep_order();
  line& to = line_of(place);
  if (to.owner == running.self && to.is_exclusive) [[likely]] {
    running.now += running.hit;
  } else {
    running.all->write_other(place, to);
  }
}
[[gnu::always_inline]] inline void change(const void* place) {
  if (running.drained > running.now) [[unlikely]]
    running.all->drain();
  keep_order();
  line& what = line_of(place);
  if (what.owner == running.self && what.is_exclusive) [[likely]] {
    running.now += running.rmw;
  } else {
    running.all->change_other(place, what);
  }
}

/// Plain data that moves from worker to worker: its instructions are in the prices, so that an
/// access that hits costs nothing more.
[[gnu::always_inline]] inline void read_plain(const void* place, const char* text) {
  line& wanted = line_of(place);
  if ((wanted.owner != running.self || running.now < wanted.fetched) &&
      !running.own_copies->has(wanted)) [[unlikely]]
    running.all->read_plain_other(place, wanted, text);
}
[[gnu::always_inline]] inline void write_plain(const void* place) {
  line& to = line_of(place);
  if (to.owner != running.self || !to.is_exclusive) [[unlikely]]
    running.all->write_plain_other(place, to);
}

}  // namespace stealbench::virtual_machine
