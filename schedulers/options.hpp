// What every scheduler is constructed from.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#ifndef __cpp_exceptions  // A join catches and rethrows: law 3 of scheduler.hpp.
#error "stealbench: a file that includes a scheduler must be compiled without -fno-exceptions"
#endif

namespace stealbench::schedulers {

/// Most workers that a scheduler accepts: as many as large machines have processors, and low enough
/// that a mistyped count is refused before it starts a million threads.
inline constexpr unsigned max_workers = 1024;

/// Stack of a worker thread. Reserved, not committed: a page costs memory only once it is touched.
/// UTS T3L nests 17 844 levels and T3XXL 99 049, at a few hundred bytes each.
inline constexpr std::size_t default_stack_bytes = std::size_t{256} << 20;

/// What an in-house worker does that finds no work.
enum class idle_policy : std::uint8_t {
  spin,          ///< Goes on looking, for ever.
  yield_thread,  ///< Spins briefly, then lets other threads run between two looks, for ever.
  park,          ///< Spins, yields, then sleeps until there is work.
};

/// Whose jobs a work-stealing worker runs while another one has the job that it waits for.
enum class join_policy : std::uint8_t {
  any,       ///< Anyone's.
  leapfrog,  ///< That worker's alone (Wagner & Calder, PPoPP 1993). Nothing is made public
             ///< for the waiting worker: what is private it must force, or ask for where jobs are
             ///< given (`deque=private`).
  wait,      ///< None: it waits (stalls). What helping is worth.
};

/// How many rounds an idle worker looks for work in before it yields and then sleeps. A round is a
/// look at a few other workers (engine::most_looks).
enum class attempt_limit : std::uint8_t {
  shipped,        ///< 100 rounds; at a join more, where each worker has a processor.
  twice_workers,  ///< About two looks for each worker.
};

/// What an idle worker does between two rounds.
enum class backoff_policy : std::uint8_t {
  linear,        ///< Pauses once, then twice, up to four times.
  exponential,   ///< Pauses once, then twice as often each time, up to 64 times.
  yield_thread,  ///< Lets other threads run (Arora, Blumofe & Plaxton, SPAA 1998).
};

/// How many idle workers may go on looking for work, after a few microseconds; the others sleep.
enum class searcher_limit : std::uint8_t {
  half,  ///< One more than half of all workers.
  one,
  all,
};

/// How the engine cuts a loop, where any worker may take a piece of it. (Where jobs are meant for
/// one worker, a loop is cut down to its grain at the start in any case.)
enum class loop_split : std::uint8_t {
  lazy,    ///< In two, whenever another worker asks for work; with `expose=always` at each look.
  eager,   ///< Into pieces of a grain, at the start.
  guided,  ///< Into ever shorter pieces, which workers take from a counter.
};

class timeline;  // timeline.hpp

/// The options of a scheduler's own room, or none, known by the name of their type. Without RTTI
/// std::any compares addresses of functions, which a program and its plugin have one each of.
class room_options {
 public:
  room_options() = default;
  template <class Own>
  requires(!std::same_as<std::remove_cvref_t<Own>, room_options>)
      room_options(Own chosen)  // NOLINT(google-explicit-constructor): as std::any
      : type_(name_of<Own>()), value_(std::make_shared<Own>(std::move(chosen))) {}

  /// Null: of another type, or none.
  template <class Own>
  [[nodiscard]] const Own* get() const {
    return type_ == name_of<Own>() ? static_cast<const Own*>(value_.get()) : nullptr;
  }

 private:
  // The same by GCC and by Clang.
  template <class Own>
  static constexpr std::string_view name_of() {
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    constexpr std::size_t begin = text.find("Own = ");
    constexpr std::size_t end = (std::min)(text.rfind(']'), text.rfind("; std::string_view"));
    return text.substr(begin, end - begin);
  }

  std::string_view type_;
  std::shared_ptr<const void> value_;
};

/// Options of a scheduler. An aggregate, so that a caller names only what differs from the default.
struct options {
  /// 1 to max_workers. In-house schedulers refuse another count, libraries need not.
  unsigned workers = 1;
  /// Pin each worker to a processor, operating_system::processor_of(i), unless its scheduler
  /// does not pin (pins_workers).
  bool pin = false;
  std::size_t stack_bytes = default_stack_bytes;  ///< Stack of each thread that is started, bytes.
  room_options own = {};                          ///< The `options` of the scheduler's own room.
  idle_policy idle = idle_policy::park;           ///< In-house schedulers only.
  join_policy join = join_policy::any;            ///< Work stealing only.
  attempt_limit attempts = attempt_limit::shipped;  ///< In-house schedulers only, as the next two.
  backoff_policy backoff = backoff_policy::linear;
  searcher_limit searchers = searcher_limit::half;
  loop_split split = loop_split::lazy;  ///< In-house, where any worker may take a job.
  /// Where a counting variant records what its workers do, from its construction to its
  /// destruction; null: it does not. Has as many workers at least, and outlives the scheduler.
  timeline* recording = nullptr;
};

/// A room's own options: its defaults, where there are none of its type.
template <class Own>
[[nodiscard]] Own own_options(const options& all) {
  const Own* const own = all.own.get<Own>();
  return own == nullptr ? Own{} : *own;
}

}  // namespace stealbench::schedulers
