// What a process inherits from whoever starts it.
#pragma once

#include <string>
#include <vector>

namespace stealbench::system {

/// To be called first in `main`. Sets anew: the signal mask; ignored signals, but for those by
/// which a user stops a program (nohup); standard streams that are closed or do not block; what the
/// umask denies to the owner; timer slack. The host checks say what else is not as usual.
void begin_with_own_state();

/// Whether control sequences may be written there: to a terminal that TERM names, and not as dumb.
[[nodiscard]] bool takes_escapes(int descriptor);
/// The same of colours, which NO_COLOR forbids (https://no-color.org).
[[nodiscard]] bool takes_colours(int descriptor);

/// Names of the environment's variables that begin with one of these words, sorted.
[[nodiscard]] std::vector<std::string> variables(const std::string& prefixes);

/// `GOGC=off, OMP_PROC_BIND=true`: what changes how runtimes, the allocator or the dynamic linker
/// work, in printable ASCII; `none`.
[[nodiscard]] std::string environment_of_runtimes();

}  // namespace stealbench::system
