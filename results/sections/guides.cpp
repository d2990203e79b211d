#include <sstream>
#include <stdexcept>

#include "results/sections/guides.md.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {

section guide_with(std::string_view title, fmt::format_args values) {
  constexpr std::string_view term = "- **";
  constexpr std::string_view meaning = "**: ";
  const std::size_t begin = texts::guides.find(fmt::format("\n## {}\n", title));
  if (begin == std::string_view::npos) throw std::invalid_argument("a guide that is not written");
  const std::size_t end = std::min(texts::guides.find("\n## ", begin + 1), texts::guides.size());
  std::istringstream lines{std::string(texts::guides.substr(begin + 1, end - begin - 1))};
  std::string line;
  std::getline(lines, line);
  section found{std::string(title), report::prominence::tables, {}};
  report::definition_list terms;
  while (std::getline(lines, line)) {
    if (const std::size_t colon = line.find(meaning); line.starts_with(term)) {
      terms.definitions.push_back(
          {line.substr(term.size(), colon - term.size()), line.substr(colon + meaning.size())});
    } else if (line.starts_with(' ')) {
      terms.definitions.back().meaning += line.substr(1);
    } else if (!line.empty()) {
      found.blocks.emplace_back(paragraph{line});
    }
  }
  for (report::definition& each : terms.definitions)
    each.meaning = fmt::vformat(each.meaning, values);
  found.blocks.emplace_back(std::move(terms));
  return found;
}

}  // namespace stealbench::sections
