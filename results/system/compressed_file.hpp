// Files to read that gzip may have compressed: the raw files of committed runs are.
#pragma once

#include <array>
#include <filesystem>
#include <istream>
#include <memory>
#include <streambuf>

struct gzFile_s;  // NOLINT(readability-identifier-naming): zlib's.

namespace stealbench::system {

/// A file for reading from its beginning: decompressed if its first bytes say that gzip has
/// compressed it, else as it is. A compressed file that is damaged or cut off is bad() at the end
/// of what could be read.
class compressed_file final : private std::streambuf, public std::istream {
 public:
  explicit compressed_file(const std::filesystem::path& name);
  [[nodiscard]] bool is_open() const { return file_ != nullptr; }

 private:
  std::streambuf::int_type underflow() override;

  std::unique_ptr<gzFile_s, void (*)(gzFile_s*)> file_;
  std::array<char, 1U << 16U> bytes_;
};

}  // namespace stealbench::system
