#include <sstream>
#include <stdexcept>

#include "results/sections/guides.md.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::sections {

section guide_with(std::string_view title, fmt::format_args values) {
  constexpr std::string_view term = "- **";
  constexpr std::string_view meaning = "**: ";
  const std::size_t begin = embedded::guides_md.find(fmt::format("\n## {}\n", title));
  if (begin == std::string_view::npos) throw std::invalid_argument("a guide that is not written");
  const std::size_t end =
      std::min(embedded::guides_md.find("\n## ", begin + 1), embedded::guides_md.size());
  std::istringstream lines{std::string(embedded::guides_md.substr(begin + 1, end - begin - 1))};
  std::string line;
  std::getline(lines, line);
  paragraph before;
  report::definition_list terms;
  while (std::getline(lines, line)) {
    if (const std::size_t colon = line.find(meaning); line.starts_with(term)) {
      terms.definitions.push_back(
          {line.substr(term.size(), colon - term.size()), line.substr(colon + meaning.size())});
    } else if (!terms.definitions.empty()) {  // It goes on, behind two spaces.
      terms.definitions.back().meaning += line.substr(std::min<std::size_t>(1, line.size()));
    } else if (!line.empty()) {
      before.text += (before.text.empty() ? "" : " ") + line;
    }
  }
  for (report::definition& each : terms.definitions) {
    each.meaning = fmt::vformat(each.meaning, values);
  }
  section found{std::string(title), prominence::tables, {}};
  if (!before.text.empty()) found.blocks.emplace_back(std::move(before));
  if (!terms.definitions.empty()) found.blocks.emplace_back(std::move(terms));
  return found;
}

std::string guide_text(std::string_view title) {
  return std::get<paragraph>(guide(title).blocks.at(0)).text;
}

}  // namespace stealbench::sections
