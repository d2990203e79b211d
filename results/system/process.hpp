// A child process with a deadline: its output, how it ended, and what it used.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace stealbench::system {

/// The user asked to stop: SIGINT, SIGTERM or SIGHUP.
class interrupted : public std::exception {
 public:
  explicit interrupted(int signal) : signal_(signal) {}
  [[nodiscard]] int signal() const { return signal_; }
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }

 private:
  int signal_;
};

struct process_request {
  std::filesystem::path executable;  ///< A bare name is looked up on the PATH.
  std::vector<std::string> arguments;
  /// None: no deadline.
  std::optional<std::chrono::milliseconds> timeout = {};
  std::string input = {};  ///< Its standard input.
  /// Most bytes that are kept of each of the two streams. What comes after is read and dropped.
  std::size_t most_output_bytes = std::size_t{4} << 20;
};

enum class ending : std::uint8_t { exited, signalled, timed_out };

struct process_result {
  ending how = ending::exited;
  int status = 0;  ///< Exit status, or the number of the signal.
  std::string output;
  std::string errors;
  bool output_was_cut = false;
  double cpu_seconds = 0;  ///< User and system time of one that was `run`.
};

/// Runs programs. For as long as it lives, SIGINT, SIGTERM and SIGHUP do not end this program: they
/// interrupt the wait that they fall into, or else the next one. One that is ignored when it is
/// made stays ignored. For one thread.
class process_runner {
 public:
  process_runner();
  process_runner(const process_runner&) = delete;
  process_runner& operator=(const process_runner&) = delete;
  /// Kills what still runs.
  ~process_runner();

  /// Runs a program to its end, while no other that it has started runs. Throws as start and wait.
  [[nodiscard]] process_result run(const process_request& request);

  /// Starts a program, without a shell and in a process group of its own. The group is killed at
  /// the deadline, and if this program is killed. Returns the program's number, from 0 in the order
  /// in which they are started. Throws std::system_error if it cannot be started.
  std::size_t start(process_request request);

  struct ended {
    std::size_t number;
    process_result result;
  };
  /// Waits until one of those that run has ended (there is one at least), and kills what it has
  /// left running in its group. When the user interrupts, kills all that run and throws
  /// `interrupted`.
  [[nodiscard]] ended wait();

 private:
  struct child;
  struct events;
  std::unique_ptr<events> events_;
};

/// Runs a program, a bare name looked up on the PATH, that has this program's standard streams, to
/// its end; it is sent SIGTERM should this program end before. Returns its exit status, or 128 and
/// the number of the signal that ended it. Throws std::system_error if it cannot be started.
[[nodiscard]] int run_in_foreground(const std::filesystem::path& executable,
                                    const std::vector<std::string>& arguments);

/// Whether a program cannot be started because this machine, or a limit of this program, has no
/// more processes, memory or files to give: then no other program can be started either.
[[nodiscard]] bool is_shortage(const std::error_code& reason);

/// How it ended, in words, for a message: "exit status 3", "ended by signal 11 (Segmentation
/// fault)", "timed out".
[[nodiscard]] std::string describe_ending(const process_result& result);

}  // namespace stealbench::system
