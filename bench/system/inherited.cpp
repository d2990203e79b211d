#include "bench/system/inherited.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stealbench::system {
namespace {

// A closed stream (`>&-`) is opened on nothing, in the wrong direction. Else the next file would
// get its number, and be written what was meant for the stream.
void occupy_standard_streams() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    const int flags = fcntl(number, F_GETFL);
    if (flags == -1) {  // The least number that is free is this one: those below it are open.
      static_cast<void>(open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY));
    } else if ((flags & O_NONBLOCK) != 0) {  // A slow reader would be an error.
      fcntl(number, F_SETFL, flags & ~O_NONBLOCK);
    }
  }
}

// A SIGCHLD that is blocked or ignored hides that a child has ended.
void reset_signals() {
  const std::initializer_list<int> of_the_user{SIGHUP,  SIGINT,  SIGQUIT, SIGTERM,
                                               SIGTSTP, SIGTTIN, SIGTTOU};
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    const bool is_ignored = before.sa_handler == SIG_IGN;
    if (is_ignored && std::ranges::count(of_the_user, signal) == 0) std::signal(signal, SIG_DFL);
  }
  // A file that grows beyond the limit of the shell is a message, as one on a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Names of the environment's variables that begin with one of these words, sorted.
std::vector<std::string> variables(const std::string& prefixes) {
  std::vector<std::string> names;
  for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
    const std::string_view name(*each, std::strcspn(*each, "="));
    std::istringstream words(prefixes);
    for (std::string prefix; words >> prefix;) {
      if (name.starts_with(prefix)) names.emplace_back(name);
    }
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

void begin_with_own_state() {
  occupy_standard_streams();
  reset_signals();
  umask(umask(0) & ~mode_t{S_IRWXU});  // What this program writes it reads again.
  prctl(PR_SET_TIMERSLACK, 50'000UL);  // Nanoseconds, as the kernel has it.
}

std::string environment_variable(const char* name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here sets the environment.
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string environment_of_runtimes() {
  constexpr std::size_t most_shown = 200;
  std::vector<std::string> all = variables(
      "GLIBC_TUNABLES GODEBUG GOGC GOMAXPROCS GOMEMLIMIT GOMP_ HWLOC_ JAVA_TOOL_OPTIONS JDK_JAVA_ "
      "JEMALLOC_ KMP_ LD_ LIBOMP_ MALLOC_ MIMALLOC_ OMP_ PARLAY_ RAYON_ RUST_MIN_STACK "
      "STEALBENCH_INJECT_ TBB_ TCMALLOC_ _JAVA_OPTIONS");
  for (std::string& each : all) {
    each += "=" + environment_variable(each.c_str());
    if (each.size() > most_shown) each.replace(most_shown, std::string::npos, "...");
    for (char& c : each) c = c < ' ' || c > '~' ? '?' : c;
  }
  return all.empty() ? "none" : fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace stealbench::system
