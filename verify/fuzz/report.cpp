// `stealbench report`: a raw file, all that is said of it, in every format.
#include <span>

#include "bench/driver/experiments/experiment.hpp"
#include "verify/fuzz/datasets.hpp"

void stealbench::fuzz::try_input(const std::string& text) {
  const dataset::measurements data = read(text);
  report::document document{"", sections::ablation_findings(std::span(&data, 1))};
  for (auto& each : experiments::sections_of(data)) document.sections.push_back(std::move(each));
  for (auto& each : sections::origin_sections(data)) document.sections.push_back(std::move(each));
  sections::name_machine(sections::machine_note(data), document.sections);
  expect_clean(to_text(document));
  expect_clean(to_markdown(document));
  expect_clean(to_html(document));
  expect_clean(to_csv(sections::csv_table(data)));
}
