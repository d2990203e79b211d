#include "bench/driver/rounds/progress.hpp"

#include <cmath>
#include <iostream>
#include <utility>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "results/report/format.hpp"
#include "results/system/inherited.hpp"

namespace stealbench::rounds {
namespace {

constexpr const char* erase_line = "\r\x1b[K";

/// Columns of the terminal; 80 where it does not say.
std::size_t terminal_width() {
  winsize size{};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 80;
}

}  // namespace

std::string text_of(const outlook& ahead) {
  if (!ahead.seconds_left) return {};
  const std::chrono::seconds left(std::lround(*ahead.seconds_left));
  return left >= std::chrono::hours(1)
             ? fmt::format("{}:{:%M:%S} left", left / std::chrono::hours(1), left)
             : fmt::format("{}:{:%S} left", left / std::chrono::minutes(1), left);
}

progress::progress(std::string stage)
    : is_terminal_(system::takes_escapes(STDERR_FILENO)), stage_(std::move(stage)) {}

void progress::begin_stage(const std::string& stage, const outlook& ahead) {
  stage_ = stage;
  if (is_terminal_) return;
  const std::string left = text_of(ahead);
  std::cerr << fmt::format("{}, {:.0f} % done{}{}\n", stage_, 100 * ahead.done,
                           left.empty() ? "" : ", ", left);
}

void progress::begin(const std::string& cell, const outlook& ahead) {
  if (!is_terminal_) return;
  constexpr std::size_t bar_width = 20;
  const auto filled = static_cast<std::size_t>(std::lround(ahead.done * bar_width));
  std::string line = fmt::format("{}  [{:=<{}}{:.<{}}] {:3.0f} %  {}  {}", stage_, "", filled, "",
                                 bar_width - filled, 100 * ahead.done, text_of(ahead), cell);
  // A line that wraps could not be erased. All of it is ASCII.
  const std::size_t width = terminal_width();
  if (line.size() >= width) line.resize(width - 1);
  std::cerr << erase_line + line << std::flush;  // In one piece: cerr writes each at once.
}

void progress::note(const std::string& line) const {
  end();
  std::cerr << report::on_one_line(line) << '\n';  // A process may say anything.
}

void progress::end() const {
  if (is_terminal_) std::cerr << erase_line << std::flush;
}

}  // namespace stealbench::rounds
