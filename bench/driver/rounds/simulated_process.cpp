#include "bench/driver/rounds/simulated_process.hpp"

#include <array>
#include <system_error>
#include <utility>

#include "results/dataset/measurements.hpp"
#include "results/system/whole_file.hpp"

namespace stealbench::rounds {
namespace {

using nlohmann::ordered_json;

/// Whether it is of this cell and this seed.
bool is_of(const ordered_json& printed, const target& subject, std::uint64_t seed) {
  return dataset::sample_of(printed, dataset::source::simulation) &&
         printed.value("workload", ordered_json()) == subject.which.what.workload &&
         printed.value("workers", ordered_json()) == subject.which.workers &&
         printed.value("seed", ordered_json()) == seed;
}

/// Leaves out what no report shows and what would be most of a raw file: the counters of any seed
/// but the first (dataset::measurements), and of more workers than machines are validated with a
/// list of each one's.
void shorten(ordered_json& printed, const target& subject, std::uint64_t seed) {
  constexpr unsigned most_listed_workers = 16;
  if (seed > 1) {
    printed.erase("counters");
  } else if (subject.which.workers > most_listed_workers && printed.contains("counters")) {
    printed["counters"].erase("per_worker");
  }
}

}  // namespace

profile_file::profile_file(std::filesystem::path path, const ordered_json& profile)
    : path_(std::move(path)) {
  system::write_atomically(path_, profile.dump());
}

profile_file::~profile_file() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

system::process_request simulation_of(const target& subject, std::uint64_t seed,
                                      const std::filesystem::path& profile, timeout limit) {
  system::process_request request{subject.executable, arguments_of(subject), limit};
  // Counters of 4096 workers are long.
  request.most_output_bytes = std::size_t{16} << 20;
  for (const std::string& each :
       {std::string("--profile"), profile.string(), std::string("--seed"), std::to_string(seed)}) {
    request.arguments.push_back(each);
  }
  if (!subject.which.varied.empty()) {
    request.arguments.emplace_back("--vary");
    request.arguments.push_back(subject.which.varied);
  }
  return request;
}

timed_run read_simulation(const system::process_result& result, const target& subject,
                          std::uint64_t seed, timeout limit) {
  timed_run run;
  ordered_json printed = ordered_json::parse(result.output, nullptr, false);
  const bool is_whole = !printed.is_discarded() && is_of(printed, subject, seed);
  if (is_whole && printed.value("verified", ordered_json()) == false) {
    run.failure = "wrong answer";
  } else if (result.how != system::ending::exited || result.status != 0) {
    run.failure = reason_of(result, limit);
  } else if (!is_whole) {
    run.failure = "unreadable output: not the JSON of this simulation";
  } else {
    shorten(printed, subject, seed);
    run.entry = std::move(printed);
  }
  return run;
}

}  // namespace stealbench::rounds
