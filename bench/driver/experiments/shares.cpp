#include "bench/driver/experiments/shares.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "bench/driver/experiments/experiment.hpp"
#include "bench/driver/rounds/schedule.hpp"
#include "results/dataset/appender.hpp"
#include "results/system/compressed_file.hpp"
#include "workloads/kit/parameters.hpp"

namespace stealbench::experiments {
namespace {

namespace fs = std::filesystem;
using dataset::json;
using dataset::measurements;
using kit::bad_input;

/// Not SLURM_NTASKS, which a batch script has, too: it is no member of anything.
constexpr std::array<std::array<const char*, 3>, 3> rank_and_ranks{
    {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
     {"PMI_RANK", "PMI_SIZE", "MPI_LOCALNRANKS"},
     {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS_PER_NODE"}}};

unsigned number_in(const char* variable, const char* text) {
  const std::string_view all(text);
  unsigned value = 0;
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), value);
  if (error == std::errc() && end == all.data() + all.size()) return value;
  throw bad_input(
      fmt::format("{} is '{}'; valid: a whole number, as mpirun and srun set it", variable, text));
}

/// A raw file that holds a share.
struct part {
  fs::path file;
  measurements data;

  [[nodiscard]] unsigned share(const char* key) const {
    return data.header().at("share").at(key).get<unsigned>();
  }
};

part read_part(const fs::path& where) {
  std::error_code error;
  for (const auto& each : all()) {
    const auto file = fs::is_directory(where, error) ? dataset::find_file(where, each->name())
                                                     : std::optional(where);
    if (!file) continue;
    part found{*file, dataset::read_file(*file).data};
    if (is_share(found.data)) return found;
  }
  throw bad_input(fmt::format(
      "'{}' is no share of a sweep, where others are; valid: all of them shares, or none",
      where.string()));
}

/// What the shares say of the build: the first of which a process has ended well.
json context_of(std::span<const part> parts) {
  const auto has_context = [](const part& each) { return !each.data.context().empty(); };
  const auto found = std::ranges::find_if(parts, has_context);
  return found == parts.end() ? json::object() : found->data.context();
}

/// All of one sweep, by rank.
std::vector<part> read_parts(std::span<const fs::path> shares) {
  std::map<unsigned, part> by_rank;
  for (const fs::path& each : shares) {
    part read = read_part(each);
    const unsigned rank = read.share("rank");
    if (rank >= read.share("ranks")) {
      throw bad_input(fmt::format("'{}' is of rank {} of {}; valid: a file as it was written",
                                  each.string(), rank, read.share("ranks")));
    }
    const auto [place, is_new] = by_rank.emplace(rank, std::move(read));
    if (!is_new) {
      throw bad_input(fmt::format("'{}' and '{}' are both of rank {}; valid: each share once",
                                  place->second.file.string(), each.string(), rank));
    }
  }
  std::vector<part> parts;
  parts.reserve(by_rank.size());
  for (auto& [rank, read] : by_rank) parts.push_back(std::move(read));
  const part& first = parts.front();
  for (const part& each : parts) {
    for (const char* const key : {"experiment", "settings", "about"}) {
      if (each.data.header().at(key) == first.data.header().at(key)) continue;
      throw bad_input(fmt::format("'{}' and '{}' differ in their {}; valid: shares of one sweep",
                                  first.file.string(), each.file.string(), key));
    }
    const json& context = each.data.context();
    if ((!context.empty() && context != context_of(parts)) ||
        each.share("ranks") != first.share("ranks")) {
      throw bad_input(fmt::format(
          "'{}' and '{}' are of different builds or numbers of ranks; valid: shares of one sweep",
          first.file.string(), each.file.string()));
    }
    if (each.data.is_finished()) continue;
    throw bad_input(fmt::format(
        "'{}' is not finished; valid: finished shares; to continue, start the sweep again with "
        "--resume",
        each.file.string()));
  }
  const unsigned ranks = first.share("ranks");
  const unsigned expected = std::min(ranks, first.share("benchmarks"));
  for (unsigned rank = 0; rank < expected; ++rank) {
    if (rank >= parts.size() || parts[rank].share("rank") != rank) {
      throw bad_input(fmt::format("the share of rank {} of {} is missing; valid: the shares of all",
                                  rank, ranks));
    }
    const std::size_t due = (first.share("benchmarks") - rank + ranks - 1) / ranks;
    if (const std::size_t found = parts[rank].data.cells().size(); found != due) {
      throw bad_input(
          fmt::format("'{}' has {} benchmarks, and its rank {}; valid: a file as it was "
                      "written",
                      parts[rank].file.string(), found, due));
    }
  }
  return parts;
}

/// The line of each process, by its round and the name of its benchmark.
std::map<std::pair<unsigned, std::string>, json> processes_of(const std::vector<part>& parts) {
  std::map<std::pair<unsigned, std::string>, json> lines;
  for (const part& each : parts) {
    system::compressed_file file(each.file);
    for (std::string text; std::getline(file, text);) {
      json line = json::parse(text, nullptr, false);
      if (!line.is_object() || line.value("type", "") != "process") continue;
      std::pair key(line.at("round").get<unsigned>(), line.at("cell").get<std::string>());
      lines.emplace(std::move(key), std::move(line));
    }
  }
  return lines;
}

/// Cell i of the whole is of rank i mod ranks.
json header_of(const std::vector<part>& parts) {
  json header = parts.front().data.header();
  json& cells = header["cells"] = json::array();
  const std::size_t benchmarks = parts.front().share("benchmarks");
  for (std::size_t i = 0; i < benchmarks; ++i) {
    cells.push_back(parts[i % parts.size()].data.header().at("cells").at(i / parts.size()));
  }
  header.erase("share");
  return header;
}

}  // namespace

member this_member() {
  for (const auto& [rank, ranks, local] : rank_and_ranks) {
    // NOLINTBEGIN(concurrency-mt-unsafe): nothing here sets the environment.
    const char* const own = std::getenv(rank);
    const char* const all = std::getenv(ranks);
    const char* const near = std::getenv(local);
    // NOLINTEND(concurrency-mt-unsafe)
    if (own == nullptr || all == nullptr) continue;
    const member self{.rank = number_in(rank, own),
                      .ranks = number_in(ranks, all),
                      .local = near == nullptr ? 0 : number_in(local, near)};
    if (self.rank < self.ranks) return self;
    throw bad_input(fmt::format("{} is {} and {} is {}; valid: a rank below the number of ranks",
                                rank, own, ranks, all));
  }
  return {};
}

fs::path folder_of(const member& self, const fs::path& output) {
  return self.is_alone() ? output : output / fmt::format("rank-{}", self.rank);
}

std::vector<dataset::cell> share_of(const member& self, std::span<const dataset::cell> cells) {
  std::vector<dataset::cell> own;
  for (std::size_t i = self.rank; i < cells.size(); i += self.ranks) own.push_back(cells[i]);
  return own;
}

json json_of(const member& self, std::size_t benchmarks) {
  return {{"rank", self.rank}, {"ranks", self.ranks}, {"benchmarks", benchmarks}};
}

bool is_share(const measurements& data) { return data.header().contains("share"); }

void join_shares(std::span<const fs::path> shares, const fs::path& output) {
  const std::vector<part> parts = read_parts(shares);
  const measurements& first = parts.front().data;
  const auto lines = processes_of(parts);
  const experiment& subject = *kit::find_named(
      all(), [](const auto& each) { return each->name(); }, first.experiment(), "");
  dataset::appender file(output, first.experiment(), dataset::earlier::keep);
  measurements joined;
  std::vector<json> whole;
  const auto add = [&](json line) {
    joined.apply(line);
    whole.push_back(std::move(line));
  };
  add(header_of(parts));
  add({{"type", "context"}, {"context", context_of(parts)}});
  std::mt19937_64 random(subject.plan().seed);
  const unsigned last_round = lines.empty() ? 0 : lines.rbegin()->first.first;
  for (unsigned round = 1; round <= last_round; ++round) {
    for (const std::size_t index : rounds::order_of_round(round, joined.cells(), random)) {
      const auto line = lines.find({round, name_of(joined.cells()[index].which)});
      if (line != lines.end()) add(line->second);
    }
  }
  double spent = 0;
  for (const part& each : parts) spent = std::max(spent, each.data.spent_seconds());
  add({{"type", "finished"}, {"spent_seconds", spent}, {"host_checks", json::array()}});
  // At once: half of it could be neither resumed nor written over.
  file.add_all(whole);
}

}  // namespace stealbench::experiments
