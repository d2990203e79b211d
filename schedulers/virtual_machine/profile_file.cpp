// Profiles in files, and those that take a part from another one.
#include <algorithm>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "schedulers/input.hpp"
#include "schedulers/virtual_machine/profile.hpp"

namespace stealbench::virtual_machine {
namespace {

using nlohmann::ordered_json;

ordered_json parse(const std::filesystem::path& file) {
  constexpr std::uintmax_t most_bytes = std::uintmax_t{1} << 20;
  std::error_code error;
  // To read a pipe or a device may take for ever.
  const bool is_file = std::filesystem::is_regular_file(file, error);
  const std::uintmax_t size = is_file ? std::filesystem::file_size(file, error) : 0;
  std::ifstream stream;
  if (is_file && !error) stream.open(file, std::ios::binary);
  if (!is_file || error || size > most_bytes || !stream.is_open()) {
    throw std::invalid_argument(fmt::format("cannot read the profile {}: {}", file.string(),
                                            size > most_bytes ? "it is larger than 1 MiB"
                                            : is_file         ? "this user may not read it"
                                                              : "it is no regular file"));
  }
  return parse_profile({std::istreambuf_iterator<char>(stream), {}});
}

/// The file that `based_on` names: beside the other one, whatever the name is made of.
std::filesystem::path base_of(const ordered_json& name, const std::filesystem::path& file) {
  const auto is_part_of_name = [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; };
  const std::string text = name.is_string() ? name.get<std::string>() : "";
  if (text.empty() || !std::ranges::all_of(text, is_part_of_name)) {
    throw std::invalid_argument("'based_on' must be the name of a profile in the same folder");
  }
  return file.parent_path() / (text + ".json");
}

/// Adds what is missing in the profile and is in its base.
void complete(ordered_json& read, const ordered_json& base) {
  if (!base.is_object())
    throw std::invalid_argument("the one that it is based on is not an object");
  if (base.contains("based_on")) {
    throw std::invalid_argument("the one that it is based on is itself based on another one");
  }
  for (const char* const key : {"costs", "schedulers", "work"}) {
    if (!read.contains(key) && base.contains(key)) read[key] = base[key];
  }
  const auto costs = base.find("costs");
  if (costs == base.end() || !costs->is_object() || !read["costs"].is_object()) return;
  for (const auto& [key, value] : costs->items()) {
    if (!read["costs"].contains(key)) read["costs"][key] = value;
  }
}

}  // namespace

ordered_json parse_profile(const std::string& text) {
  constexpr int most_depth = 16;
  if (schedulers::is_nested_deeper(text, most_depth)) {
    throw std::invalid_argument("nested too deeply");
  }
  ordered_json read = ordered_json::parse(text, nullptr, false);
  if (read.is_discarded()) throw std::invalid_argument("not JSON");
  return read;
}

profile read_profile(const std::filesystem::path& file) {
  try {
    ordered_json read = parse(file);
    if (read.is_object() && read.contains("based_on")) {
      complete(read, parse(base_of(read["based_on"], file)));
    }
    return profile_of(read);
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format(
        "{} is not a profile: {}; valid: a file that `stealbench calibrate` has written",
        file.string(), error.what()));
  }
}

}  // namespace stealbench::virtual_machine
