#include "results/report/document.hpp"

#include <optional>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "results/report/format.hpp"

namespace stealbench::report {
namespace {

/// Blocks for a terminal, or else as Markdown.
struct writer {
  std::optional<terminal> on;
  std::string text = {};

  void operator()(const paragraph& what) { text += shown(what.text) + (on ? "\n" : "\n\n"); }
  void operator()(const table& what) {
    text += (on ? to_text(what, *on) : to_markdown(what)) + "\n";
  }
  void operator()(const plot_group& /*what*/) {}
  void operator()(const definition_list& what) {
    for (const definition& each : what.definitions) {
      text += fmt::format(fmt::runtime(on ? "{}: {}\n" : "- **{}**: {}\n"), shown(each.term),
                          shown(each.meaning));
    }
    if (!on) text += '\n';
  }

  [[nodiscard]] std::string shown(const std::string& words) const {
    return on ? on_one_line(words) : escape_markdown(words);
  }
};

std::string written(const section& what, const std::optional<terminal>& on) {
  writer blocks{on};
  for (const block& each : what.blocks) std::visit(blocks, each);
  return blocks.text;
}

std::string written(const document& what, prominence shown, const std::optional<terminal>& on) {
  std::string text;
  for (const section& each : what.sections) {
    const std::string blocks = each.shown == shown ? written(each, on) : "";
    if (!blocks.empty()) text += blocks + (on ? "\n" : "");
  }
  return text;
}

}  // namespace

std::string to_text(const document& what, const terminal& on) {
  return written(what, prominence::tables, on) + written(what, prominence::summary, on);
}

std::string to_markdown(const document& what) {
  std::string text = what.title.empty() ? "" : fmt::format("# {}\n\n", escape_markdown(what.title));
  for (const section& each : what.sections) {
    const std::string blocks = written(each, {});
    if (!blocks.empty()) text += fmt::format("## {}\n\n{}", escape_markdown(each.title), blocks);
  }
  return text;
}

std::string summary_in_markdown(const document& what) {
  return written(what, prominence::summary, {});
}

}  // namespace stealbench::report
