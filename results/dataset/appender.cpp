#include "results/dataset/appender.hpp"

#include <algorithm>
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

/// Why the experiment must not replace what the folder holds; empty if it may.
std::string why_kept(const fs::path& file, const std::string& experiment) {
  std::error_code error;
  const std::string name = file.filename().string();
  if (fs::exists(file, error)) {
    try {
      const measurements found = read_file(file).data;
      if (found.experiment() != experiment) {
        return fmt::format("its {} is of the experiment {}", name, found.experiment());
      }
      return found.is_finished() ? "" : "it holds an unfinished " + experiment;
    } catch (const bad_input& problem) {
      return fmt::format("its {} is not a raw file that can be read ({})", name, problem.what());
    }
  }
  if (const fs::path compressed = file.string() + compressed_ending;
      fs::exists(compressed, error)) {
    return fmt::format("it holds {}", compressed.filename().string());
  }
  // Without a raw file these are no report of it.
  for (const char* const ending : {".md", ".csv"}) {
    const std::string derived = experiment + ending;
    if (fs::exists(file.parent_path() / derived, error)) {
      return fmt::format("it holds a {} without the {} that it would be made from", derived, name);
    }
  }
  const auto is_raw = [](const auto& each) { return each.path().extension() == ".jsonl"; };
  const fs::path page = file.parent_path() / "report.html";
  const bool has_raw = std::ranges::any_of(fs::directory_iterator(file.parent_path()), is_raw);
  if (!has_raw && fs::exists(page, error)) return "it holds a report.html without any raw file";
  return {};
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
  if (what == earlier::resume) resume();
  const std::string why = what == earlier::keep ? why_kept(file(), experiment_) : "";
  if (!why.empty()) {
    refuse(folder, why,
           why.find("unfinished") == std::string::npos
               ? "--overwrite to replace it, or another --output"
               : "--resume to go on with it, --overwrite to replace it, or another --output");
  }
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
  whole_bytes_ = static_cast<off_t>(begun.whole_bytes);
  is_resumed_ = true;
}

fs::path appender::file() const { return folder_ / file_name_of(experiment_); }

// They show other measurements, or are of others, than the raw file is about to hold.
void appender::remove_derived() const {
  std::error_code ignored;
  for (const char* const ending : {".md", ".csv"}) {
    fs::remove(folder_ / (experiment_ + ending), ignored);
  }
  fs::remove(folder_ / "report.html", ignored);
  fs::remove(file().string() + compressed_ending, ignored);
}

// A new file replaces an older one as a whole; one that is resumed loses its torn line.
void appender::open_file() {
  if (!is_resumed_) system::write_atomically(file(), std::exchange(pending_, {}));
  file_ = system::file_descriptor(open(file().c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
  const bool is_open = file_.is_open();
  if (!is_open || (is_resumed_ && ftruncate(file_.number(), whole_bytes_) != 0)) {
    throw std::system_error(errno, std::generic_category(), "cannot write " + file().string());
  }
  remove_derived();
}

void appender::add(const json& line) {
  data_.apply(line);
  // What a process wrote need not be UTF-8, and must not end the experiment.
  pending_ += line.dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
  const std::string type = line.at("type");
  const bool says_nothing_measured = type == "experiment" || type == "context" || type == "resumed";
  if (!file_.is_open() && says_nothing_measured) return;
  if (!file_.is_open()) open_file();
  system::append(file_, std::exchange(pending_, {}), file());
}

}  // namespace stealbench::dataset
