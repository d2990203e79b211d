#include "results/system/process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include <boost/asio.hpp>
#if __has_include(<boost/process/v1/child.hpp>)  // Boost 1.86 has moved it there.
#include <boost/process/v1/args.hpp>
#include <boost/process/v1/async.hpp>
#include <boost/process/v1/async_pipe.hpp>
#include <boost/process/v1/child.hpp>
#include <boost/process/v1/error.hpp>
#include <boost/process/v1/exe.hpp>
#include <boost/process/v1/extend.hpp>
#include <boost/process/v1/group.hpp>
#include <boost/process/v1/io.hpp>
#include <boost/process/v1/search_path.hpp>
namespace boost_process = boost::process::v1;
#else
#include <boost/process.hpp>
#include <boost/process/extend.hpp>
namespace boost_process = boost::process;
#endif
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/system/usage.hpp"

namespace stealbench::system {
namespace {

namespace asio = boost::asio;
namespace process = boost_process;

const std::error_code not_found = std::make_error_code(std::errc::no_such_file_or_directory);

/// Empty if a bare name is not on the PATH.
std::string full_path_of(const std::filesystem::path& name) {
  return name.has_parent_path() ? name.string() : process::search_path(name.string()).string();
}

/// One of the child's streams, read to its end.
struct stream_reader {
  explicit stream_reader(asio::io_context& io) : pipe(io) {
    // The child is given its end as a standard stream, and needs neither of these.
    for (const int end : {pipe.native_source(), pipe.native_sink()}) {
      fcntl(end, F_SETFD, FD_CLOEXEC);
    }
  }

  /// The owner of this object lives until the last read has ended.
  void start(const std::shared_ptr<void>& owner, std::size_t most) {
    const auto keep = [=, this](const boost::system::error_code& error, std::size_t bytes) {
      const std::size_t room = std::min(bytes, most - kept.size());
      kept.append(buffer.data(), room);
      if (room < bytes) was_cut = true;
      if (!error) start(owner, most);
    };
    pipe.async_read_some(asio::buffer(buffer), keep);
  }

  process::async_pipe pipe;
  std::string kept;
  bool was_cut = false;
  std::array<char, 65536> buffer{};
};

}  // namespace

/// What waits for it owns it too, so that it is still there when a cancelled wait ends.
struct process_runner::child : std::enable_shared_from_this<child> {
  child(asio::io_context& io, std::size_t which, process_request what)
      : number(which), request(std::move(what)), output(io), errors(io), deadline(io) {}

  /// Why it was not started; no error if it was.
  std::error_code start(asio::io_context& io) {
    const std::string path = full_path_of(request.executable);
    if (path.empty()) return not_found;
    const std::shared_ptr<child> self = shared_from_this();
    std::error_code refusal;
    // Between fork and exec: async-signal-safe calls alone.
    const auto set_up = [parent = getpid()](auto& /*executor*/) {
      // A driver that is killed outright leaves no benchmark running behind it, not even one that
      // it was killed too early to send the signal to.
      if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(127);
      std::signal(SIGPIPE, SIG_DFL);  // What this program ignores the child would ignore too.
    };
    program = process::child(
        process::exe = path, process::args = request.arguments,
        process::std_in<asio::buffer(request.input), process::std_out> output.pipe,
        process::std_err > errors.pipe, group, io, process::error = refusal,
        process::extend::on_exec_setup = set_up,
        process::on_exit([self](int, const std::error_code&) { self->has_ended = true; }));
    if (refusal) return refusal;
    output.start(self, request.most_output_bytes);
    errors.start(self, request.most_output_bytes);
    if (!request.timeout) return {};
    deadline.expires_after(*request.timeout);
    deadline.async_wait([self](const boost::system::error_code& error) {
      if (error || self->has_ended) return;
      // Where this program was stopped meanwhile, it sees the deadline before an earlier end, and
      // waitid fails where the end is already collected but not yet handled.
      siginfo_t end{};
      const auto id = static_cast<id_t>(self->program.id());
      if (waitid(P_PID, id, &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_pid != 0) return;
      self->was_late = true;
      self->kill_group();
    });
    return {};
  }

  void kill_group() const { kill(-group.native_handle(), SIGKILL); }

  void stop_waiting() {
    deadline.cancel();
    output.pipe.close();
    errors.pipe.close();
  }

  /// Of one that has ended.
  [[nodiscard]] process_result result() const {
    const int status = program.native_exit_code();
    const bool signalled = WIFSIGNALED(status);
    return {.how = was_late    ? ending::timed_out
                   : signalled ? ending::signalled
                               : ending::exited,
            .status = signalled ? WTERMSIG(status) : WEXITSTATUS(status),
            .output = output.kept,
            .errors = errors.kept,
            .output_was_cut = output.was_cut};
  }

  std::size_t number;
  process_request request;
  stream_reader output;
  stream_reader errors;
  asio::steady_timer deadline;
  process::group group;
  process::child program;
  bool was_late = false;
  bool has_ended = false;
};

struct process_runner::events {
  void await_signal() {
    signals.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      interruption = signal;
      await_signal();
    });
  }

  /// Kills all that run, and waits for their ends.
  void end_all() {
    for (const auto& each : running) each->kill_group();
    for (const auto& each : running) {
      while (!each->has_ended) io.run_one();
      each->stop_waiting();
    }
    running.clear();
  }

  void throw_if_interrupted() {
    if (interruption == 0) return;
    end_all();
    throw interrupted(std::exchange(interruption, 0));
  }

  asio::io_context io;
  asio::signal_set signals{io};
  int interruption = 0;  // The signal, if there was one.
  std::vector<std::shared_ptr<child>> running;
  std::size_t started = 0;
};

process_runner::process_runner() : events_(std::make_unique<events>()) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Who started this program with a signal ignored, as nohup does, wants it to survive that.
    struct sigaction before {};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    events_->signals.add(signal);
  }
  std::signal(SIGPIPE, SIG_IGN);  // A child that does not read its input is no reason to end.
  events_->await_signal();
}

process_runner::~process_runner() { events_->end_all(); }

std::size_t process_runner::start(process_request request) {
  const std::string title = "cannot start " + request.executable.string();
  std::error_code refusal;
  try {
    const auto next = std::make_shared<child>(events_->io, events_->started, std::move(request));
    refusal = next->start(events_->io);
    if (!refusal) events_->running.push_back(next);
  } catch (const process::process_error& error) {  // There is no further pipe, for example.
    refusal = error.code();
  }
  if (refusal) throw std::system_error(refusal, title);
  return events_->started++;
}

process_runner::ended process_runner::wait() {
  asio::io_context& io = events_->io;
  auto& running = events_->running;
  const auto next = [&] {
    return std::ranges::find_if(running, [](const auto& each) { return each->has_ended; });
  };
  while (events_->interruption == 0 && next() == running.end()) io.run_one();
  events_->throw_if_interrupted();
  const std::shared_ptr<child> which = *next();
  which->kill_group();  // What it has left running.
  // What is in the pipes now; more only from a process that has left the group, for ever perhaps.
  constexpr int most_events = 256;
  for (int i = 0; i < most_events && io.poll_one() > 0; ++i) {
  }
  which->stop_waiting();
  std::erase(running, which);
  events_->throw_if_interrupted();
  return {which->number, which->result()};
}

process_result process_runner::run(const process_request& request) {
  const usage used_before = usage_of_children();
  start(request);
  process_result result = wait().result;
  result.cpu_seconds = (usage_of_children() - used_before).cpu_seconds();
  return result;
}

int run_in_foreground(const std::filesystem::path& executable,
                      const std::vector<std::string>& arguments) {
  const auto set_up = [](auto& /*executor*/) { prctl(PR_SET_PDEATHSIG, SIGTERM); };
  const std::string path = full_path_of(executable);
  std::error_code refusal;
  if (path.empty()) throw std::system_error(not_found, "cannot start " + executable.string());
  process::child program(process::exe = path, process::args = arguments, process::error = refusal,
                         process::extend::on_exec_setup = set_up);
  if (!refusal) program.wait(refusal);
  if (refusal) throw std::system_error(refusal, "cannot start " + executable.string());
  constexpr int killed_by_signal = 128;
  const int status = program.native_exit_code();
  return WIFSIGNALED(status) ? killed_by_signal + WTERMSIG(status) : WEXITSTATUS(status);
}

bool is_shortage(const std::error_code& reason) {
  constexpr std::array shortages{EAGAIN, ENOMEM, EMFILE, ENFILE};
  const bool is_of_system =
      reason.category() == std::generic_category() || reason.category() == std::system_category();
  return is_of_system && std::ranges::count(shortages, reason.value()) > 0;
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
