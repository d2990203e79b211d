#include "bench/system/whole_file.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "schedulers/input.hpp"

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

[[noreturn]] void refuse_file(const fs::path& file, std::string_view why) {
  throw schedulers::bad_input(fmt::format(
      "output file '{}': {}; valid: a file in a folder that can be written", file.string(), why));
}

/// 0, or the error; then it leaves no file.
int write_new(const fs::path& file, std::string_view text) {
  // Not blocking: what is left there under this name may be a pipe that no program reads.
  const int descriptor =
      open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor < 0) return errno;
  int reason = write_all(descriptor, text);
  if (close(descriptor) != 0 && reason == 0) reason = errno;
  if (reason != 0) unlink(file.c_str());
  return reason;
}

/// The file that is written where a user names this one.
fs::path file_to_replace(const fs::path& name) {
  fs::path file = name;
  std::error_code error;
  constexpr int most_links = 40;  // As the kernel.
  for (int links = 0; links < most_links; ++links) {
    if (file.filename().empty()) refuse_file(name, "no name");
    const fs::file_status status = fs::symlink_status(file, error);
    if (fs::is_directory(status)) refuse_file(name, "a folder");
    if (fs::is_regular_file(status) || !fs::exists(status)) return file;
    const fs::path folder = fs::canonical(fs::absolute(file).parent_path(), error);
    // A link in /proc is a file that this program has open, such as /dev/stdout: who opened it
    // would not see what replaces it.
    if (!fs::is_symlink(status) || folder.string().starts_with("/proc/")) {
      refuse_file(name, "not a regular file");
    }
    const fs::path target = fs::read_symlink(file, error);
    if (error) refuse_file(name, error.message());
    file = file.parent_path() / target;
  }
  refuse_file(name, std::generic_category().message(ELOOP));
}

}  // namespace

void write_atomically(const fs::path& name, std::string_view text) {
  const fs::path file = file_to_replace(name);
  const fs::path temporary = temporary_beside(file);
  int reason = write_new(temporary, text);
  if (reason == 0 && rename(temporary.c_str(), file.c_str()) != 0) {
    reason = errno;
    unlink(temporary.c_str());
  }
  if (reason != 0) fail(reason, file);
  // Lest a power failure undo the rename. Where that cannot be done the file is whole all the same.
  const int folder = open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  static_cast<void>(fsync(folder));
  close(folder);
}

}  // namespace stealbench::system
