// Files that are written as a whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace stealbench::system {

/// An open file of the operating system, closed at the end of its scope.
class file_descriptor {
 public:
  explicit file_descriptor(int number = -1) : number_(number) {}
  file_descriptor(const file_descriptor&) = delete;
  file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file_descriptor& operator=(const file_descriptor&) = delete;
  file_descriptor& operator=(file_descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~file_descriptor() { close(); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_;
};

/// The file that is written where a user names this one: where its symbolic links lead. Throws
/// schedulers::bad_input if that is no regular file, which a rename would replace: a folder, a
/// pipe, a device, or one that this program has open, such as /dev/stdout.
[[nodiscard]] std::filesystem::path file_to_replace(const std::filesystem::path& name);

/// Replaces a file as a whole: a reader, or a crash, sees the old text or the new one. Throws
/// as file_to_replace, and std::system_error, and then leaves the old file alone.
void write_atomically(const std::filesystem::path& name, std::string_view text);

/// Whether the open file is the one of that name still.
[[nodiscard]] bool is_at(const file_descriptor& open, const std::filesystem::path& name);

/// Appends to an open file of that name and brings it to the disk. Throws std::system_error; a part
/// of the text may then be there. Also if the file no longer has the name, so that what is written
/// would be lost.
void append(const file_descriptor& to, std::string_view text, const std::filesystem::path& name);

/// Tries in its folder whether the file could be written so; an older one is left alone. Throws
/// schedulers::bad_input if not, and as file_to_replace.
void expect_writable(const std::filesystem::path& file);

/// The same attempt; the reason if it fails. Throws as file_to_replace.
[[nodiscard]] std::error_code try_to_write(const std::filesystem::path& file);

}  // namespace stealbench::system
