#include "results/report/document.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace stealbench::report {
namespace {

/// Blocks for a terminal.
class text_writer {
 public:
  explicit text_writer(text_style style) : style_(style) {}

  void operator()(const paragraph& what) { text_ += what.text + "\n"; }
  void operator()(const table& what) { text_ += to_text(what, style_) + "\n"; }
  void operator()(const plot_group& /*what*/) {}
  void operator()(const definition_list& what) {
    for (const definition& each : what.definitions) {
      text_ += fmt::format("{}: {}\n", each.term, each.meaning);
    }
  }

  void write(const document& what, prominence shown) {
    for (const section& each : what.sections) {
      if (each.shown != shown) continue;
      for (const block& part : each.blocks) std::visit(*this, part);
      text_ += '\n';
    }
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  text_style style_;
  std::string text_;
};

class markdown_writer {
 public:
  void operator()(const paragraph& what) { text_ += what.text + "\n\n"; }
  void operator()(const table& what) { text_ += to_markdown(what) + "\n"; }
  void operator()(const plot_group& /*what*/) {}
  void operator()(const definition_list& what) {
    for (const definition& each : what.definitions) {
      text_ += fmt::format("- **{}**: {}\n", each.term, each.meaning);
    }
    text_ += '\n';
  }

  void write(const section& what) {
    const auto is_shown = [](const block& each) {
      return !std::holds_alternative<plot_group>(each);
    };
    if (std::none_of(what.blocks.begin(), what.blocks.end(), is_shown)) return;
    text_ += fmt::format("## {}\n\n", what.title);
    for (const block& each : what.blocks) std::visit(*this, each);
  }

  [[nodiscard]] std::string& text() { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::string to_text(const document& what, text_style style) {
  text_writer writer(style);
  writer.write(what, prominence::tables);
  writer.write(what, prominence::summary);
  return writer.text();
}

std::string to_markdown(const document& what) {
  markdown_writer writer;
  for (const section& each : what.sections) writer.write(each);
  return fmt::format("# {}\n\n{}", what.title, writer.text());
}

std::string summary_in_markdown(const document& what) {
  markdown_writer writer;
  for (const section& each : what.sections) {
    if (each.shown != prominence::summary) continue;
    for (const block& part : each.blocks) std::visit(writer, part);
  }
  return writer.text();
}

}  // namespace stealbench::report
