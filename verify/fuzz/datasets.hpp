// Datasets from the text of an input.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "results/dataset/measurements.hpp"
#include "results/sections/sections.hpp"
#include "verify/fuzz/input.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::fuzz {

/// Throws kit::bad_input.
[[nodiscard]] inline dataset::measurements read(const std::string& text) {
  std::istringstream stream(text);
  return dataset::read_lines(stream).data;
}

/// Two raw files, an empty line between them. Throws kit::bad_input.
[[nodiscard]] inline std::pair<dataset::measurements, dataset::measurements> read_two(
    const std::string& text) {
  const std::size_t end = text.find("\n\n");
  if (end == std::string::npos) throw kit::bad_input("one file alone");
  return {read(text.substr(0, end + 1)), read(text.substr(end + 2))};
}

/// No text may end with a control character in it, whatever the names are.
inline void expect_clean(const std::string& text) {
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if ((byte < 0x20U && each != '\n' && each != '\r') || byte == 0x7FU) {
      throw std::logic_error("a control character in what is printed");
    }
  }
}

}  // namespace stealbench::fuzz
