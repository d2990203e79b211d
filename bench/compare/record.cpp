#include "bench/compare/record.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "workloads/parameters.hpp"

namespace stealbench::compare {
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

/// Next to `file`, because a rename does not cross file systems; of this process alone.
fs::path temporary_beside(const fs::path& file) {
  return file.parent_path() / fmt::format(".{}.{}", file.filename().string(), getpid());
}

/// Throws std::system_error, and then leaves no file.
void write_new(const fs::path& file, std::string_view text) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail(errno, file);
  int reason = write_all(descriptor, text);
  if (close(descriptor) != 0 && reason == 0) reason = errno;
  if (reason == 0) return;
  unlink(file.c_str());
  fail(reason, file);
}

}  // namespace

void write_atomically(const fs::path& file, std::string_view text) {
  const fs::path temporary = temporary_beside(file);
  write_new(temporary, text);
  if (rename(temporary.c_str(), file.c_str()) == 0) return;
  const int reason = errno;
  unlink(temporary.c_str());
  fail(reason, file);
}

record::record(const fs::path& folder) {
  const auto refuse = [&](const std::string& why) {
    throw workloads::bad_input(
        fmt::format("output folder '{}': {}; valid: a folder that can be made and written",
                    folder.string(), why));
  };
  if (folder.empty()) refuse("no name");
  std::error_code error;
  folder_ = fs::absolute(folder, error);
  fs::create_directories(folder_, error);
  if (error) refuse(error.message());
  if (fs::is_directory(json_file(), error)) refuse("comparison.json is a folder there");
  const fs::path attempt = temporary_beside(json_file());
  try {
    write_new(attempt, "{}\n");
  } catch (const std::system_error& failure) {
    refuse(failure.code().message());
  }
  unlink(attempt.c_str());
}

void record::set_context(const nlohmann::ordered_json& of_benchmark) {
  if (of_benchmark_.empty() && of_benchmark.is_object()) of_benchmark_ = of_benchmark;
}

void record::describe(const std::string& key, nlohmann::ordered_json value) {
  of_comparison_[key] = std::move(value);
}

void record::add(nlohmann::ordered_json entry) { entries_.push_back(std::move(entry)); }

nlohmann::ordered_json record::document() const {
  nlohmann::ordered_json context = of_benchmark_;
  context.update(of_comparison_);
  return {{"context", std::move(context)}, {"benchmarks", entries_}};
}

void record::save() {
  // What a cell's process wrote need not be UTF-8, and must not end the comparison.
  const std::string text =
      document().dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  write_atomically(json_file(), text + '\n');
  if (is_saved_) return;
  is_saved_ = true;
  std::error_code ignored;
  fs::remove(markdown_file(), ignored);
}

void record::save_tables(std::string_view markdown) const {
  write_atomically(markdown_file(), markdown);
}

fs::path record::scratch_file() const { return folder_ / fmt::format(".cell.{}.json", getpid()); }

}  // namespace stealbench::compare
