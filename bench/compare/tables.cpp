#include "bench/compare/tables.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/compare/names.hpp"
#include "results/analysis/statistics.hpp"
#include "results/report/format.hpp"

namespace stealbench::compare {
namespace {

using analysis::estimate;
using nlohmann::ordered_json;
using report::alignment;

/// The scheduler whose time at one worker is Ts.
constexpr std::string_view baseline = "serial";

bool has_interval(const cell_result& of) {
  return !has_finished(of) || of.samples.size() >= analysis::fewest_for_interval;
}

std::vector<report::column> columns(bool has_intervals) {
  return {{"scheduler", alignment::left},
          {"workers"},
          {has_intervals ? "median time [95 %]" : "median time [range]", alignment::left},
          {"rank"},
          {"speedup"},
          {"overhead"},
          {"per fork"},
          {"CPU time"},
          {"peak RSS"},
          {"steals"}};
}

/// The rows of one table: the cells of one workload instance.
class rows {
 public:
  explicit rows(std::vector<const cell_result*> cells) : cells_(std::move(cells)) {
    std::stable_sort(cells_.begin(), cells_.end(),
                     [](const cell_result* left, const cell_result* right) {
                       return left->which.workers < right->which.workers;
                     });
    rank();
    serial_seconds_ = seconds_at_fewest_workers(baseline);
  }

  /// Whether every row has measured often enough for an interval.
  [[nodiscard]] bool has_intervals() const {
    return std::all_of(cells_.begin(), cells_.end(),
                       [](const cell_result* each) { return has_interval(*each); });
  }

  [[nodiscard]] std::vector<std::vector<std::string>> texts() const {
    std::vector<std::vector<std::string>> all;
    for (std::size_t i = 0; i < cells_.size(); ++i) all.push_back(text_of(*cells_[i], i));
    return all;
  }

  /// What failed, and the best ranks.
  [[nodiscard]] std::vector<report::mark> marks() const {
    constexpr std::size_t time_column = 2;
    constexpr std::size_t rank_column = 3;
    std::vector<report::mark> all;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (!has_finished(*cells_[i])) {
        all.push_back({i, time_column, report::emphasis::failed});
      } else if (ranks_[i] == 1 && cells_[i]->samples.size() > 1) {
        all.push_back({i, rank_column, report::emphasis::best});
      }
    }
    return all;
  }

 private:
  [[nodiscard]] std::vector<std::string> text_of(const cell_result& of, std::size_t index) const {
    using namespace report;
    const std::string workers = fmt::format("{}", of.which.workers);
    std::vector<std::string> text{of.which.scheduler, workers};
    if (!has_finished(of)) {
      text.push_back("DNF: " + of.failure);
      text.resize(columns(true).size(), std::string(missing));
      return text;
    }
    const estimate& time = *times_[index];
    text.push_back(seconds_with_interval(time));
    // One measurement cannot be told apart from anything.
    text.push_back(of.samples.size() < 2 ? std::string(missing) : fmt::format("{}", ranks_[index]));
    text.push_back(ratio(quotient(serial_seconds_, time.median)));
    text.push_back(ratio(quotient(one_worker_seconds(of.which.scheduler), serial_seconds_)));
    const sample& any = of.samples.front();
    text.push_back(seconds(quotient(time.median * any.worker_count, any.fork_count)));
    text.push_back(seconds(analysis::median(values_of(of, &sample::cpu_seconds))));
    const std::vector<double> peaks = values_of(of, &sample::peak_rss_bytes);
    text.push_back(bytes(*std::max_element(peaks.begin(), peaks.end())));
    text.push_back(count(steals_of(of)));
    return text;
  }

  /// Rows of the same number of workers compete with each other.
  void rank() {
    times_.resize(cells_.size());
    ranks_.resize(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (!has_finished(*cells_[i])) continue;
      times_[i] = analysis::estimate_median(values_of(*cells_[i], &sample::seconds));
    }
    for (std::size_t first = 0; first < cells_.size();) {
      std::vector<estimate> competing;
      std::vector<std::size_t> places;
      std::size_t next = first;
      for (; next < cells_.size() && cells_[next]->which.workers == cells_[first]->which.workers;
           ++next) {
        if (!times_[next]) continue;
        competing.push_back(*times_[next]);
        places.push_back(next);
      }
      const std::vector<unsigned> ranked = analysis::ranks(competing);
      for (std::size_t i = 0; i < places.size(); ++i) ranks_[places[i]] = ranked[i];
      first = next;
    }
  }

  /// The median of a scheduler's own row of one worker.
  [[nodiscard]] std::optional<double> one_worker_seconds(std::string_view scheduler) const {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const cell& which = cells_[i]->which;
      if (which.workers == 1 && which.scheduler == scheduler && times_[i]) return times_[i]->median;
    }
    return {};
  }

  /// The median of a scheduler's row with the fewest workers; serial has one in each.
  [[nodiscard]] std::optional<double> seconds_at_fewest_workers(std::string_view scheduler) const {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (cells_[i]->which.scheduler == scheduler && times_[i]) return times_[i]->median;
    }
    return {};
  }

  static std::optional<double> quotient(std::optional<double> over, std::optional<double> under) {
    if (!over || !under || *under == 0) return {};
    return *over / *under;
  }

  static std::optional<double> steals_of(const cell_result& of) {
    if (!of.counted.is_object()) return {};
    const auto found = of.counted.find("steals");
    if (found == of.counted.end() || !found->is_number()) return {};
    return found->get<double>();
  }

  std::vector<const cell_result*> cells_;
  std::vector<std::optional<estimate>> times_;
  std::vector<unsigned> ranks_;
  std::optional<double> serial_seconds_;
};

/// A number, a word, or a list of such; nothing for what has more structure.
std::optional<std::string> text_of(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_object()) return {};
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const ordered_json& each : value) {
    if (each.is_structured()) return {};
    text += (text.empty() ? "" : ", ") + (each.is_string() ? each.get<std::string>() : each.dump());
  }
  return text;
}

}  // namespace

bool has_finished(const cell_result& of) { return of.failure.empty() && !of.samples.empty(); }

std::vector<double> values_of(const cell_result& of, double sample::*member) {
  std::vector<double> values;
  for (const sample& each : of.samples) values.push_back(each.*member);
  return values;
}

bool have_intervals(const std::vector<cell_result>& cells) {
  return std::all_of(cells.begin(), cells.end(), has_interval);
}

std::vector<report::table> tables_of(const std::vector<cell_result>& cells) {
  std::vector<instance> instances;
  instances.reserve(cells.size());
  for (const cell_result& each : cells) instances.push_back(each.which.what);
  std::vector<report::table> tables;
  for (const instance& what : without_repetitions(instances)) {
    std::vector<const cell_result*> of_instance;
    for (const cell_result& each : cells) {
      if (each.which.what == what) of_instance.push_back(&each);
    }
    const rows made(std::move(of_instance));
    tables.push_back({label_of(what), columns(made.has_intervals()), made.texts(), made.marks()});
  }
  return tables;
}

std::string reading_guide() {
  return "Time: median over the rounds, with a bootstrap 95 % interval (below six rounds: the "
         "range); rows of the same worker count whose intervals overlap share a rank.\n"
         "Speedup: Ts / Tp, with Ts the time of serial; overhead: T1 / Ts, the scheduler's own "
         "time at one worker over that; per fork: Tp × workers / forks.\n"
         "CPU time: of all threads during the timed run; peak RSS: of the whole process; steals: "
         "from a separate run that counts; DNF: did not finish, with the reason.\n";
}

report::table provenance_of(const ordered_json& context) {
  report::table provenance{"", {{"what", alignment::left}, {"value", alignment::left}}, {}};
  for (const auto& [key, value] : context.items()) {
    // Where the files lay and what the machine is called help nobody to judge or to repeat it.
    // And what is printed has come to its end.
    if (key == "host_name" || key == "executable" || key == "finished") continue;
    if (const auto shown = text_of(value)) provenance.rows.push_back({key, *shown});
  }
  return provenance;
}

std::string markdown_of(const std::string& summary, const std::vector<report::table>& tables,
                        const ordered_json& context) {
  std::string text = "# Comparison\n\n" + summary + "\n";
  for (const report::table& each : tables) text += report::to_markdown(each) + "\n";
  text += "## How to read it\n\n";
  std::istringstream lines(reading_guide());
  for (std::string line; std::getline(lines, line);) text += "- " + line + "\n";
  text += "\n## Provenance\n\n";
  return text + report::to_markdown(provenance_of(context));
}

}  // namespace stealbench::compare
