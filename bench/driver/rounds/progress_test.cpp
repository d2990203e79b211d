#include "bench/driver/rounds/progress.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace stealbench::rounds {
namespace {

TEST(TimeLeft, IsInMinutesAndFromOneHourOnInHours) {
  const auto text_at = [](double seconds) { return text_of({.done = 0, .seconds_left = seconds}); };
  EXPECT_EQ(text_at(0), "0:00 left");
  EXPECT_EQ(text_at(59.4), "0:59 left");
  EXPECT_EQ(text_at(59.6), "1:00 left") << "rounded";
  EXPECT_EQ(text_at(65), "1:05 left");
  EXPECT_EQ(text_at(3599), "59:59 left");
  EXPECT_EQ(text_at(3600), "1:00:00 left");
  EXPECT_EQ(text_at(7384), "2:03:04 left");
  EXPECT_EQ(text_of({.done = 0.5, .seconds_left = {}}), "") << "it is not known";
}

TEST(Progress, IsALineForEachStageWhereThereIsNoTerminal) {
  testing::internal::CaptureStderr();
  progress shown;
  shown.begin_stage("round 1", {.done = 0, .seconds_left = {}});
  shown.begin("fib/serial", {.done = 0.1, .seconds_left = 9});
  shown.begin_stage("round 2", {.done = 0.256, .seconds_left = 65});
  shown.note("a \x1b[31mnote");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "round 1, 0 % done\nround 2, 26 % done, 1:05 left\na  [31mnote\n");
}

/// The standard error output is a terminal of that many columns until the end of the scope.
class terminal {
 public:
  explicit terminal(unsigned short columns) : stderr_(dup(STDERR_FILENO)) {
    setenv("TERM", "xterm", 1);
    winsize size{};
    size.ws_col = columns;
    int end = -1;
    if (openpty(&watched_, &end, nullptr, nullptr, &size) != 0) {
      throw std::runtime_error("no terminal can be had");
    }
    dup2(end, STDERR_FILENO);
    close(end);
  }
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;
  ~terminal() {
    dup2(stderr_, STDERR_FILENO);
    close(stderr_);
    close(watched_);
  }

  /// What was written since the last call; waits until something was.
  [[nodiscard]] std::string read_shown() const {
    std::array<char, 4096> text{};
    const auto size = read(watched_, text.data(), text.size());
    return {text.data(), static_cast<std::size_t>(std::max(size, decltype(size){0}))};
  }

 private:
  int stderr_;
  int watched_ = -1;
};

TEST(Progress, IsOneLineThatIsOverwrittenOnATerminal) {
  const terminal wide(200);
  progress shown;
  shown.begin_stage("round 2", {.done = 0.25, .seconds_left = 65});
  shown.begin("fib/serial", {.done = 0.28, .seconds_left = 65});
  EXPECT_EQ(wide.read_shown(),
            "\r\x1b[Kround 2  [======..............]  28 %  1:05 left  fib/serial");
  shown.begin("fib/serial", {.done = 1, .seconds_left = 0});
  EXPECT_EQ(wide.read_shown(),
            "\r\x1b[Kround 2  [====================] 100 %  0:00 left  fib/serial");
  shown.note("a note");
  std::string noted = wide.read_shown();
  while (!noted.ends_with('\n')) noted += wide.read_shown();
  EXPECT_EQ(noted, "\r\x1b[Ka note\r\n") << "the line is erased first";
}

TEST(Progress, DoesNotFillTheLastColumnOfATerminal) {
  const terminal narrow(30);
  progress shown;
  shown.begin_stage("round 2", {});
  shown.begin("fib/serial", {.done = 0.5, .seconds_left = 65});
  EXPECT_EQ(narrow.read_shown(), "\r\x1b[Kround 2  [==========.........");
}

}  // namespace
}  // namespace stealbench::rounds
