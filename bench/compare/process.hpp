// A child process with a deadline: its output, how it ended, and what it used.
#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stealbench::compare {

/// The user asked to stop: SIGINT or SIGTERM.
class interrupted : public std::exception {
 public:
  explicit interrupted(int signal) : signal_(signal) {}
  [[nodiscard]] int signal() const { return signal_; }
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }

 private:
  int signal_;
};

/// Takes SIGINT, SIGTERM and SIGCHLD as events to wait for, in place of their actions, for as long
/// as it lives. One at a time, in a program of one thread.
class signal_watch {
 public:
  signal_watch();
  signal_watch(const signal_watch&) = delete;
  signal_watch& operator=(const signal_watch&) = delete;
  ~signal_watch();

  /// Becomes readable when a signal has come in.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Reads what has come in; throws `interrupted` if it was SIGINT or SIGTERM.
  void drain() const;
  /// The signals that were blocked before: what a child must start with.
  [[nodiscard]] const sigset_t& mask_before() const { return before_; }

 private:
  int descriptor_ = -1;
  sigset_t before_{};
};

struct process_request {
  std::filesystem::path executable;
  std::vector<std::string> arguments;
  /// None: no deadline.
  std::optional<std::chrono::milliseconds> timeout = {};
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
  double cpu_seconds = 0;  ///< User and system time of the process.
};

/// Runs a program to its end, without a shell, in a process group of its own and with an empty
/// standard input. At the deadline, or when the user interrupts, the group is killed; whatever the
/// program left running in its group is killed too. Throws `interrupted`, and std::system_error if
/// the program cannot be started.
[[nodiscard]] process_result run_process(const process_request& request, const signal_watch& watch);

/// How it ended, in words, for a message: "exit status 3", "ended by signal 11 (Segmentation
/// fault)", "timed out".
[[nodiscard]] std::string describe_ending(const process_result& result);

}  // namespace stealbench::compare
