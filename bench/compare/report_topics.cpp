#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/compare/report_sections.hpp"
#include "results/report/format.hpp"

namespace stealbench::compare {
namespace {

using analysis::estimate;
using nlohmann::ordered_json;
using report::heading;
using report::missing;
using report::paragraph;

/// More workers than this, and a list of them is no longer read.
constexpr std::size_t most_listed = 4;

std::optional<estimate> estimate_of(const report_view& view, std::size_t cell, const char* member) {
  const std::vector<double> values = figures_of(view.source(), cell, member);
  if (values.empty()) return {};
  return analysis::estimate_median(values);
}

std::optional<double> median_of(const report_view& view, std::size_t cell, const char* member) {
  const auto whole = estimate_of(view, cell, member);
  if (!whole) return {};
  return whole->median;
}

std::optional<double> greatest_of(const report_view& view, std::size_t cell, const char* member) {
  const std::vector<double> values = figures_of(view.source(), cell, member);
  if (values.empty()) return {};
  return *std::max_element(values.begin(), values.end());
}

std::optional<double> quotient(std::optional<double> over, std::optional<double> under) {
  if (!over || !under || *under == 0) return {};
  return *over / *under;
}

/// One figure of every worker, from the run that counts; nothing if a worker lacks it.
std::vector<double> of_workers(const cell_result& cell, const char* member) {
  std::vector<double> values;
  if (!cell.counted.is_object()) return values;
  const auto workers = cell.counted.find("per_worker");
  if (workers == cell.counted.end() || !workers->is_array()) return values;
  for (const ordered_json& each : *workers) {
    const auto found = each.is_object() ? each.find(member) : each.end();
    if (!each.is_object() || found == each.end() || !found->is_number()) return {};
    values.push_back(found->get<double>());
  }
  return values;
}

std::string percents(std::vector<double> shares) {
  const auto percent = [](double share) { return fmt::format("{:.0f} %", 100 * share); };
  if (shares.size() <= most_listed) {
    std::vector<std::string> all;
    for (const double each : shares) all.push_back(percent(each));
    return fmt::format("{}", fmt::join(all, ", "));
  }
  const auto [least, most] = std::minmax_element(shares.begin(), shares.end());
  return fmt::format("{} to {}", percent(*least), percent(*most));
}

/// What part of the sum each worker has.
std::string shares_of(const cell_result& cell, const char* member) {
  std::vector<double> values = of_workers(cell, member);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  if (values.empty() || sum <= 0) return std::string(missing);
  for (double& each : values) each /= sum;
  return percents(std::move(values));
}

std::string counter_of(const cell_result& cell, const char* member) {
  if (!cell.counted.is_object()) return std::string(missing);
  const auto found = cell.counted.find(member);
  const bool is_there = found != cell.counted.end() && found->is_number();
  return is_there ? report::count(found->get<double>()) : std::string(missing);
}

/// Whether a table has a figure at all, and not a dash in every place.
bool has_figures(const report::table& what) {
  for (const auto& row : what.rows) {
    for (std::size_t i = 1; i < row.size(); ++i) {
      if (row[i] != missing && row[i] != "DNF") return true;
    }
  }
  return false;
}

/// A heading, what the figures mean, and those of the tables that hold any.
void add_section(page_blocks& to, const char* title, const std::string& meaning,
                 std::vector<report::table> tables) {
  to.push_back({heading{title}});
  to.push_back({paragraph{meaning}});
  bool is_empty = true;
  for (report::table& each : tables) {
    if (!has_figures(each)) continue;
    is_empty = false;
    to.push_back({std::move(each)});
  }
  if (is_empty) to.push_back({paragraph{"Nothing of this was recorded."}});
}

/// Makes a table of each figure, with the greatest worker count.
class topics {
 public:
  explicit topics(const report_view& view) : view_(view) {}

  template <class F>
  [[nodiscard]] report::table table(const char* title, const F& text_of) const {
    return table_over_instances(view_, fmt::format("{}, workers: {}", title, view_.most_workers()),
                                text_of);
  }

  [[nodiscard]] report::table seconds(const char* title, const char* member) const {
    return table(title, [this, member](std::size_t at) {
      return report::seconds_with_interval(estimate_of(view_, at, member));
    });
  }

  /// Of events per run, which may be a fraction of one.
  [[nodiscard]] report::table events(const char* title, const char* member) const {
    return table(title, [this, member](std::size_t at) {
      const auto value = median_of(view_, at, member);
      return value && *value < 10 ? fmt::format("{:.2g}", *value) : report::count(value);
    });
  }

  [[nodiscard]] std::vector<report::table> balance() const {
    return {table("Share of the busy time, worker by worker",
                  [this](std::size_t at) { return shares_of(view_.cell(at), "busy_ns"); }),
            table("Share of the jobs, worker by worker",
                  [this](std::size_t at) { return shares_of(view_.cell(at), "jobs_run"); })};
  }

  [[nodiscard]] std::vector<report::table> memory() const {
    return {table("Peak resident set of the process",
                  [this](std::size_t at) {
                    return report::bytes(greatest_of(view_, at, "peak_rss_bytes"));
                  }),
            table("Most live jobs at one time",
                  [this](std::size_t at) { return counter_of(view_.cell(at), "most_live_jobs"); })};
  }

  [[nodiscard]] std::vector<report::table> cold_and_warm() const {
    return {seconds("Start-up: making the scheduler", "start_up_seconds"),
            seconds("First run", "first_run_seconds"),
            table("First run over the steady state", [this](std::size_t at) {
              const auto& steady = view_.standing(at).seconds;
              return report::ratio(quotient(median_of(view_, at, "first_run_seconds"),
                                            steady ? std::optional(steady->median) : std::nullopt));
            })};
  }

  [[nodiscard]] std::vector<report::table> processor() const {
    return {seconds("Processor time per run", "cpu_seconds"),
            table("Processors in use: processor time over wall time",
                  [this](std::size_t at) {
                    const auto& steady = view_.standing(at).seconds;
                    const auto used =
                        quotient(median_of(view_, at, "cpu_seconds"),
                                 steady ? std::optional(steady->median) : std::nullopt);
                    return used ? fmt::format("{:.2f}", *used) : std::string(missing);
                  }),
            table("Share of the processor time in the kernel",
                  [this](std::size_t at) {
                    const auto share = quotient(median_of(view_, at, "system_seconds"),
                                                median_of(view_, at, "cpu_seconds"));
                    return share ? fmt::format("{:.1f} %", 100 * *share) : std::string(missing);
                  }),
            events("Voluntary context switches per run", "voluntary_switches"),
            events("Forced context switches per run", "forced_switches")};
  }

  [[nodiscard]] std::vector<report::table> energy() const {
    return {table("Energy per run", [this](std::size_t at) {
      const auto joules = median_of(view_, at, "energy_joules");
      return joules ? fmt::format("{:.3g} J", *joules) : std::string(missing);
    })};
  }

 private:
  const report_view& view_;
};

}  // namespace

page_blocks topic_sections(const report_view& view) {
  const topics of(view);
  page_blocks blocks;
  add_section(
      blocks, "Balance",
      "How evenly the work fell to the workers, from the run that counts. A worker is busy "
      "while it executes the program, and not while it looks for work or sleeps. Schedulers "
      "that count nothing show a dash.",
      of.balance());
  add_section(blocks, "Memory",
              "The resident set includes the input. A live job has been spawned and has not "
              "finished: the space that the strategy itself needs.",
              of.memory());
  add_section(blocks, "Cold and warm",
              "Making the scheduler, the first run in a new process, and what it costs over the "
              "steady state that all other figures are of.",
              of.cold_and_warm());
  add_section(blocks, "Processor time and context switches",
              "Of all threads of the process, per run in the steady state. More processors in use "
              "than the speedup accounts for are workers that looked for work.",
              of.processor());
  const ordered_json& context = view.source().context;
  const auto note = context.find("energy");
  const std::string why = note == context.end() ? "It says nothing of energy."
                          : note->is_string()   ? note->get<std::string>()
                                                : note->dump();
  if (why == "measured") {
    add_section(blocks, "Energy", "From the processor's own counters, of the whole package.",
                of.energy());
  } else {
    blocks.push_back({heading{"Energy"}});
    blocks.push_back({paragraph{"Not measured: " + why}});
  }
  return blocks;
}

}  // namespace stealbench::compare
