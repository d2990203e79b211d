// What a process inherits from whoever starts it.
#pragma once

#include <string>

namespace stealbench::system {

/// To be called first in `main`. Sets anew: the signal mask; ignored signals, but for those by
/// which a user stops a program (nohup); standard streams that are closed or do not block; what the
/// umask denies to the owner; timer slack. The host checks say what else is not as usual.
void begin_with_own_state();

/// The value of a variable of the environment; empty if there is none.
[[nodiscard]] std::string environment_variable(const char* name);

/// `GOGC=off, OMP_PROC_BIND=true`: what changes how runtimes, the allocator or the dynamic linker
/// work, in printable ASCII; `none`.
[[nodiscard]] std::string environment_of_runtimes();

}  // namespace stealbench::system
