// What the work-stealing scheduler asks of a worker's deque. chase_lev_deque, locked_deque,
// abp_deque and bwos_deque answer.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "schedulers/engine/steal_attempts.hpp"

namespace stealbench::work_stealing {

/// What owner and thieves write is so far apart: x86 fetches lines of 64 bytes in pairs, so that
/// two neighbouring ones are one to a writer.
inline constexpr std::size_t line_bytes = 128;

enum class steal_outcome : std::uint8_t {
  taken,  ///< The job is the caller's.
  empty,  ///< There was no job.
  lost    ///< Another thread took the job first; there may be more.
};

/// What a steal from a deque of `T` has come to.
template <class T>
struct stolen {
  steal_outcome outcome;
  T job;  ///< Null unless taken.
};

/// Counts how a steal ended.
inline void note(steal_outcome how, engine::steal_attempts& to) {
  to.taken += how == steal_outcome::taken ? 1 : 0;
  to.empty += how == steal_outcome::empty ? 1 : 0;
  to.lost += how == steal_outcome::lost ? 1 : 0;
}

/// Has the operations of a deque with private jobs.
template <class D>
inline constexpr bool shares_on_demand = requires(D& mine) {
  mine.expose();
  { mine.steal_granted() } -> std::same_as<stolen<typename D::value_type>>;
};

/// A deque has one owner, who pushes and pops at the bottom, and any number of thieves, who steal
/// at the top. Its jobs are pointers; null means "nothing" and must not be pushed.
///  - `D(initial_capacity, max_capacity)`: in jobs, powers of two, in order; else throws
///    std::invalid_argument. Throws std::bad_alloc. When it ends no other thread may use it any
///    more, and jobs that are left are not touched.
///  - `push(job)`: owner. False if the deque is full or cannot grow; nothing is lost. Whoever takes
///    the job sees what the owner wrote before.
///  - `pop()`: owner. The youngest job; null if there is none.
///  - `steal()`: any thread but the owner. The oldest job.
///  - `size_hint()`, `looks_empty()`: any thread. The number of jobs at some moment near the call;
///  a
///    job that is being popped or stolen may or may not count. A job whose push happened before the
///    call, or is ordered before it by fences (engine/sleep/parking_lot.hpp, K1), and that no
///    worker took, is seen.
///  - `capacity()`: owner. The number of jobs that fit without another allocation.
///  - `bytes()`: owner. What its jobs' memory takes, which never gets less.
///  - `grows`: whether it begins with `initial_capacity`, and refuses a push only if `max_capacity`
///    jobs are queued or there is no memory. Otherwise it has all its room from the start, and may
///    also refuse a push while the slots of stolen jobs are not free again. Either way there is
///    room for a job that the latest call of its owner has popped.
///  - `has_private_jobs`: whether its owner can have jobs that no thief may take unless it forces
///    them, as steal() does. There are then `expose()`: owner, makes some public; and
///    `steal_granted()`: as steal(), of what is public.
template <class D>
concept deque = std::is_pointer_v<typename D::value_type> &&
    std::constructible_from<D, std::size_t, std::size_t> &&
    requires(D& mine, const D& any, typename D::value_type job) {
  { mine.push(job) } -> std::same_as<bool>;
  { mine.pop() } -> std::same_as<typename D::value_type>;
  { mine.steal() } -> std::same_as<stolen<typename D::value_type>>;
  { mine.capacity() } -> std::same_as<std::size_t>;
  { mine.bytes() } -> std::same_as<std::size_t>;
  { any.size_hint() } -> std::same_as<std::size_t>;
  { any.looks_empty() } -> std::same_as<bool>;
  { D::grows } -> std::convertible_to<bool>;
} &&(D::has_private_jobs == shares_on_demand<D>);

/// Throws std::invalid_argument unless both are powers of two and `initial <= max`.
inline void check_capacities(std::size_t initial, std::size_t max) {
  if (!std::has_single_bit(initial) || !std::has_single_bit(max) || initial > max) {
    throw std::invalid_argument("a deque's capacities must be powers of two, in order");
  }
}

}  // namespace stealbench::work_stealing
