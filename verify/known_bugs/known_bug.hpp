// A known bug is two checks over one suite: `<bug>/broken`, which must be caught with the outcome
// that README.md states, and `<bug>/sound`, the same without the defect, which must pass: so what
// is caught is the defect, and not the suite.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "verify/check.hpp"

namespace stealbench::verify {

struct known_bug {
  std::string name;
  std::string sentence;  ///< What goes wrong.
  std::string outcome;   ///< Relacy's, of the first execution that fails, in each search.
  std::vector<search> searches;
  std::function<verdict(bool broken, const search&)> explore;
};

/// The scenario of a broken one begins with its outcome, for catalogue.sh to compare.
[[nodiscard]] inline std::vector<check> twice(const std::vector<known_bug>& bugs) {
  std::vector<check> checks;
  for (const known_bug& bug : bugs) {
    for (const bool broken : {true, false}) {
      checks.push_back(
          {bug.name + (broken ? "/broken" : "/sound"),
           broken ? bug.outcome + ": " + bug.sentence : "The same without the defect.",
           bug.searches,
           [explore = bug.explore, broken](const search& s) { return explore(broken, s); },
           broken ? bug.outcome : std::string(passes)});
    }
  }
  return checks;
}

}  // namespace stealbench::verify
