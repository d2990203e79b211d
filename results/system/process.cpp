#include "results/system/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include <boost/asio.hpp>
#include <boost/process.hpp>
#include <boost/process/extend.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/system/usage.hpp"

namespace stealbench::system {
namespace {

namespace asio = boost::asio;
namespace process = boost::process;

/// One of the child's streams, read to its end.
class stream_reader {
 public:
  stream_reader(asio::io_context& io, std::string& kept, std::size_t most)
      : pipe_(io), kept_(kept), most_(most) {
    // The child is given its end as a standard stream, and needs neither of these.
    for (const int end : {pipe_.native_source(), pipe_.native_sink()}) {
      fcntl(end, F_SETFD, FD_CLOEXEC);
    }
  }

  [[nodiscard]] process::async_pipe& pipe() { return pipe_; }
  [[nodiscard]] bool was_cut() const { return was_cut_; }

  void start() {
    pipe_.async_read_some(asio::buffer(buffer_),
                          [this](const boost::system::error_code& error, std::size_t bytes) {
                            keep(bytes);
                            if (!error) start();
                          });
  }

 private:
  void keep(std::size_t bytes) {
    const std::size_t room = std::min(bytes, most_ - kept_.size());
    kept_.append(buffer_.data(), room);
    if (room < bytes) was_cut_ = true;
  }

  process::async_pipe pipe_;
  std::string& kept_;
  std::size_t most_;
  bool was_cut_ = false;
  std::array<char, 65536> buffer_{};
};

/// A bare name is looked up on the PATH.
std::string path_of(const std::filesystem::path& executable) {
  if (executable.has_parent_path()) return executable.string();
  const auto found = process::search_path(executable.string());
  if (found.empty()) {
    throw std::system_error(ENOENT, std::generic_category(), "cannot start " + executable.string());
  }
  return found.string();
}

/// Between fork and exec: async-signal-safe calls alone.
struct dies_with_its_parent : process::extend::handler {
  pid_t parent = getpid();

  template <class Executor>
  void on_exec_setup(Executor& /*executor*/) const {
    // A driver that is killed outright leaves no benchmark running behind it, not even one that it
    // was killed too early to send the signal to.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(127);
    std::signal(SIGPIPE, SIG_DFL);  // What this program ignores the child would ignore too.
  }
};

}  // namespace

struct process_runner::events {
  asio::io_context io;
  asio::signal_set signals{io, SIGINT, SIGTERM, SIGHUP};
};

process_runner::process_runner() : events_(std::make_unique<events>()) {
  std::signal(SIGPIPE, SIG_IGN);  // A child that does not read its input is no reason to end.
}

process_runner::~process_runner() = default;

process_result process_runner::run(const process_request& request) {
  asio::io_context& io = events_->io;
  io.restart();
  process_result result;
  stream_reader output(io, result.output, request.most_output_bytes);
  stream_reader errors(io, result.errors, request.most_output_bytes);
  const usage used_before = usage_of_children();
  process::group group;
  bool has_ended = false;
  const auto start = [&] {
    try {
      return process::child(
          process::exe = path_of(request.executable), process::args = request.arguments,
          process::std_in<asio::buffer(request.input), process::std_out> output.pipe(),
          process::std_err > errors.pipe(), group, io, dies_with_its_parent(),
          process::on_exit([&](int, const std::error_code&) { has_ended = true; }));
    } catch (const process::process_error& error) {
      throw std::system_error(error.code(), "cannot start " + request.executable.string());
    }
  };
  process::child child = start();
  const auto kill_group = [&] { kill(-group.native_handle(), SIGKILL); };

  asio::steady_timer deadline(io);
  if (request.timeout) {
    deadline.expires_after(*request.timeout);
    deadline.async_wait([&](const boost::system::error_code& error) {
      if (error || has_ended) return;
      result.how = ending::timed_out;
      kill_group();
    });
  }
  int interruption = 0;
  events_->signals.async_wait([&](const boost::system::error_code& error, int signal) {
    if (error) return;
    interruption = signal;
    kill_group();
  });
  output.start();
  errors.start();
  while (!has_ended) io.run_one();
  kill_group();  // What it has left running.
  // What is in the pipes now; more only from a process that has left the group, for ever perhaps.
  constexpr int most_events = 256;
  for (int i = 0; i < most_events && io.poll_one() > 0; ++i) {
  }
  deadline.cancel();
  events_->signals.cancel();
  output.pipe().close();
  errors.pipe().close();
  io.poll();  // The cancelled waits end here, for they refer to what is about to go.

  result.output_was_cut = output.was_cut();
  result.cpu_seconds = (usage_of_children() - used_before).cpu_seconds();
  if (interruption != 0) throw interrupted(interruption);
  if (result.how == ending::timed_out) return result;
  const int status = child.native_exit_code();
  const bool signalled = WIFSIGNALED(status);
  result.how = signalled ? ending::signalled : ending::exited;
  result.status = signalled ? WTERMSIG(status) : WEXITSTATUS(status);
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

}  // namespace stealbench::system
