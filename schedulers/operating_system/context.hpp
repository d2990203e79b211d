// Contexts: switching a thread from one stack to another, by Boost.Context, announced to the
// sanitizers. Fibers (schedulers/fibers) and simulated threads have one each. Where there are both,
// or where the model checker's threads share a thread too, one switch happens inside of the other.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define STEALBENCH_CONTEXT_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STEALBENCH_CONTEXT_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define STEALBENCH_CONTEXT_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define STEALBENCH_CONTEXT_TSAN 1
#endif
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
#ifdef STEALBENCH_CONTEXT_ASAN
  const void* bottom = nullptr;  ///< Of its stack, which a thread's own tells when it is left.
  std::size_t bytes = 0;
  void* fake_stack = nullptr;
#endif
#ifdef STEALBENCH_CONTEXT_TSAN
  void* tsan_fiber = nullptr;
#endif
  // Of a made context: what it begins with.
  void (*body)(void*) = nullptr;
  void* argument = nullptr;
};

/// Makes a context on a stack of `bytes` bytes that ends at `top`: the first switch to it calls
/// `body(argument)`, which never returns.
void make_context(context& created, std::byte* top, std::size_t bytes, void (*body)(void*),
                  void* argument);

/// Before the stack of a made context is given back: it is not switched to again, and of its frames
/// only those that wait for a job are left.
void end_context(context& ended) noexcept;

/// Leaves `left`, which the calling thread runs, and goes on with `entered`. `exceptions` are those
/// of the calling thread. Returns when another switch goes on with `left`, perhaps on another
/// thread: so thread-local variables must be read anew, and this is no inline function. Who
/// publishes `left` does so after the switch, on the other stack.
void switch_context(context& left, context& entered, void* exceptions) noexcept;

}  // namespace stealbench::operating_system
