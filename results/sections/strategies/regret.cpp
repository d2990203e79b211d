// Which strategy to choose for all programs, and what that costs on each.
#include "results/analysis/strategies/regret.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "results/sections/parts.hpp"

namespace stealbench::sections {
namespace {

using analysis::ranking;

/// A column: what was measured or simulated with one worker count.
struct regret_point {
  const estimates* known;
  unsigned workers;
  std::string base;  ///< The default of the ablation that it belongs to, or empty.
};

std::string machine_of(const regret_point& in) {
  const json& about = in.known->data().header().at("about");
  return text_at(about.at("profile"), "name") + changes_of_profile(about);
}

std::string heading_of(const regret_point& in) {
  std::string text = workers_in_words(in.known->data(), in.workers);
  if (in.known->data().is_simulated()) text += ", simulated, " + machine_of(in);
  return text;
}

std::size_t place_of(const std::string& scheduler, const estimates& known) {
  return static_cast<std::size_t>(std::ranges::find(known.schedulers(), scheduler) -
                                  known.schedulers().begin());
}

/// `spawn`, or with its parameters where the workload has more than one instance.
std::string short_label_of(const estimates& known, std::size_t cell) {
  const dataset::instance& what = known.cell(cell).which.what;
  const auto same =
      std::ranges::count(known.instances(), what.workload, &dataset::instance::workload);
  return same > 1 ? label_of(what) : what.workload;
}

/// Those that are not shown to be slower than the one of the least mean: first the base if it is
/// one of them, since chance decides which of them has the least; then that one.
std::vector<std::string> leaders_of(const regret_point& in, const ranking& found) {
  if (!found.leader) return {};
  const estimates& known = *in.known;
  const std::size_t base = place_of(in.base, known);
  const bool base_leads = base < found.standings.size() && found.standings[base].leads;
  std::vector<std::string> names;
  if (base_leads && base != *found.leader) names.push_back(known.schedulers()[base]);
  names.push_back(known.schedulers()[*found.leader]);
  for (std::size_t i = 0; i < found.standings.size(); ++i) {
    const std::string& name = known.schedulers()[i];
    if (found.standings[i].leads && !std::ranges::count(names, name)) names.push_back(name);
  }
  return names;
}

/// The same, as a sentence or a table has them.
std::vector<std::string> shown_in(const regret_point& in, std::vector<std::string> names) {
  for (std::string& each : names) {
    each = scheduler_in(in.known->data(), each, in.workers);
  }
  return names;
}

/// `1.79 ×, and 35.1 × on spawn`.
std::string regret_in_words(const estimates& known, const overall_standing& own) {
  std::string text = report::ratio(own.mean_slowdown) + " the best on average, ";
  if (!own.worst) return text + "and is shown to be slower than the best nowhere";
  return text + fmt::format("{} at worst ({})",
                            report::ratio(known.standing_of(*own.worst).slowdown->median),
                            short_label_of(known, *own.worst));
}

/// What a family of workloads takes where it is not what all of them take together.
std::string choice_for(const analysis::family& which, const regret_point& in, std::size_t overall) {
  const ranking own = in.known->over(which.instances, in.workers);
  if (!own.leader || own.standings[overall].leads) return {};
  const std::string leader = leaders_of(in, own).front();
  const auto mean = [&](std::size_t place) {
    return report::ratio(own.standings[place].mean_slowdown);
  };
  return fmt::format(" For the family {} alone: {}, {} ({} takes {}).", which.name,
                     shown_in(in, {leader}).front(), mean(place_of(leader, *in.known)),
                     shown_in(in, {in.known->schedulers()[overall]}).front(), mean(overall));
}

/// Where the simulation with other costs contradicts the choice.
std::string contradictions_of(const regret_point& in, const std::vector<std::size_t>& instances,
                              std::size_t chosen) {
  std::vector<std::string> others;
  bool is_varied = false;
  for (const std::string& cost : in.known->variations()) {
    const ranking own = in.known->over(instances, in.workers, cost);
    if (!own.leader) continue;
    is_varied = true;
    if (own.standings[chosen].leads) continue;
    const std::size_t equals = cost.find('=');
    others.push_back(fmt::format("with {} × {} it is {} ({} takes {})", cost.substr(0, equals),
                                 cost.substr(equals + 1), leaders_of(in, own).front(),
                                 in.known->schedulers()[chosen],
                                 report::ratio(own.standings[chosen].mean_slowdown)));
  }
  if (!is_varied) return {};
  if (others.empty()) return " The same leads with each other cost of the sensitivity table.";
  return fmt::format(" The sensitivity table contradicts this: {}.", fmt::join(others, "; "));
}

std::string text_of(const estimates& known, const overall_standing& own) {
  if (own.failed_cells > 0) return fmt::format("DNF ({})", own.failed_cells);
  if (!own.mean_slowdown) return std::string(missing);
  const bool is_certain = known.have_intervals();
  std::string text = is_certain
                         ? report::ratio(own.mean_slowdown)
                         : report::ratio_with_interval(estimate{*own.mean_slowdown, own.around});
  if (!own.worst) return is_certain ? text + " · nowhere" : text;
  return text + fmt::format(" · {} {}",
                            report::ratio(known.standing_of(*own.worst).slowdown->median),
                            short_label_of(known, *own.worst));
}

std::vector<regret_point> points_of(const std::vector<estimates>& all) {
  std::string base;
  for (const estimates& known : all) {
    if (base.empty()) base = analysis::base_of(known.data());
  }
  std::vector<regret_point> points;
  for (const estimates& known : all) {
    for (const unsigned workers : analysis::reported_workers(known)) {
      points.push_back({&known, workers, base});
    }
  }
  return points;
}

/// `8`, or `7 to 8` where one worker count has fewer of them than another.
std::string strategies_in(const std::vector<regret_point>& points) {
  std::vector<std::size_t> counts;
  counts.reserve(points.size());
  for (const regret_point& each : points) {
    counts.push_back(analysis::strategies_with(each.known->data(), each.workers));
  }
  const auto [least, most] = std::ranges::minmax(counts);
  return least == most ? fmt::format("{}", most) : fmt::format("{} to {}", least, most);
}

/// The row of those that lead in each column; then one for each strategy, the one of the least mean
/// in the last column first. If all columns are of some worker count, the title says so.
report::table table_of(const std::vector<regret_point>& points, const std::string& of_all = {}) {
  const estimates& last = *points.back().known;
  report::table table{
      fmt::format("Regret{}: time over the best of {} strategies, geometric mean of {} · the worst",
                  of_all, strategies_in(points),
                  report::counted(last.instances().size(), "instance")),
      {{"strategy", alignment::left}}};
  std::vector<ranking> rankings;
  table.rows.push_back({"(choose)"});
  for (const regret_point& each : points) {
    const estimates& known = *each.known;
    table.columns.push_back(
        {of_all.empty() ? heading_of(each) : machine_of(each), alignment::left});
    rankings.push_back(known.over(analysis::families_of(known).front().instances, each.workers));
    table.rows.front().push_back(known.have_intervals()
                                     ? joined(shown_in(each, leaders_of(each, rankings.back())), 2)
                                     : "not told apart yet");
  }
  std::vector<const measurements*> origins;
  for (const regret_point& each : points) origins.push_back(&each.known->data());
  table.origin = machine_note(origins);
  // Datasets have the same strategies, each in an order of its own.
  std::vector<std::pair<double, std::string>> order;
  for (std::size_t i = 0; i < last.schedulers().size(); ++i) {
    const auto& mean = rankings.back().standings[i].mean_slowdown;
    order.emplace_back(-mean.value_or(std::numeric_limits<double>::infinity()),
                       last.schedulers()[i]);
  }
  for (std::string& name : greatest_first(std::move(order))) {
    std::vector<std::string> row{name};
    for (std::size_t i = 0; i < points.size(); ++i) {
      const estimates& known = *points[i].known;
      if (row.front() == name) row.front() = shown_in(points[i], {name}).front();
      const overall_standing& own = rankings[i].standings[place_of(name, known)];
      if (own.leads) table.marks.push_back({table.rows.size(), row.size(), emphasis::best});
      if (own.failed_cells > 0) {
        table.marks.push_back({table.rows.size(), row.size(), emphasis::failed});
      }
      row.push_back(text_of(known, own));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// More columns than one can compare are divided: what was measured, and each simulated worker
/// count.
std::vector<report::table> tables_of(const std::vector<regret_point>& points) {
  constexpr std::size_t most_columns = 4;
  if (points.empty()) return {};
  if (points.size() <= most_columns) return {table_of(points)};
  std::map<unsigned, std::vector<regret_point>> groups;
  for (const regret_point& each : points) {
    groups[each.known->data().is_simulated() ? each.workers : 0].push_back(each);
  }
  std::vector<report::table> tables;
  tables.reserve(groups.size());
  for (const auto& [workers, group] : groups) {
    tables.push_back(table_of(
        group, workers == 0 ? "" : fmt::format(" with {}, simulated", workers_in_words(workers))));
  }
  return tables;
}

}  // namespace

std::string choice_of(const estimates& known, unsigned workers) {
  const std::size_t strategies = analysis::strategies_with(known.data(), workers);
  if (strategies < analysis::fewest_strategies) return {};
  const regret_point in{&known, workers, analysis::base_of(known.data())};
  const std::vector<analysis::family> families = analysis::families_of(known);
  const ranking found = known.over(families.front().instances, workers);
  const std::vector<std::string> leaders = leaders_of(in, found);
  if (leaders.empty() || !known.have_intervals()) return {};
  const std::vector<std::string> shown = shown_in(in, leaders);
  const std::size_t chosen = place_of(leaders.front(), known);
  std::string text =
      fmt::format("If you may choose one of {} strategies with {}: {}, {}.", strategies,
                  heading_of(in), shown.front(), regret_in_words(known, found.standings[chosen]));
  if (leaders.size() > 1) {
    constexpr std::size_t most_named = 3;
    text += fmt::format(" Not told apart from it: {}.",
                        joined({shown.begin() + 1, shown.end()}, most_named));
  }
  // A share of a sweep may lack the base.
  if (const std::size_t base = place_of(in.base, known); base < found.standings.size()) {
    const overall_standing& own = found.standings[base];
    if (own.mean_slowdown && in.base != leaders.front()) {
      text += fmt::format(" {}, which most are compared with: {}.", in.base,
                          regret_in_words(known, own));
    }
  }
  for (std::size_t i = 1; i < families.size(); ++i) {
    text += choice_for(families[i], in, chosen);
  }
  return text + contradictions_of(in, families.front().instances, chosen);
}

std::vector<section> regret_section(const estimates& known) {
  const std::vector<estimates> all{known};
  const std::vector<regret_point> points = points_of(all);
  if (points.empty()) return {};
  section found{"Regret", prominence::tables, {table_of(points)}};
  say(found, guide_text("Regret"));
  return {std::move(found)};
}

std::vector<section> regret_sections(std::span<const measurements> all) {
  const std::vector<measurements> shared = analysis::comparable(all);
  if (shared.empty()) return {};
  section found{"Regret", prominence::summary, {}};
  // Beside an ablation the other machines have a few of its strategies, and a column is enough.
  const bool has_base = std::ranges::any_of(
      all, [](const measurements& each) { return !analysis::base_of(each).empty(); });
  for (const measurements& each : all) {
    if (!analysis::has_regret(each) || (has_base && analysis::base_of(each).empty())) continue;
    const estimates known(each);
    if (!known.have_intervals()) {
      say(found,
          fmt::format("{}, the strategies are {}", each.is_simulated() ? "Simulated" : "Measured",
                      not_told_apart_yet(known)));
      continue;
    }
    for (const unsigned workers : analysis::reported_workers(known)) {
      say(found, choice_of(known, workers));
    }
  }
  std::vector<estimates> known;
  known.reserve(shared.size());
  for (const measurements& each : shared) known.emplace_back(each);
  for (report::table& each : tables_of(points_of(known)))
    found.blocks.emplace_back(std::move(each));
  if (known.size() > 1) {
    say(found, "The tables have the strategies and instances that are on all machines.");
  }
  say(found, guide_text("Regret"));
  return {std::move(found)};
}

}  // namespace stealbench::sections
