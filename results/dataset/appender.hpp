// The raw file of an experiment while it is measured: every line is on disk before the next process
// starts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include <sys/types.h>

#include "results/dataset/measurements.hpp"
#include "results/system/whole_file.hpp"

namespace stealbench::dataset {

/// What becomes of the file of this name in the output folder, unless it is of a finished
/// experiment.
enum class earlier : std::uint8_t { keep, resume, replace };

/// Not for two threads at once. Between processes it holds a lock on the folder, which ends with
/// this process however it ends.
class appender {
 public:
  /// Makes the folder, locks it and tries to write in it. An older file is left alone until the
  /// first process is added. Throws schedulers::bad_input if the folder cannot be made or written,
  /// if another process writes there, if it holds what is to be kept (anything but a finished
  /// experiment of this name), and if it holds none that could be resumed.
  appender(const std::filesystem::path& folder, std::string experiment, earlier what);

  /// What the file says, and what has been added since.
  [[nodiscard]] const measurements& data() const { return data_; }

  /// Applies the line to the data and appends it to the file. Lines that say nothing measured wait
  /// for the first one that does, and reach the disk with it: a crash loses at most the line that
  /// is being written. Throws as measurements::apply, and std::system_error if the file cannot be
  /// written; what was added before stays.
  void add(const json& line) { add_all({&line, 1}); }
  /// The same of several lines. If nothing was saved before, all of them are in the file or none.
  void add_all(std::span<const json> lines);

  /// Whether anything that was measured is in the file, and the file is still in its place.
  [[nodiscard]] bool is_saved() const { return file_.is_open() && is_at(file_, file()); }
  [[nodiscard]] std::filesystem::path file() const;

 private:
  void resume();
  void open_file();

  std::string experiment_;
  std::filesystem::path folder_;
  system::file_descriptor lock_;
  system::file_descriptor file_;
  std::optional<off_t> resumed_bytes_;  // Of a file that is resumed, without its torn line.
  std::string pending_;
  measurements data_;
};

}  // namespace stealbench::dataset
