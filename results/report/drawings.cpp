#include <cctype>
#include <string_view>

#include "results/report/document.hpp"

namespace stealbench::report {
namespace {

// The page's ink and fonts (page.css).
constexpr std::string_view colours =
    "<style>svg{color:#1c1f24;font-family:system-ui,sans-serif}"
    "@media (prefers-color-scheme:dark){svg{color:#e6e7e9}}</style>";

std::string name_of(std::string_view title) {
  std::string name;
  for (const char each : title) {
    const auto byte = static_cast<unsigned char>(each);
    if (std::isalnum(byte) != 0) {
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return name;
}

drawing drawn(const plot_group::captioned& each) {
  return std::visit(
      [](const auto& plot) {
        std::string svg = to_svg(plot, "plot");
        svg.insert(svg.find('>') + 1, colours);
        return drawing{name_of(plot.title), std::move(svg)};
      },
      each.plot);
}

}  // namespace

std::vector<drawing> to_drawings(const document& what) {
  std::vector<drawing> all;
  for (const section& part : what.sections) {
    for (const block& each : part.blocks) {
      const auto* group = std::get_if<plot_group>(&each);
      if (group == nullptr) continue;
      for (const plot_group::captioned& plot : group->plots) all.push_back(drawn(plot));
    }
  }
  return all;
}

}  // namespace stealbench::report
