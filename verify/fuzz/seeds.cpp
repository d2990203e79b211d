// Writes the inputs that the fuzzers begin with: small raw files of each experiment, made by the
// fixtures of the tests or cut from the reference runs, and the reference profile.
//   seeds FOLDER REFERENCE PROFILE
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "results/dataset/fixture.hpp"
#include "results/dataset/simulation_fixture.hpp"
#include "results/dataset/validation_fixture.hpp"
#include "results/system/compressed_file.hpp"

namespace {

namespace fs = std::filesystem;
using stealbench::dataset::json;
using stealbench::dataset::jsonl_of;
using stealbench::dataset::raw_lines;

/// The first cells with the first rounds of each.
std::string cut(const fs::path& file) {
  constexpr std::size_t most_cells = 6;
  constexpr unsigned most_rounds = 2;
  stealbench::system::compressed_file stream(file);
  raw_lines lines;
  for (std::string text; std::getline(stream, text);) {
    json line = json::parse(text);
    if (line.contains("cells")) {
      json& cells = line["cells"];
      while (cells.size() > most_cells) cells.erase(cells.size() - 1);
    }
    const bool is_kept = !line.contains("cell") ||
                         std::ranges::count(lines.front()["cells"], line["cell"],
                                            [](const json& each) { return each["name"]; }) > 0;
    if (is_kept && line.value("round", 1U) <= most_rounds && line["type"] != "finished") {
      lines.push_back(std::move(line));
    }
  }
  return jsonl_of(lines);
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const fs::path to = argv[1];
  const fs::path reference = argv[2];
  const std::string comparison = jsonl_of(stealbench::dataset::made_comparison());
  write(to / "report" / "comparison", comparison);
  write(to / "report" / "simulation", jsonl_of(stealbench::dataset::made_simulation()));
  for (const char* const run : {"comparison/compare", "comparison/grain", "comparison/metg",
                                "comparison/micro", "ablation/compare", "ablation/simulate"}) {
    std::string name = run;
    name[name.find('/')] = '-';
    write(to / "report" / name, cut(reference / (std::string(run) + ".jsonl.gz")));
  }
  raw_lines slower = stealbench::dataset::made_comparison();
  stealbench::dataset::slow_down(slower, "fib/serial/n:20/workers:1", 2);
  write(to / "diff" / "slower", comparison + '\n' + jsonl_of(slower));
  const std::string micro = cut(reference / "comparison/micro.jsonl.gz");
  write(to / "diff" / "micro", micro + '\n' + micro);
  const auto two = stealbench::dataset::made_validation();
  write(to / "validate" / "two", jsonl_of(two.measured) + '\n' + jsonl_of(two.simulated));
  std::ifstream profile(argv[3], std::ios::binary);
  write(to / "profile" / "reference", {std::istreambuf_iterator<char>(profile), {}});
  return 0;
}
