// All that one experiment has measured: what its raw file says, line by line.
//
// A raw file is JSON Lines. The first line describes the experiment and its cells; every process
// that has finished adds one. Lines are only ever appended. schema.json defines them all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "results/dataset/cell.hpp"

namespace stealbench::dataset {

/// Of the lines. A file of another format is refused, never guessed at.
inline constexpr int format_version = 3;

// What a raw file may have. More is a damaged file, or one that no machine could analyse.
inline constexpr std::uintmax_t most_file_bytes = std::uintmax_t{2} << 30;
inline constexpr std::size_t most_line_bytes = std::size_t{16} << 20;
inline constexpr int most_depth = 32;
inline constexpr std::size_t most_cells = 20'000;
inline constexpr std::size_t most_rounds = 10'000;  ///< Of each benchmark.

/// Throws schedulers::bad_input, which names the key and says what is valid, unless the line has
/// every member that is read of its type, each of the right kind.
void expect_shape(const json& line);

/// A value as a message shows it: in quotes if it is a text, without control characters, and cut if
/// it is long.
[[nodiscard]] std::string shown(const json& value);

/// Not for two threads at once.
class measurements {
 public:
  /// Takes over what one line says. Lines come in the order of the file. Throws
  /// schedulers::bad_input, which says what is wrong with the line.
  void apply(const json& line);

  /// Of the experiment: `compare`, `grain`, `metg`, `micro`, `simulate`, `ab`, `explain`, `claims`.
  [[nodiscard]] std::string experiment() const { return header_.at("experiment"); }
  /// The first line.
  [[nodiscard]] const json& header() const { return header_; }
  /// Google Benchmark's context with the provenance, as the first process said it, and what later
  /// ones added to it; empty before. Of a build, or of the first one that has a context.
  [[nodiscard]] const json& context(const std::string& build = {}) const;
  /// Those of the cells; one without a name if no builds are compared.
  [[nodiscard]] std::vector<std::string> builds() const;
  /// What was measured of a build alone, as if there were no other.
  [[nodiscard]] measurements of_build(const std::string& build) const;
  /// What was measured of some cells alone. Requires: one of them is here.
  [[nodiscard]] measurements restricted_to(
      const std::function<bool(const dataset::cell&)>& is_kept) const;
  /// A file does not say of which family its workloads are; whoever knows them does, for a report.
  void name_families(std::map<std::string, std::string> by_workload) {
    families_ = std::move(by_workload);
  }
  /// Empty where it is not known.
  [[nodiscard]] std::string family_of(const std::string& workload) const;
  /// Objects with the members `check`, `status` and `detail`; the worse where a check was made
  /// again on a resumption.
  [[nodiscard]] const json& host_checks() const { return host_checks_; }
  /// In the order of the first line.
  [[nodiscard]] const std::vector<measured_cell>& cells() const { return cells_; }
  /// The index of a cell; none if the first line lists no such cell.
  [[nodiscard]] std::optional<std::size_t> place_of(const cell& which) const;
  /// Whether its times are simulated: the first line then has the profile that they follow from.
  [[nodiscard]] bool is_simulated() const {
    return header_.contains("about") && header_.at("about").contains("profile");
  }
  /// Whether those of a cell are, in an experiment that measures other cells.
  [[nodiscard]] bool simulates(const cell& which) const {
    return is_simulated() || !which.machine.empty();
  }
  [[nodiscard]] bool is_finished() const { return is_finished_; }
  [[nodiscard]] double spent_seconds() const { return spent_seconds_; }
  [[nodiscard]] unsigned times_resumed() const { return times_resumed_; }

 private:
  void begin(const json& line);
  void add_run(const json& line, bool is_counting);
  void add_sample(const json& line, measured_cell& subject);
  void keep_worse(const json& check);
  void finish(const json& line);
  void index_cells();

  json header_;
  std::map<std::string, json> contexts_;  // By build.
  json host_checks_ = json::array();
  std::vector<measured_cell> cells_;
  std::map<std::string, std::size_t> places_;    // Of the cells, by name.
  std::map<std::string, std::string> families_;  // By workload.
  bool is_finished_ = false;
  double spent_seconds_ = 0;
  unsigned times_resumed_ = 0;
};

/// What wrote the values of a process: Google Benchmark, or a simulation.
enum class source : std::uint8_t { process, simulation };

/// The values of a process from what was written of it. Throws schedulers::bad_input, which names
/// the key, if one that is required is missing, or one is no number in its range.
[[nodiscard]] sample read_sample(const json& entry, source origin = source::process);
/// The same; none if it is not good.
[[nodiscard]] std::optional<sample> sample_of(const json& entry, source origin = source::process);

/// A member as a text for people; `unknown` if there is none.
[[nodiscard]] std::string text_at(const json& object, const char* key);

/// A text that may be missing or null, which is empty then.
[[nodiscard]] std::string text_or_empty(const json& object, const char* key);

/// The members `workload` and `parameters`, as a raw file has them.
[[nodiscard]] json json_of(const instance& what);
[[nodiscard]] instance instance_of(const json& object);

/// A cell as the first line lists it.
[[nodiscard]] json json_of(const cell& which);

struct raw_file {
  measurements data;
  std::uintmax_t whole_bytes = 0;  ///< Of its complete lines. What follows was being written.
};

/// Reads a file, which gzip may have compressed, and checks all of it; a last line that is torn,
/// because its writer was killed, is left out. Throws schedulers::bad_input, which names the file,
/// the line and what is valid.
[[nodiscard]] raw_file read_file(const std::filesystem::path& file);

/// The same of its text. The message does not name the file.
[[nodiscard]] raw_file read_lines(std::istream& in);

/// `compare.jsonl`, in the output folder of that experiment.
[[nodiscard]] std::string file_name_of(std::string_view experiment);

/// Behind the name of a file that gzip has compressed.
inline constexpr const char* compressed_ending = ".gz";

/// Whether a file has the name of a raw file, compressed or not, of whichever experiment.
[[nodiscard]] bool is_named_as_raw(const std::filesystem::path& file);

/// The raw file of that experiment in the folder; only if there is none, the compressed one.
[[nodiscard]] std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder,
                                                             std::string_view experiment);

}  // namespace stealbench::dataset
