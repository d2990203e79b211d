#include "results/report/document.hpp"

#include <optional>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "results/report/format.hpp"

namespace stealbench::report {
namespace {

/// Blocks for a terminal, or else as Markdown.
class writer {
 public:
  explicit writer(std::optional<terminal> on) : terminal_(on) {}

  void operator()(const paragraph& what) {
    text_ += shown(what.text) + (terminal_ ? "\n" : "\n\n");
  }
  void operator()(const table& what) {
    text_ += (terminal_ ? to_text(what, *terminal_) : to_markdown(what)) + "\n";
  }
  void operator()(const plot_group& /*what*/) {}
  void operator()(const definition_list& what) {
    for (const definition& each : what.definitions) {
      text_ += fmt::format(fmt::runtime(terminal_ ? "{}: {}\n" : "- **{}**: {}\n"),
                           shown(each.term), shown(each.meaning));
    }
    if (!terminal_) text_ += '\n';
  }

  void write(const section& what) {
    for (const block& each : what.blocks) std::visit(*this, each);
    if (terminal_) text_ += '\n';
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  [[nodiscard]] std::string shown(const std::string& text) const {
    return terminal_ ? on_one_line(text) : escape_markdown(text);
  }

  std::optional<terminal> terminal_;
  std::string text_;
};

std::string written(const document& what, prominence shown, std::optional<terminal> on) {
  writer made(on);
  for (const section& each : what.sections) {
    if (each.shown == shown) made.write(each);
  }
  return made.text();
}

}  // namespace

std::string to_text(const document& what, const terminal& on) {
  return written(what, prominence::tables, on) + written(what, prominence::summary, on);
}

std::string to_markdown(const document& what) {
  std::string text = what.title.empty() ? "" : fmt::format("# {}\n\n", escape_markdown(what.title));
  for (const section& each : what.sections) {
    writer blocks({});
    blocks.write(each);
    if (!blocks.text().empty())
      text += fmt::format("## {}\n\n{}", escape_markdown(each.title), blocks.text());
  }
  return text;
}

std::string summary_in_markdown(const document& what) {
  return written(what, prominence::summary, {});
}

}  // namespace stealbench::report
