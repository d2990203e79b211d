// The options and settings of a search over several processes.
#pragma once

#include <vector>

#include "schedulers/cluster/partners.hpp"
#include "schedulers/setting_row.hpp"

namespace stealbench::cluster {

struct options {
  balance how = balance::lifeline;
  /// How many processes a row of a table starts, which share its workers evenly. 0: none; the
  /// ranks are those that `mpirun` has started, each with as many workers as the options say.
  unsigned ranks = 0;
};

/// In the order of the canonical form.
[[nodiscard]] inline std::vector<schedulers::row> setting_rows() {
  return {
      schedulers::row_of(
          "balance", "whom a rank without tasks asks", &options::how,
          {{"lifeline",
            balance::lifeline,
            {.summary = "a random rank, then its neighbours in a hypercube, which give later",
             .paper = "Saraswat, Kambadur, Kodali, Grove & Krishnamoorthy 2011"}},
           {"random", balance::random, {.summary = "random ranks"}},
           {"master", balance::master, {.summary = "rank 0, which hands out and expands none"}}}),
      schedulers::row_of("ranks", "processes that share the workers", &options::ranks,
                         {{"started", 0U, {.summary = "those that mpirun has started"}},
                          {"2", 2U, {}},
                          {"3", 3U, {}},
                          {"4", 4U, {}},
                          {"7", 7U, {}},
                          {"8", 8U, {}},
                          {"16", 16U, {}}})};
}

}  // namespace stealbench::cluster
