#include "bench/compare/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/system/file_descriptor.hpp"

namespace stealbench::compare {
namespace {

using clock = std::chrono::steady_clock;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// A pipe that the child must be given on purpose.
struct pipe_ends {
  system::file_descriptor read;
  system::file_descriptor write;
};

pipe_ends make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
  return {system::file_descriptor(ends[0]), system::file_descriptor(ends[1])};
}

/// Reads what is there without waiting, keeps at most `most` bytes, and closes at the end. Returns
/// after a while even from a program that never stops writing: there may be a deadline.
void read_available(system::file_descriptor& from, std::string& kept, std::size_t most,
                    bool& was_cut) {
  std::array<char, 65536> buffer{};
  for (int reads = 0; reads < 16 && from.is_open(); ++reads) {
    const ssize_t got = read(from.number(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (got <= 0) {
      from.close();
      return;
    }
    const auto bytes = static_cast<std::size_t>(got);
    const std::size_t room = std::min(bytes, most - kept.size());
    kept.append(buffer.data(), room);
    if (room < bytes) was_cut = true;
  }
}

/// A started program; destroyed before it has ended, it is killed.
class child {
 public:
  child(const process_request& request, const signal_watch& watch);
  child(const child&) = delete;
  child& operator=(const child&) = delete;
  ~child() {
    if (!reaped_) static_cast<void>(kill_and_reap());
  }

  /// Whether it has ended. It stays a zombie, so that its process group cannot be another's yet.
  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
      fail("waitid");
    }
    return info.si_pid == pid_;
  }

  struct remains {
    int wait_status;
    rusage usage;
  };
  remains kill_and_reap() {
    kill(-pid_, SIGKILL);
    remains left{};
    while (wait4(pid_, &left.wait_status, 0, &left.usage) < 0 && errno == EINTR) {
    }
    reaped_ = true;
    return left;
  }

  system::file_descriptor output;
  system::file_descriptor errors;

 private:
  pid_t pid_ = -1;
  bool reaped_ = false;
};

/// The child's part between fork and exec: async-signal-safe calls alone. Returns if one has
/// failed.
void become(const std::vector<char*>& command, pid_t driver, int output, int errors,
            const sigset_t& mask) {
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing < 0 || setpgid(0, 0) != 0) return;
  if (dup2(nothing, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
      dup2(errors, STDERR_FILENO) < 0) {
    return;
  }
  if (nothing > STDERR_FILENO) close(nothing);
  // A driver that is killed outright leaves no benchmark running behind it, not even one that it
  // was killed too early to send the signal to.
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != driver) return;
  if (sigprocmask(SIG_SETMASK, &mask, nullptr) != 0) return;
  execv(command.front(), command.data());
}

child::child(const process_request& request, const signal_watch& watch) {
  std::vector<std::string> words{request.executable.string()};
  words.insert(words.end(), request.arguments.begin(), request.arguments.end());
  std::vector<char*> command;
  command.reserve(words.size() + 1);
  for (std::string& word : words) command.push_back(word.data());
  command.push_back(nullptr);

  pipe_ends output_pipe = make_pipe();
  pipe_ends error_pipe = make_pipe();
  pipe_ends failure = make_pipe();
  for (const int number : {output_pipe.read.number(), error_pipe.read.number()}) {
    if (fcntl(number, F_SETFL, O_NONBLOCK) != 0) fail("fcntl");
  }
  // Not posix_spawn, which cannot ask for a signal at the parent's death.
  const pid_t driver = getpid();
  pid_ = fork();
  if (pid_ < 0) fail("fork");
  if (pid_ == 0) {
    become(command, driver, output_pipe.write.number(), error_pipe.write.number(),
           watch.mask_before());
    const int reason = errno;
    static_cast<void>(!write(failure.write.number(), &reason, sizeof reason));
    _exit(127);
  }
  setpgid(pid_, pid_);  // In both, so that the group stands whoever comes first.
  failure.write.close();
  int reason = 0;
  ssize_t got = 0;
  do {
    got = read(failure.read.number(), &reason, sizeof reason);  // Exec closes the other end.
  } while (got < 0 && errno == EINTR);
  if (got > 0) {
    static_cast<void>(kill_and_reap());
    throw std::system_error(reason, std::generic_category(), "cannot start " + words.front());
  }
  output = std::move(output_pipe.read);
  errors = std::move(error_pipe.read);
}

/// Milliseconds for poll, rounded up; -1 without a deadline.
int time_left(const std::optional<clock::time_point>& deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
}

}  // namespace

signal_watch::signal_watch() {
  std::signal(SIGCHLD, SIG_DFL);  // Where it is ignored, children leave no status behind.
  sigset_t watched;
  sigemptyset(&watched);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGCHLD}) sigaddset(&watched, number);
  if (sigprocmask(SIG_BLOCK, &watched, &before_) != 0) fail("sigprocmask");
  descriptor_ = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  if (descriptor_ < 0) {
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    fail("signalfd");
  }
}

signal_watch::~signal_watch() {
  close(descriptor_);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void signal_watch::drain() const {
  signalfd_siginfo info{};
  while (read(descriptor_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    if (info.ssi_signo != SIGCHLD) throw interrupted(static_cast<int>(info.ssi_signo));
  }
}

process_result run_process(const process_request& request, const signal_watch& watch) {
  watch.drain();
  child running(request, watch);
  std::optional<clock::time_point> deadline;
  if (request.timeout) deadline = clock::now() + *request.timeout;

  process_result result;
  bool errors_were_cut = false;
  bool ended = false;
  while (!ended) {
    // A closed stream is -1, which poll passes over.
    std::array<pollfd, 3> waiting{pollfd{watch.descriptor(), POLLIN, 0},
                                  pollfd{running.output.number(), POLLIN, 0},
                                  pollfd{running.errors.number(), POLLIN, 0}};
    const int events = poll(waiting.data(), waiting.size(), time_left(deadline));
    if (events < 0 && errno != EINTR) fail("poll");
    watch.drain();
    ended = running.has_ended();
    if (!ended && deadline && clock::now() >= *deadline) {
      result.how = ending::timed_out;
      ended = true;
    }
    read_available(running.output, result.output, request.most_output_bytes, result.output_was_cut);
    read_available(running.errors, result.errors, request.most_output_bytes, errors_were_cut);
  }

  const child::remains left = running.kill_and_reap();
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  result.cpu_seconds = seconds(left.usage.ru_utime) + seconds(left.usage.ru_stime);
  if (result.how == ending::timed_out) return result;
  const bool signalled = WIFSIGNALED(left.wait_status);
  result.how = signalled ? ending::signalled : ending::exited;
  result.status = signalled ? WTERMSIG(left.wait_status) : WEXITSTATUS(left.wait_status);
  return result;
}

std::string describe_ending(const process_result& result) {
  switch (result.how) {
    case ending::exited:
      return fmt::format("exit status {}", result.status);
    case ending::signalled:
      return fmt::format("ended by signal {} ({})", result.status, strsignal(result.status));
    case ending::timed_out:
      return "timed out";
  }
  return {};
}

}  // namespace stealbench::compare
