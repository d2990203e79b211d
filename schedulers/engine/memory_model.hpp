// What lock-free code may ask of its memory model: the part of a machine (machine.hpp) that a
// protocol needs, so that the same source runs on the real machine and under the Relacy Race
// Detector (verify/relacy_machine.hpp).
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>

namespace stealbench::engine {

/// The C++ memory orders, and `none` for a fence that is left out (a mutant of verify/).
enum class order : std::uint8_t { none, relaxed, acquire, release, acq_rel, seq_cst };

/// A memory model supplies
///  - `atomic<T>`: load, store, exchange, fetch_add, fetch_sub, compare_exchange_strong, each with
///    its order (a compare-exchange has two);
///  - `plain<T>`: data that the protocol claims not to race, with read() and write();
///  - `mutex`: lock(), try_lock(), which may fail for no reason, and unlock();
///  - `fence(order)`;
///  - `light_fence()` and `heavy_fence()`: an asymmetric fence (Linux membarrier; P1202 of WG21).
///    Between a thread that runs the light side and a thread that runs the heavy side they order as
///    two seq_cst fences would; the light side costs nothing where the heavy one can be a
///    system-wide barrier;
///  - `asymmetric()`: whether that is so here; and `compiler_fence()`, which is then as good as the
///    light side and always costs nothing. Where it is not so, it orders nothing between threads;
///  - `spin()`: a hint inside a busy-wait loop;
///  - `wait(word, old, at_most)`: returns once `word` no longer holds `old`, or spuriously, or, if
///    that is not zero, after `at_most`. False if the time has passed;
///  - `notify_one(word)`: wakes one waiter of `word`;
///  - `name(object, text)`: says what is in the object's cache lines. Of effect in simulated time
///    alone (schedulers/virtual_machine/).
template <class M>
concept memory_model = requires(typename M::template atomic<std::uint32_t>& word,
                                typename M::template plain<int>& data, std::uint32_t value,
                                typename M::mutex& mutex) {
  { word.load(order::acquire) } -> std::same_as<std::uint32_t>;
  word.store(value, order::release);
  { word.exchange(value, order::acq_rel) } -> std::same_as<std::uint32_t>;
  { word.fetch_add(value, order::relaxed) } -> std::same_as<std::uint32_t>;
  { word.fetch_sub(value, order::relaxed) } -> std::same_as<std::uint32_t>;
  {
    word.compare_exchange_strong(value, value, order::seq_cst, order::relaxed)
    } -> std::same_as<bool>;
  { data.read() } -> std::convertible_to<int>;
  data.write(1);
  mutex.lock();
  { mutex.try_lock() } -> std::same_as<bool>;
  mutex.unlock();
  M::fence(order::seq_cst);
  { M::asymmetric() } -> std::same_as<bool>;
  M::compiler_fence();
  M::light_fence();
  M::heavy_fence();
  M::spin();
  { M::wait(word, value, std::chrono::nanoseconds{}) } -> std::same_as<bool>;
  M::notify_one(word);
  M::name(word, "");
};

/// An `atomic<T>` over a `Zeroed` one, which has no constructor of its own.
template <class Zeroed, class T>
class initialised_atomic : public Zeroed {
 public:
  constexpr initialised_atomic() noexcept : initialised_atomic(T{}) {}
  constexpr explicit initialised_atomic(T value) noexcept
      : Zeroed(typename Zeroed::initialised{}, value) {}
};

}  // namespace stealbench::engine
