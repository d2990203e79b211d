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
  context& left;
  context& entered;
};

// On the side that was switched to, before anything else.
context& arrive(const detail::transfer_t& transfer) {
  const handover& both = *static_cast<const handover*>(transfer.data);
  context& left = both.left;
  context& entered = both.entered;
#ifdef STEALBENCH_CONTEXT_ASAN
  __sanitizer_finish_switch_fiber(entered.fake_stack, &left.bottom, &left.bytes);
#endif
  left.at = transfer.fctx;
  return entered;
}

void begin(detail::transfer_t transfer) noexcept {
  const context& own = arrive(transfer);
  own.body(own.argument);
  std::abort();
}

}  // namespace

void make_context(context& created, std::byte* top, std::size_t bytes, void (*body)(void*),
                  void* argument) {
  created.body = body;
  created.argument = argument;
  created.at = detail::make_fcontext(top, bytes, begin);
#ifdef STEALBENCH_CONTEXT_ASAN
  created.bottom = top - bytes;
  created.bytes = bytes;
#endif
#ifdef STEALBENCH_CONTEXT_TSAN
  created.tsan_fiber = __tsan_create_fiber(0);
#endif
}

void end_context([[maybe_unused]] context& ended) noexcept {
#ifdef STEALBENCH_CONTEXT_ASAN
  // Its frames have not been left, and the next mapping may have the same address.
  constexpr std::size_t least = std::size_t{64} << 10;
  const std::size_t used = ended.bytes < least ? ended.bytes : least;
  __asan_unpoison_memory_region(static_cast<const std::byte*>(ended.bottom) + ended.bytes - used,
                                used);
#endif
#ifdef STEALBENCH_CONTEXT_TSAN
  __tsan_destroy_fiber(ended.tsan_fiber);
#endif
}

void* exceptions_of_this_thread() noexcept { return abi::__cxa_get_globals(); }

[[gnu::noinline]] void switch_context(context& left, context& entered, void* exceptions) noexcept {
  auto& thread_state = *static_cast<exceptions_of_thread*>(exceptions);
  left.caught = thread_state.caught;
  left.uncaught = thread_state.uncaught;
  thread_state.caught = entered.caught;
  thread_state.uncaught = entered.uncaught;
  handover both{left, entered};
#ifdef STEALBENCH_CONTEXT_ASAN
  __sanitizer_start_switch_fiber(&left.fake_stack, entered.bottom, entered.bytes);
#endif
#ifdef STEALBENCH_CONTEXT_TSAN
  left.tsan_fiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(entered.tsan_fiber, 0);
#endif
  arrive(detail::jump_fcontext(entered.at, &both));
}

}  // namespace stealbench::operating_system
