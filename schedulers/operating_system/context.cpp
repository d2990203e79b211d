#include "schedulers/operating_system/context.hpp"

#include <cstdlib>

#include <boost/context/detail/fcontext.hpp>
#include <cxxabi.h>
#ifdef STEALBENCH_CONTEXT_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef STEALBENCH_CONTEXT_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace stealbench::operating_system {
namespace {

namespace detail = boost::context::detail;

// As the ABI lays them out; the runtime's own type is incomplete.
struct exceptions_of_thread {
  void* caught;
  unsigned int uncaught;
};

// What the side that is switched to has to know; in the frame of the side that is left.
struct handover {
  context& from;
  context& to;
};

// On the side that was switched to, before anything else.
context& arrive(const detail::transfer_t& transfer) {
  const handover& both = *static_cast<const handover*>(transfer.data);
  context& from = both.from;
  context& to = both.to;
#ifdef STEALBENCH_CONTEXT_ASAN
  __sanitizer_finish_switch_fiber(to.fake_stack, &from.bottom, &from.bytes);
#endif
  from.at = transfer.fctx;
  return to;
}

void begin(detail::transfer_t transfer) noexcept {
  const context& own = arrive(transfer);
  own.body(own.argument);
  std::abort();
}

}  // namespace

void make_context(context& made, std::byte* top, std::size_t bytes, void (*body)(void*),
                  void* argument) {
  made.body = body;
  made.argument = argument;
  made.at = detail::make_fcontext(top, bytes, begin);
#ifdef STEALBENCH_CONTEXT_ASAN
  made.bottom = top - bytes;
  made.bytes = bytes;
#endif
#ifdef STEALBENCH_CONTEXT_TSAN
  made.tsan_fiber = __tsan_create_fiber(0);
#endif
}

void end_context([[maybe_unused]] context& made) noexcept {
#ifdef STEALBENCH_CONTEXT_ASAN
  // Its frames have not been left, and the next mapping may have the same address.
  constexpr std::size_t least = std::size_t{64} << 10;
  const std::size_t used = made.bytes < least ? made.bytes : least;
  __asan_unpoison_memory_region(static_cast<const std::byte*>(made.bottom) + made.bytes - used,
                                used);
#endif
#ifdef STEALBENCH_CONTEXT_TSAN
  __tsan_destroy_fiber(made.tsan_fiber);
#endif
}

void* exceptions_of_this_thread() noexcept { return abi::__cxa_get_globals(); }

[[gnu::noinline]] void switch_context(context& from, context& to, void* exceptions) noexcept {
  auto& thread_state = *static_cast<exceptions_of_thread*>(exceptions);
  from.caught = thread_state.caught;
  from.uncaught = thread_state.uncaught;
  thread_state.caught = to.caught;
  thread_state.uncaught = to.uncaught;
  handover both{from, to};
#ifdef STEALBENCH_CONTEXT_ASAN
  __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.bytes);
#endif
#ifdef STEALBENCH_CONTEXT_TSAN
  from.tsan_fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(to.tsan_fiber, 0);
#endif
  arrive(detail::jump_fcontext(to.at, &both));
}

}  // namespace stealbench::operating_system
