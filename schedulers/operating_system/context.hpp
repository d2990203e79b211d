// Contexts: switching a thread from one stack to another, by Boost.Context, announced to the
// sanitizers. Fibers (schedulers/fibers) and simulated threads have one each. Where there are both,
// or where the model checker's threads share a thread too, one switch happens inside of the other.
//
// All of it is in the header: a program that is compiled with a sanitizer may link a library that
// is not, and it is the program's fibers that the sanitizer has to be told of.
#pragma once

#include <cstddef>
#include <cstdlib>

#include <boost/context/detail/fcontext.hpp>

#include "schedulers/operating_system/sanitizers.hpp"

#ifdef STEALBENCH_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef STEALBENCH_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace stealbench::operating_system {

/// What the C++ runtime keeps for the calling thread of exceptions. The same while the thread
/// lives: asked for once, since it is a look-up, and a compiler may keep its result across a
/// switch.
[[nodiscard]] void* exceptions_of_this_thread() noexcept;

/// The state of a stack that no thread runs on. Written by the thread that leaves it, once it has
/// left; read by the thread that goes on with it.
struct context {
  void* at = nullptr;  ///< Its stack pointer, below which its registers are.
  // What the C++ runtime keeps for each thread of exceptions: those that are being handled, and
  // how many are under way (Itanium C++ ABI, 2.2.2). It belongs to the stack: what is left
  // inside of a catch clause goes on there, on whichever thread.
  void* caught = nullptr;
  unsigned int uncaught = 0;
#ifdef STEALBENCH_ADDRESS_SANITIZER
  const void* bottom = nullptr;  ///< Of its stack, which a thread's own tells when it is left.
  std::size_t bytes = 0;
  void* fake_stack = nullptr;
#endif
#ifdef STEALBENCH_THREAD_SANITIZER
  void* tsan_fiber = nullptr;
#endif
  // Of a made context: what it begins with.
  void (*body)(void*) = nullptr;
  void* argument = nullptr;
};

namespace detail {

namespace fcontext = boost::context::detail;

// As the ABI lays them out; the runtime's own type is incomplete.
struct exceptions_of_thread {
  void* caught;
  unsigned int uncaught;
};

// What the side that is switched to has to know; in the frame of the side that is left.
struct handover {
  context& left;
  context& entered;
};

// On the side that was switched to, before anything else.
inline context& arrive(const fcontext::transfer_t& transfer) {
  const handover& both = *static_cast<const handover*>(transfer.data);
  context& left = both.left;
  context& entered = both.entered;
#ifdef STEALBENCH_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(entered.fake_stack, &left.bottom, &left.bytes);
#endif
  left.at = transfer.fctx;
  return entered;
}

inline void begin(fcontext::transfer_t transfer) noexcept {
  const context& own = arrive(transfer);
  own.body(own.argument);
  std::abort();
}

}  // namespace detail

/// Makes a context on a stack of `bytes` bytes that ends at `top`: the first switch to it calls
/// `body(argument)`, which never returns.
inline void make_context(context& created, std::byte* top, std::size_t bytes, void (*body)(void*),
                         void* argument) {
  created.body = body;
  created.argument = argument;
  created.at = detail::fcontext::make_fcontext(top, bytes, detail::begin);
#ifdef STEALBENCH_ADDRESS_SANITIZER
  created.bottom = top - bytes;
  created.bytes = bytes;
#endif
#ifdef STEALBENCH_THREAD_SANITIZER
  created.tsan_fiber = __tsan_create_fiber(0);
#endif
}

/// Before the stack of a made context is given back: it is not switched to again, and of its frames
/// only those that wait for a job are left.
inline void end_context([[maybe_unused]] context& ended) noexcept {
#ifdef STEALBENCH_ADDRESS_SANITIZER
  // Its frames have not been left, and the next mapping may have the same address.
  constexpr std::size_t least = std::size_t{64} << 10;
  const std::size_t used = ended.bytes < least ? ended.bytes : least;
  __asan_unpoison_memory_region(static_cast<const std::byte*>(ended.bottom) + ended.bytes - used,
                                used);
#endif
#ifdef STEALBENCH_THREAD_SANITIZER
  __tsan_destroy_fiber(ended.tsan_fiber);
#endif
}

/// Leaves `left`, which the calling thread runs, and goes on with `entered`. `exceptions` are those
/// of the calling thread. Returns when another switch goes on with `left`, perhaps on another
/// thread: so thread-local variables must be read anew, and this is never inlined. Who publishes
/// `left` does so after the switch, on the other stack.
[[gnu::noinline]] inline void switch_context(context& left, context& entered,
                                             void* exceptions) noexcept {
  auto& thread_state = *static_cast<detail::exceptions_of_thread*>(exceptions);
  left.caught = thread_state.caught;
  left.uncaught = thread_state.uncaught;
  thread_state.caught = entered.caught;
  thread_state.uncaught = entered.uncaught;
  detail::handover both{left, entered};
#ifdef STEALBENCH_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(&left.fake_stack, entered.bottom, entered.bytes);
#endif
#ifdef STEALBENCH_THREAD_SANITIZER
  left.tsan_fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(entered.tsan_fiber, 0);
#endif
  detail::arrive(detail::fcontext::jump_fcontext(entered.at, &both));
}

}  // namespace stealbench::operating_system
