// `stealbench diff`: two raw files, and what has changed between them.
#include "results/sections/diff.hpp"

#include "verify/fuzz/datasets.hpp"

void stealbench::fuzz::try_input(const std::string& text) {
  constexpr double threshold = 0.03;
  const auto [before, after] = read_two(text);
  const auto found = sections::difference_between(before, after, threshold);
  expect_clean(to_text(sections::table_of(found, true)));
  expect_clean(sections::summary_of(found, threshold));
}
