#include "results/dataset/appender.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "schedulers/input.hpp"

namespace stealbench::dataset {
namespace {

namespace fs = std::filesystem;
using schedulers::bad_input;

[[noreturn]] void refuse(const fs::path& folder, std::string_view why,
                         std::string_view valid = "a folder that can be created and written") {
  throw bad_input(fmt::format("output folder '{}': {}; valid: {}", folder.string(), why, valid));
}

constexpr const char* page = "report.html";

/// Of that experiment alone.
std::array<std::string, 2> reports_of(const std::string& experiment) {
  return {experiment + ".md", experiment + ".csv"};
}

/// Without the lock a second process could resume what the first is still at. A file system that
/// has no locks is taken as it is.
system::file_descriptor lock(const fs::path& folder) {
  system::file_descriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened.is_open()) refuse(folder, std::generic_category().message(errno));
  if (flock(opened.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    refuse(folder, "another stealbench is writing there", "wait for it, or another --output");
  }
  return opened;
}

/// Throws unless the experiment may replace what the folder holds: nothing, or a finished one of
/// its name.
void expect_replaceable(const fs::path& file, const std::string& experiment) {
  const std::string name = file.filename().string();
  const auto keep = [&](const std::string& why, const char* instead = "") {
    refuse(file.parent_path(), why,
           fmt::format("{}--overwrite to replace it, or another --output", instead));
  };
  std::error_code error;
  if (fs::exists(file, error)) {
    measurements found;
    try {
      found = read_file(file).data;
    } catch (const bad_input& problem) {
      keep(fmt::format("its {} is not a raw file that can be read ({})", name, problem.what()));
    }
    if (found.experiment() != experiment) {
      keep(fmt::format("its {} is of the experiment {}", name, found.experiment()));
    }
    if (found.is_finished()) return;
    keep("it holds an unfinished " + experiment, "--resume to go on with it, ");
  }
  if (const std::string packed = name + compressed_ending;
      fs::exists(file.parent_path() / packed, error)) {
    keep("it holds " + packed);
  }
  // Without a raw file these are no report of it.
  for (const std::string& derived : reports_of(experiment)) {
    if (!fs::exists(file.parent_path() / derived, error)) continue;
    keep(fmt::format("it holds a {} without the {} that it would be made from", derived, name));
  }
  const bool has_raw =
      std::ranges::any_of(fs::directory_iterator(file.parent_path()), is_named_as_raw);
  if (!has_raw && fs::exists(file.parent_path() / page, error)) {
    keep(fmt::format("it holds a {} without any raw file", page));
  }
}

}  // namespace

appender::appender(const fs::path& folder, std::string experiment, earlier what)
    : experiment_(std::move(experiment)) {
  if (folder.empty()) refuse(folder, "it has no name");
  std::error_code error;
  folder_ = fs::absolute(folder, error);
  if (what == earlier::resume && !fs::exists(file(), error)) {
    throw bad_input(fmt::format(
        "--resume: there is no {} in '{}'; valid: the --output folder of an interrupted "
        "experiment, or no --resume",
        file_name_of(experiment_), folder.string()));
  }
  fs::create_directories(folder_, error);
  if (error) refuse(folder, error.message());
  lock_ = lock(folder_);
  if (fs::is_directory(file(), error)) refuse(folder, file_name_of(experiment_) + " is a folder");
  if (const std::error_code reason = system::try_to_write(file()); reason) {
    refuse(folder, reason.message());
  }
  if (what == earlier::keep) expect_replaceable(file(), experiment_);
  if (what == earlier::resume) resume();
}

void appender::resume() {
  raw_file begun = read_file(file());
  if (begun.data.is_finished() || begun.data.experiment() != experiment_) {
    throw bad_input(fmt::format(
        "--resume: the experiment {} in '{}' is finished; valid: the --output folder of an "
        "interrupted one, or no --resume",
        experiment_, folder_.string()));
  }
  data_ = std::move(begun.data);
  resumed_bytes_ = static_cast<off_t>(begun.whole_bytes);
}

fs::path appender::file() const { return folder_ / file_name_of(experiment_); }

// A new file replaces an older one as a whole; one that is resumed loses its torn line. What was
// derived shows other measurements than the raw file is about to hold.
void appender::open_file() {
  if (!resumed_bytes_) system::write_atomically(file(), std::exchange(pending_, {}));
  file_ = system::file_descriptor(open(file().c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  const bool is_open = file_.is_open();
  if (!is_open || (resumed_bytes_ && ftruncate(file_.number(), *resumed_bytes_) != 0)) {
    throw std::system_error(errno, std::generic_category(), "cannot write " + file().string());
  }
  std::error_code ignored;
  for (const std::string& derived : reports_of(experiment_)) fs::remove(folder_ / derived, ignored);
  fs::remove(folder_ / page, ignored);
  fs::remove(file().string() + compressed_ending, ignored);
}

void appender::add_all(std::span<const json> lines) {
  bool is_measured = file_.is_open();
  for (const json& line : lines) {
    data_.apply(line);
    // What a process wrote need not be UTF-8, and must not end the experiment.
    pending_ += line.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
    const std::string type = line.at("type");
    is_measured |= type != "experiment" && type != "context" && type != "resumed";
  }
  if (!is_measured) return;
  if (!file_.is_open()) open_file();
  system::append(file_, std::exchange(pending_, {}), file());
}

}  // namespace stealbench::dataset
