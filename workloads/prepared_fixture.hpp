// For tests: the input of a workload for what a user would assign.
#pragma once

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "workloads/kit/parameters.hpp"

namespace stealbench::workloads {

template <class Workload>
typename Workload::input prepared(const std::vector<kit::assignment>& assignments) {
  return Workload::prepare({Workload::describe(), assignments});
}

/// What a user would assign: `n=1,2 leaf=16` is each value of a key with each of the others.
inline std::vector<std::vector<kit::assignment>> combined(const std::string& keys) {
  std::vector<std::vector<kit::assignment>> all(1);
  std::istringstream words(keys);
  for (std::string word; words >> word;) {
    const auto [key, values] = kit::parse_assignment(word);
    std::vector<std::vector<kit::assignment>> longer;
    std::istringstream each(values);
    for (std::string value; std::getline(each, value, ',');) {
      for (std::vector<kit::assignment> chosen : all) {
        chosen.emplace_back(key, value);
        longer.push_back(std::move(chosen));
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace stealbench::workloads
