#include "bench/compare/progress.hpp"

#include <iostream>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace stealbench::compare {
namespace {

constexpr const char* erase_line = "\r\x1b[K";

/// Columns of the terminal; 80 where it does not say.
std::size_t terminal_width() {
  winsize size{};
  const bool is_known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : 80;
}

}  // namespace

progress::progress(std::size_t total) : is_terminal_(isatty(STDERR_FILENO) == 1), total_(total) {}

void progress::begin_stage(const std::string& stage) {
  stage_ = stage;
  if (!is_terminal_) std::cerr << fmt::format("[{}/{}] {}\n", done_, total_, stage_);
}

void progress::begin(const std::string& cell) {
  if (!is_terminal_) return;
  std::string line = fmt::format("[{}/{}] {}  {}", done_, total_, stage_, cell);
  // A line that wraps could not be erased. All of it is ASCII.
  const std::size_t width = terminal_width();
  if (line.size() >= width) line.resize(width - 1);
  std::cerr << erase_line << line << std::flush;
}

void progress::finish(std::size_t count) { done_ += count; }

void progress::note(const std::string& line) {
  clear();
  std::cerr << line << '\n';
}

void progress::clear() {
  if (is_terminal_) std::cerr << erase_line << std::flush;
}

}  // namespace stealbench::compare
