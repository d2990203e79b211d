#include "bench/cell/neighbours.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/system/process.hpp"

namespace stealbench::cell {
namespace {

[[noreturn]] void throw_error(int error) {
  throw std::system_error(error, std::generic_category(), "neighbours");
}

[[noreturn]] void throw_failure(std::string_view reason) {
  throw std::runtime_error("the process beside it: " + std::string(reason));
}

std::string ending_in_words(int status) {
  system::process_result ended;
  ended.how = WIFSIGNALED(status) ? system::ending::signalled : system::ending::exited;
  ended.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return system::describe_ending(ended);
}

}  // namespace

neighbours::~neighbours() {
  for (const pid_t each : processes_) kill(each, SIGKILL);
  for (const pid_t each : processes_) waitpid(each, nullptr, 0);
}

bool neighbours::fork_one() {
  const pid_t parent = getpid();
  const pid_t process = fork();
  if (process < 0) throw_error(errno);
  if (process > 0) {
    processes_.push_back(process);
    return false;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // It ended before that call.
  return true;
}

void neighbours::pause() {
  for (const pid_t each : processes_) kill(each, SIGSTOP);
  for (auto each = processes_.begin(); each != processes_.end(); ++each) {
    int status = 0;
    while (waitpid(*each, &status, WUNTRACED) < 0 && errno == EINTR) {
    }
    if (WIFSTOPPED(status)) continue;
    processes_.erase(each);  // Its number may soon be another's.
    throw_failure(ending_in_words(status));
  }
}

double neighbours::cpu_seconds() const {
  double sum = 0;
  for (const pid_t each : processes_) {
    clockid_t of_process{};
    timespec used{};
    if (clock_getcpuclockid(each, &of_process) != 0 || clock_gettime(of_process, &used) != 0) {
      continue;  // It has ended, as `pause` will find.
    }
    sum += static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
  }
  return sum;
}

void neighbours::resume() {
  used_before_ = cpu_seconds();
  begin();
  resumed_ = clock::now();
  for (const pid_t each : processes_) kill(each, SIGCONT);
}

neighbours::outcome neighbours::stop(double seconds_alone, const std::function<void()>& run) {
  const std::chrono::duration<double> elapsed = clock::now() - resumed_;
  const double used = cpu_seconds() - used_before_;
  const std::optional<double> theirs = share(seconds_alone, run);
  pause();
  return {.share = theirs, .processors = used / elapsed.count()};
}

counting_processes::counting_processes(unsigned count, std::chrono::milliseconds alone)
    : time_alone_(alone) {
  void* const shared = mmap(nullptr, count * sizeof(counter), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw_error(errno);
  counters_ = {static_cast<counter*>(shared), count};
}

counting_processes::~counting_processes() { munmap(counters_.data(), counters_.size_bytes()); }

void counting_processes::start() {
  for (counter& own : counters_) {
    std::construct_at(&own);
    if (!fork_one()) continue;
    // The only writer. Relaxed: nothing else follows from a count.
    for (std::uint64_t i = 1;; ++i) own.value.store(i, std::memory_order_relaxed);
  }
  const reading before = read();
  do {  // Once, but where others have the processors.
    std::this_thread::sleep_for(time_alone_);
  } while (read().counted == before.counted);
  alone_ = rate_since(before);
  pause();
}

counting_processes::reading counting_processes::read() const {
  std::uint64_t sum = 0;
  // Relaxed: a count that is a moment old is as good.
  for (const counter& each : counters_) sum += each.value.load(std::memory_order_relaxed);
  return {.counted = sum, .when = clock::now()};
}

double counting_processes::rate_since(const reading& before) const {
  const reading after = read();
  const std::chrono::duration<double> elapsed = after.when - before.when;
  return static_cast<double>(after.counted - before.counted) / elapsed.count();
}

namespace {

/// From either side: to begin, that it is done, and with what.
struct message {
  double seconds_per_run = 0;
  std::array<char, 248> failure{};  ///< Ends with a zero.
};

void tell(int socket, const message& what) { send(socket, &what, sizeof what, MSG_NOSIGNAL); }

/// None if the other side has ended.
std::optional<message> hear(int socket) {
  message heard;
  ssize_t bytes = 0;
  while ((bytes = recv(socket, &heard, sizeof heard, 0)) < 0 && errno == EINTR) {
  }
  return bytes == sizeof heard ? std::optional(heard) : std::nullopt;
}

bool has_heard(int socket) {
  pollfd what{.fd = socket, .events = POLLIN, .revents = 0};
  return poll(&what, 1, 0) > 0;
}

/// The life of the second process, until the first one ends it.
void run_pool(const second_pool& what, int socket) {
  // As long as any pool spins after its run: LLVM's OpenMP does so for 200 ms.
  constexpr std::chrono::milliseconds until_idle{300};
  if (!hear(socket)) return;
  warm_cell subject(what.make(), what.slowed_by);
  expect_right(subject.first_run().verified != false);
  if (what.is_idle) std::this_thread::sleep_for(until_idle);
  tell(socket, {});
  while (hear(socket)) {
    tell(socket, {.seconds_per_run = right_runs(subject, what.sample).mean_seconds});
    while (!has_heard(socket)) right_runs(subject, {});
  }
}

class forked_pool final : public neighbours {
 public:
  explicit forked_pool(const second_pool& what) : is_idle_(what.is_idle) {
    std::array<int, 2> ends{};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) throw_error(errno);
    socket_ = ends[0];
    if (fork_one()) {
      close(socket_);
      live(what, ends[1]);
    }
    close(ends[1]);  // So that the other side's end is heard.
  }
  ~forked_pool() override { close(socket_); }

  void start() override {
    tell(socket_, {});
    static_cast<void>(answer());
    pause();
  }

 private:
  [[noreturn]] static void live(const second_pool& what, int socket) {
    try {
      run_pool(what, socket);
      _exit(0);
    } catch (const std::exception& error) {
      message last;
      const std::string_view reason = error.what();
      reason.copy(last.failure.data(), last.failure.size() - 1);
      tell(socket, last);
      _exit(1);
    }
  }

  void begin() override {
    if (!is_idle_) tell(socket_, {});
  }

  // It measures until it has runs enough of its own, for which this side goes on.
  std::optional<double> share(double seconds_alone, const std::function<void()>& run) override {
    if (is_idle_) return {};
    while (!has_heard(socket_)) run();
    return seconds_alone / answer();
  }

  double answer() {
    const std::optional<message> heard = hear(socket_);
    if (!heard) {
      pause();  // It has ended, and this says how.
      throw_failure("it has closed its end");
    }
    if (heard->failure.front() != 0) throw_failure(heard->failure.data());
    return heard->seconds_per_run;
  }

  int socket_ = -1;
  bool is_idle_;
};

}  // namespace

std::unique_ptr<neighbours> fork_pool(const second_pool& what) {
  return std::make_unique<forked_pool>(what);
}

}  // namespace stealbench::cell
