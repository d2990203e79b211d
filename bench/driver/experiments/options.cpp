#include "bench/driver/experiments/options.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bench/cell/command_line.hpp"
#include "bench/cell/program.hpp"

namespace stealbench::experiments {
namespace {

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
  const CLI::Validator number = cell::between(1, most);
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

}  // namespace

CLI::Option* add_schedulers(settings& options, std::vector<std::string>& schedulers,
                            const std::string& shown_default) {
  return options
      .add("--schedulers,--scheduler", schedulers,
           "Schedulers, each as NAME or with settings as NAME:KEY=VALUE:KEY=VALUE, or all that are "
           "built; see `stealbench list`")
      ->type_name(cell::takes::scheduler)
      ->default_str(shown_default);
}

void resolve_schedulers(std::vector<std::string>& schedulers,
                        const rounds::installation& installed) {
  const bool are_all = schedulers.empty() || schedulers == std::vector<std::string>{"all"};
  const std::vector<std::string> typed = are_all ? installed.built() : schedulers;
  if (typed.empty()) {
    throw kit::bad_input(fmt::format("no scheduler is built; build all of them with\n  {}",
                                     rounds::build_command("compare")));
  }
  schedulers.clear();
  for (const std::string& each : typed) schedulers.push_back(installed.choose(each).name);
  schedulers = dataset::distinct(schedulers);
}

CLI::Option* add_workers(settings& options, std::vector<unsigned>& workers,
                         const std::string& shown_default, unsigned most) {
  const auto read = [](const std::vector<std::string>& typed) {
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

std::vector<unsigned> usual_worker_counts(unsigned processors) {
  std::vector<unsigned> counts;
  for (unsigned each = 1; each < processors; each *= 2) counts.push_back(each);
  counts.push_back(processors);
  return counts;
}

bool is_measured_with(unsigned workers, const std::vector<unsigned>& all,
                      const std::string& scheduler) {
  const bool is_serial = scheduler == "serial" || scheduler == cell::sequential_name;
  return !is_serial || workers == std::ranges::max(all);
}

CLI::Option* add_size(settings& options, std::string& size) {
  return options.add("--size", size, "Size of each workload: preset parameter values")
      ->type_name("SIZE")
      ->check(cell::one_of({kit::size_names.begin(), kit::size_names.end()}))
      ->capture_default_str();
}

CLI::Option* add_assignments(settings& options, std::vector<std::string>& set,
                             const std::string& help) {
  return options.add("--set", set, help + ". May be repeated")->type_name(cell::takes::assignment);
}

std::vector<kit::assignment> assignments_in(const std::vector<std::string>& set) {
  std::vector<kit::assignment> assignments;
  for (const std::string& each : set) assignments.push_back(kit::parse_assignment(each));
  return assignments;
}

void workload_sizes::declare(settings& options) {
  add_size(options, of_all_);
  options.add("--size-of", of_some_, "Another size for some workloads, each as WORKLOAD=SIZE")
      ->type_name("WORKLOAD=SIZE");
}

void workload_sizes::check(const std::vector<std::string>& workloads) const {
  for (const std::string& each : of_some_) {
    const auto [workload, size] = kit::parse_assignment(each, "--size-of");
    if (std::ranges::count(workloads, workload) == 0) {
      throw kit::bad_input(fmt::format("--size-of {}: no such workload is chosen; valid: {}", each,
                                       fmt::join(workloads, ", ")));
    }
    if (std::ranges::count(kit::size_names, size) == 0) {
      throw kit::bad_input(fmt::format("--size-of {}: no such size; valid: {}", each,
                                       fmt::join(kit::size_names, ", ")));
    }
  }
  for (const std::string& each : workloads) static_cast<void>(instances_of(each));
}

std::vector<dataset::instance> workload_sizes::instances_of(
    const std::string& workload, const std::vector<kit::assignment>& set) const {
  std::string chosen = of_all_;
  for (const std::string& each : of_some_) {
    const auto [name, size] = kit::parse_assignment(each, "--size-of");
    if (name == workload) chosen = size;
  }
  return rounds::instances_of(rounds::find_workload(workload), chosen, set);
}

}  // namespace stealbench::experiments
