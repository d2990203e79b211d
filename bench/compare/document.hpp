// A raw file of measurements, read back.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "bench/compare/tables.hpp"

namespace stealbench::compare {

struct document {
  std::filesystem::path file;
  nlohmann::ordered_json context;
  /// Every cell, the failed ones too, in the order of the file. Their executables are not known.
  /// A cell that an unfinished recording has not come to has failed with that reason.
  std::vector<cell_result> cells;
  /// What was measured: for each cell its entries, by round, as they stand in the file.
  std::vector<std::vector<nlohmann::ordered_json>> rounds;
};

/// Reads a file and checks all of it. `kind` is what the context must say: comparison, grain, metg
/// or micro. Throws workloads::bad_input, which names the file, what is wrong with it and what is
/// valid.
[[nodiscard]] document read_document(const std::filesystem::path& file, std::string_view kind);

/// One figure of a cell, of every round; nothing if a round lacks it. `member` is its name in an
/// entry. Throws workloads::bad_input if it is there and is no finite number.
[[nodiscard]] std::vector<double> figures_of(const document& of, std::size_t cell,
                                             const char* member);

}  // namespace stealbench::compare
