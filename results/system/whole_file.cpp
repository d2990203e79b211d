#include "results/system/whole_file.hpp"

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <fmt/format.h>

#include "workloads/kit/parameters.hpp"

namespace stealbench::system {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(int reason, const fs::path& file) {
  throw std::system_error(reason, std::generic_category(), "cannot write " + file.string());
}

/// Writes all of it and brings it to the disk; 0, or the error.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return fsync(descriptor) == 0 ? 0 : errno;
}

/// Next to `file`, because a rename does not cross file systems. Always the same, so that what a
/// killed process has left there is written over and does not pile up.
fs::path temporary_beside(const fs::path& file) {
  return file.parent_path() / fmt::format(".{}.new", file.filename().string());
}

/// 0, or the error; then it leaves no file.
int write_new(const fs::path& file, std::string_view text) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) return errno;
  int reason = write_all(descriptor, text);
  if (close(descriptor) != 0 && reason == 0) reason = errno;
  if (reason != 0) unlink(file.c_str());
  return reason;
}

}  // namespace

void write_atomically(const fs::path& file, std::string_view text) {
  const fs::path temporary = temporary_beside(file);
  int reason = write_new(temporary, text);
  if (reason == 0 && rename(temporary.c_str(), file.c_str()) != 0) {
    reason = errno;
    unlink(temporary.c_str());
  }
  if (reason != 0) fail(reason, file);
  // Lest a power failure undo the rename. Where that cannot be done the file is whole all the same.
  const file_descriptor folder(
      open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.is_open()) static_cast<void>(fsync(folder.number()));
}

void append(const file_descriptor& to, std::string_view text, const fs::path& name) {
  if (const int reason = write_all(to.number(), text); reason != 0) fail(reason, name);
}

void expect_writable(const fs::path& file) {
  const auto refuse_file = [&](std::string_view why) {
    throw kit::bad_input(fmt::format(
        "output file '{}': {}; valid: a file in a folder that can be written", file.string(), why));
  };
  std::error_code error;
  if (file.filename().empty()) refuse_file("no name");
  if (fs::is_directory(file, error)) refuse_file("a folder");
  if (const std::error_code reason = try_to_write(file); reason) refuse_file(reason.message());
}

std::error_code try_to_write(const fs::path& file) {
  const fs::path attempt = temporary_beside(file);
  // Not nothing: a full disk takes that.
  const int reason = write_new(attempt, "{}\n");
  if (reason == 0) unlink(attempt.c_str());
  return {reason, std::generic_category()};
}

}  // namespace stealbench::system
