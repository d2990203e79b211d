#include "bench/driver/experiments/options.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/program.hpp"
#include "schedulers/variant.hpp"
#include "workloads/catalogue.hpp"

namespace stealbench::experiments {
namespace {

using kit::bad_input;
using texts = std::vector<std::string>;

/// What a scheduler is compared with in an ablation that names no other.
constexpr std::string_view yardstick = "work-stealing";

/// Empty: what it would be compared with is not among them.
std::string opponent_of(const std::string& scheduler, const texts& among,
                        const rounds::installation& installed) {
  if (scheduler == yardstick) return {};
  std::string named = installed.description_of(scheduler).about.compared_with;
  if (named.empty()) named = yardstick;
  if (std::ranges::count(among, named.substr(0, named.find(':'))) == 0) return {};
  return installed.choose(named).name;
}

void add_settings_of(const std::string& scheduler, const rounds::installation& installed,
                     std::vector<contrast>& to) {
  const std::vector<schedulers::setting>& settings = installed.description_of(scheduler).settings;
  const auto name_with = [&](const texts& values) {
    return installed.choose(fmt::format("{}:{}", scheduler, fmt::join(values, ":"))).name;
  };
  for (const schedulers::setting& each : settings) {
    for (auto value = each.values.begin() + 1; value != each.values.end(); ++value) {
      texts values = schedulers::required_by(each, value->word, settings);
      const std::string against = values.empty() ? scheduler : name_with(values);
      values.push_back(fmt::format("{}={}", each.name, value->word));
      to.push_back({fmt::format("{}:{}", scheduler, each.name), name_with(values), against});
    }
  }
}

/// The ends of `1-4`, or twice `8`.
std::pair<std::string, std::string> ends_of(const std::string& range) {
  const std::size_t dash = range.find('-');
  if (dash == 0 || dash == std::string::npos) return {range, range};
  return {range.substr(0, dash), range.substr(dash + 1)};
}

unsigned number_in(const std::string& text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

CLI::Validator range_within(unsigned most) {
  const CLI::Validator number = cell::takes::number(1, most).valid;
  return {[number](const std::string& text) -> std::string {
            auto [first, last] = ends_of(text);
            for (std::string* const end : {&first, &last}) {
              if (std::string wrong = number(*end); !wrong.empty()) return wrong;
            }
            if (number_in(first) <= number_in(last)) return {};
            return fmt::format("{}: must begin with the smaller number", text);
          },
          fmt::format("1 to {}, or ranges such as 1-4", most)};
}

/// By workload; only those that are named.
std::map<std::string, std::string> sizes_in(const texts& size_of, const texts& workloads) {
  std::map<std::string, std::string> sizes;
  for (const std::string& each : size_of) {
    auto [workload, size] = kit::parse_assignment(each, "--size-of");
    if (std::ranges::count(workloads, workload) == 0) {
      kit::refuse(fmt::format("--size-of {}: no such workload is chosen", each), workloads);
    }
    if (std::ranges::count(kit::size_names, size) == 0) {
      kit::refuse(fmt::format("--size-of {}: no such size", each),
                  {kit::size_names.begin(), kit::size_names.end()});
    }
    sizes[workload] = std::move(size);
  }
  return sizes;
}

}  // namespace

CLI::Option* add_schedulers(settings& options, texts& schedulers,
                            const std::string& shown_default) {
  return options
      .add("--schedulers,--scheduler", schedulers, cell::takes::scheduler,
           "Schedulers, each as NAME or with settings as NAME:KEY=VALUE:KEY=VALUE, or all that are "
           "built; see `stealbench list`")
      ->default_str(shown_default);
}

texts built_among(texts schedulers, const rounds::installation& installed) {
  std::erase_if(schedulers, [&](const auto& each) { return !installed.is_built(each); });
  return schedulers;
}

void resolve_schedulers(texts& schedulers, const rounds::installation& installed, execution how) {
  const bool is_timed = how == execution::timed;
  if (schedulers.empty() || schedulers == texts{"all"}) {
    schedulers = is_timed ? installed.built() : installed.built_simulations();
  }
  if (schedulers.empty()) {
    throw bad_input(fmt::format("no {} is built; build all of them with\n  {}",
                                is_timed ? "scheduler" : "simulation",
                                rounds::build_all_command()));
  }
  for (std::string& each : schedulers) {
    each = (is_timed ? installed.choose(each) : installed.choose_simulated(each)).name;
  }
  schedulers = dataset::distinct(schedulers);
}

std::vector<contrast> contrasts_among(const texts& schedulers,
                                      const rounds::installation& installed) {
  std::vector<contrast> all;
  for (const std::string& each : schedulers) {
    const std::string against = opponent_of(each, schedulers, installed);
    if (!against.empty()) all.push_back({"scheduler", each, against});
  }
  for (const std::string& each : schedulers) add_settings_of(each, installed, all);
  return all;
}

texts strategies_in(const std::vector<contrast>& all) {
  texts names;
  for (const contrast& each : all) names.insert(names.end(), {each.against, each.variant});
  return dataset::distinct(names);
}

CLI::Option* add_workers(settings& options, std::vector<unsigned>& workers,
                         const std::string& shown_default, unsigned most) {
  const auto read = [](const texts& typed) {
    std::vector<unsigned> counts;
    for (const std::string& each : typed) {
      const auto [first, last] = ends_of(each);
      for (unsigned count = number_in(first); count <= number_in(last); ++count) {
        counts.push_back(count);
      }
    }
    return dataset::distinct(counts);
  };
  return options.add_read("--workers", workers, {"N", range_within(most)}, "Worker counts", read)
      ->default_str(shown_default);
}

std::vector<unsigned> usual_worker_counts(unsigned processors, unsigned cores) {
  cores = cores == 0 ? processors : std::min(cores, processors);
  std::vector<unsigned> counts;
  for (unsigned each = 1; each < cores; each *= 2) counts.push_back(each);
  counts.insert(counts.end(), {cores, processors});
  return dataset::distinct(counts);
}

std::vector<dataset::cell> every_cell(const std::vector<dataset::instance>& instances,
                                      const std::vector<unsigned>& workers,
                                      const texts& schedulers) {
  std::vector<dataset::cell> cells;
  for (const dataset::instance& what : instances) {
    for (const unsigned count : workers) {
      for (const std::string& each : schedulers) {
        const bool is_serial = each == "serial" || each == cell::sequential_name;
        if (!is_serial || count == std::ranges::max(workers)) cells.push_back({what, each, count});
      }
    }
  }
  return cells;
}

void add_pin(settings& options, rounds::target& pattern) {
  options.add("--pin", pattern.is_pinned,
              "Pin each worker to a processor: one on each core, then the second hardware threads");
}

void add_workloads(settings& options, texts& workloads) {
  texts valid = rounds::workload_names();
  valid.emplace_back("all");
  options.add("--workloads", workloads, {cell::takes::workload, cell::one_of(valid)},
              "Workloads, or all; see `stealbench list`");
}

texts simulated_workloads() {
  texts names;
  for (const kit::description& each : workloads::descriptions()) {
    if (kit::why_not_simulated(each).empty()) names.push_back(each.name);
  }
  return names;
}

CLI::Validator simulated_workload() {
  texts valid = simulated_workloads();
  valid.emplace_back("all");
  const CLI::Validator is_one = cell::one_of(valid);
  return {[valid, is_one](std::string& text) {
            if (std::ranges::count(valid, text) > 0 ||
                std::ranges::count(rounds::workload_names(), text) == 0) {
              return is_one(text);
            }
            return fmt::format("{}: {}; valid: {}", text,
                               kit::why_not_simulated(rounds::find_workload(text)),
                               fmt::join(valid, ", "));
          },
          is_one.get_description()};
}

void resolve_workloads(texts& workloads, std::string_view option, const texts& all) {
  texts named = dataset::distinct(workloads);
  if (named.size() > 1 && std::ranges::count(named, "all") > 0) {
    throw bad_input(
        fmt::format("{} {}: all is every workload; valid: all alone, or names without it", option,
                    fmt::join(workloads, ",")));
  }
  if (named == texts{"all"}) named = all;
  workloads = std::move(named);
}

std::vector<kit::assignment> assignments_in(const texts& set) {
  std::vector<kit::assignment> assignments;
  for (const std::string& each : set) assignments.push_back(kit::parse_assignment(each));
  return assignments;
}

void instance_options::declare(settings& options) {
  options.add("--size", size_, cell::takes::size(),
              "Size of each workload: preset parameter values");
  options.add("--size-of", size_of_, "WORKLOAD=SIZE",
              "Another size for some workloads, each as WORKLOAD=SIZE");
  options.add("--set", set_, cell::takes::assignment,
              "Set a parameter of each workload that has it. May be repeated");
}

std::vector<dataset::instance> instance_options::all_of(const texts& workloads) const {
  const std::map<std::string, std::string> sizes = sizes_in(size_of_, workloads);
  const std::vector<kit::assignment> wanted = assignments_in(set_);
  std::set<std::string> used;
  std::vector<dataset::instance> instances;
  for (const std::string& name : workloads) {
    const kit::description workload = rounds::find_workload(name);
    std::vector<kit::assignment> set;
    for (const kit::assignment& each : wanted) {
      const auto has_it = std::ranges::count(workload.parameters, each.first, &kit::parameter::key);
      if (has_it == 0 && workloads.size() > 1) continue;
      set.push_back(each);
      used.insert(each.first);
    }
    const auto own = sizes.find(name);
    std::ranges::move(rounds::instances_of(workload, own == sizes.end() ? size_ : own->second, set),
                      std::back_inserter(instances));
  }
  for (const auto& [key, value] : wanted) {
    if (used.contains(key)) continue;
    throw bad_input(
        fmt::format("--set {}={}: no chosen workload has this parameter; valid: those that "
                    "`stealbench list WORKLOAD` names for one of {}",
                    key, value, fmt::join(workloads, ", ")));
  }
  return dataset::distinct(instances);
}

}  // namespace stealbench::experiments
