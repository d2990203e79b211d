// Without libFuzzer: every file of the folders that exist, and some changes of each, once.
//   replay SEEDS FOLDER...  What is in SEEDS must be read; what fuzzers have found may be refused.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <system_error>

#include "verify/fuzz/profile.hpp"

int main(int argc, char** argv) {
  constexpr unsigned changes = 200;
  unsigned files = 0;
  for (int i = 1; i < argc; ++i) {
    std::error_code missing;
    for (const auto& file : std::filesystem::directory_iterator(argv[i], missing)) {
      if (!file.is_regular_file()) continue;  // What an older build has left.
      ++files;
      std::ifstream stream(file.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(stream), {}};
      std::cout << file.path() << std::endl;  // Before an exception ends this process.
      if (!stealbench::fuzz::try_profile(text) && i == 1) return 1;
      for (unsigned seed = 1; seed <= changes; ++seed) {
        stealbench::fuzz::try_profile(stealbench::fuzz::mutated(text, seed));
      }
    }
  }
  return files == 0 ? 1 : 0;
}
