// `stealbench validate`: measured times and simulated ones.
#include "verify/fuzz/datasets.hpp"

void stealbench::fuzz::try_input(const std::string& text) {
  const auto [measured, simulated] = read_two(text);
  const auto found = analysis::validate(measured, simulated);
  const report::document document{"", sections::validation_sections(found, measured, simulated)};
  expect_clean(to_text(document));
  expect_clean(to_markdown(document));
  static_cast<void>(analysis::accuracy_of(found));
}
