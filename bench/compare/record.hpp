// The output folder: raw measurements, safe on disk after every cell, and the tables.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "results/system/file_descriptor.hpp"

namespace stealbench::compare {

/// What becomes of an unfinished comparison that lies in the output folder.
enum class earlier : std::uint8_t { keep, resume, replace };

/// Of the raw files that this suite writes. Files of another version are refused, never guessed at.
inline constexpr int format_version = 2;

/// One comparison, or another kind of measurement, in the form of a Google Benchmark JSON file, so
/// that its own tools read it: an entry for each cell and round, as the cell's process wrote it.
class record {
 public:
  /// Makes the folder, takes it for this process alone and tries to write in it; an older
  /// comparison there is left alone until the first `save`. Throws workloads::bad_input if the
  /// folder cannot be made or written, if another process has taken it, if it holds an unfinished
  /// comparison that is to be kept, and if it holds none that could be resumed.
  /// The files are called as the kind of the measurement.
  explicit record(const std::filesystem::path& folder, earlier what = earlier::keep,
                  std::string kind = "comparison");

  /// The document of the comparison that is resumed; null if none is.
  [[nodiscard]] const nlohmann::ordered_json& begun() const { return begun_; }
  /// Goes on with the document that was begun: its entries, and what its context says beyond what
  /// has been described since. Throws nlohmann::json::exception if that is no such document.
  void take_over();

  /// The context of the first call counts: it is the same machine and the same build every time.
  /// Where a resume shows another, throws workloads::bad_input.
  void set_context(const nlohmann::ordered_json& of_benchmark);
  /// What the comparison as a whole adds to the context.
  void describe(const std::string& key, nlohmann::ordered_json value);
  void add(nlohmann::ordered_json entry);

  /// The whole document.
  [[nodiscard]] nlohmann::ordered_json document() const;

  /// Writes the measurements so far, atomically, and removes what was derived from older ones.
  void save();
  void save_tables(std::string_view markdown) const;

  [[nodiscard]] std::filesystem::path json_file() const { return folder_ / (kind_ + ".json"); }
  [[nodiscard]] std::filesystem::path markdown_file() const { return folder_ / (kind_ + ".md"); }
  /// For what a cell's process writes.
  [[nodiscard]] std::filesystem::path scratch_file() const { return folder_ / ".cell.json"; }
  /// Whether anything that was measured is in the file.
  [[nodiscard]] bool is_saved() const { return is_saved_; }

 private:
  void remove_derived() const;

  std::string kind_;
  std::filesystem::path folder_;
  system::file_descriptor lock_;
  nlohmann::ordered_json begun_;
  nlohmann::ordered_json of_benchmark_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json of_comparison_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json entries_ = nlohmann::ordered_json::array();
  bool is_saved_ = false;
};

}  // namespace stealbench::compare
