// Without libFuzzer: every file of the folders that exist, and some changes of each, once.
//   replay SEEDS FOLDER...  What is in SEEDS must be read; what fuzzers have found may be refused.
#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "verify/fuzz/input.hpp"
#include "workloads/kit/parameters.hpp"

namespace {

/// Whether it is read, or refused as it should be.
bool is_good(const std::string& text, const std::filesystem::path& file, unsigned seed,
             bool may_be_refused = true) {
  try {
    stealbench::fuzz::try_input(text);
  } catch (const std::exception& error) {
    const bool is_refused = dynamic_cast<const stealbench::kit::bad_input*>(&error) != nullptr ||
                            dynamic_cast<const std::invalid_argument*>(&error) != nullptr;
    if (is_refused && may_be_refused) return true;
    std::cerr << file << ", change " << seed << ": " << error.what() << '\n';
    return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr unsigned changes = 200;
  std::vector<std::filesystem::path> files;
  for (int i = 1; i < argc; ++i) {
    std::error_code missing;
    for (const auto& each : std::filesystem::directory_iterator(argv[i], missing)) {
      files.push_back(each);
    }
  }
  std::ranges::sort(files);
  bool are_good = !files.empty();
  for (const auto& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    are_good &= is_good(text, file, 0, file.parent_path() != argv[1]);
    for (unsigned seed = 1; seed <= changes; ++seed) {
      are_good &= is_good(stealbench::fuzz::mutated(text, seed), file, seed);
    }
  }
  std::cout << files.size() << " inputs, " << changes << " changes of each\n";
  return are_good ? 0 : 1;
}
