#include "schedulers/operating_system/context.hpp"

#include <cxxabi.h>

namespace stealbench::operating_system {

void* exceptions_of_this_thread() noexcept { return abi::__cxa_get_globals(); }

}  // namespace stealbench::operating_system
