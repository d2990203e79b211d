#include "results/system/compressed_file.hpp"

#include <ios>

#include <zlib.h>

namespace stealbench::system {

compressed_file::compressed_file(const std::filesystem::path& name)
    : std::istream(static_cast<std::streambuf*>(this)),
      file_(gzopen(name.c_str(), "rbe"), [](gzFile_s* file) { gzclose(file); }) {
  if (!is_open()) setstate(std::ios_base::failbit);
}

std::streambuf::int_type compressed_file::underflow() {
  const int read = gzread(file_.get(), bytes_.data(), static_cast<unsigned>(bytes_.size()));
  if (read > 0) {
    setg(bytes_.data(), bytes_.data(), bytes_.data() + read);
    return std::streambuf::traits_type::to_int_type(bytes_.front());
  }
  // The stream catches it, and is bad.
  if (int error = Z_OK; gzerror(file_.get(), &error) != nullptr && error != Z_OK) {
    throw std::ios_base::failure("cannot be decompressed");
  }
  return std::streambuf::traits_type::eof();
}

}  // namespace stealbench::system
