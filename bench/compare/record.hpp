// The output folder: raw measurements, safe on disk after every cell, and the tables.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace stealbench::compare {

/// Replaces a file as a whole: a reader, or a crash, sees the old text or the new one. Throws
/// std::system_error, and then leaves the old file alone.
void write_atomically(const std::filesystem::path& file, std::string_view text);

/// One comparison in the form of a Google Benchmark JSON file, so that its own tools read it: an
/// entry for each cell and round, as the cell's process wrote it.
class record {
 public:
  /// Makes the folder and tries to write in it; an older comparison there is left alone until the
  /// first `save`. Throws workloads::bad_input if the folder cannot be made or written.
  explicit record(const std::filesystem::path& folder);

  /// The context of the first call counts: it is the same machine and the same build every time.
  void set_context(const nlohmann::ordered_json& of_benchmark);
  /// What the comparison as a whole adds to the context.
  void describe(const std::string& key, nlohmann::ordered_json value);
  void add(nlohmann::ordered_json entry);

  /// The whole document.
  [[nodiscard]] nlohmann::ordered_json document() const;

  /// Writes the measurements so far, atomically, and removes the tables of an older comparison.
  void save();
  void save_tables(std::string_view markdown) const;

  [[nodiscard]] std::filesystem::path json_file() const { return folder_ / "comparison.json"; }
  [[nodiscard]] std::filesystem::path markdown_file() const { return folder_ / "comparison.md"; }
  /// For what a cell's process writes: in the folder, and of this process alone.
  [[nodiscard]] std::filesystem::path scratch_file() const;
  /// Whether `save` has ever been called.
  [[nodiscard]] bool is_saved() const { return is_saved_; }

 private:
  std::filesystem::path folder_;
  nlohmann::ordered_json of_benchmark_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json of_comparison_ = nlohmann::ordered_json::object();
  nlohmann::ordered_json entries_ = nlohmann::ordered_json::array();
  bool is_saved_ = false;
};

}  // namespace stealbench::compare
