#include "results/report/svg.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace stealbench::report {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view into) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + into.size())) {
    text.replace(at, from.size(), into);
  }
}

/// Everything from one text to the other, both included, wherever that occurs.
void remove_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t begin = text.find(from); begin != std::string::npos;
       begin = text.find(from, begin)) {
    const std::size_t end = text.find(to, begin + from.size());
    if (end == std::string::npos) return;
    text.erase(begin, end + to.size() - begin);
  }
}

void expect_id(std::string_view id) {
  const auto is_letter = [](char each) {
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z');
  };
  const auto is_part = [&](char each) {
    return is_letter(each) || (each >= '0' && each <= '9') || each == '-';
  };
  if (id.empty() || !is_letter(id.front()) || !std::all_of(id.begin(), id.end(), is_part)) {
    throw std::invalid_argument(fmt::format("'{}' is no id of a drawing", id));
  }
}

/// The value of viewBox and what follows the head: gnuplot writes the size, a title, a description.
std::pair<std::string, std::string> split(std::string_view drawn) {
  constexpr std::string_view box = "viewBox=\"";
  constexpr std::string_view last_of_head = "</desc>";
  const std::size_t box_begin = drawn.find(box);
  const std::size_t head_end = drawn.find(last_of_head);
  const std::size_t end = drawn.rfind("</svg>");
  if (box_begin == std::string_view::npos || head_end == std::string_view::npos ||
      end == std::string_view::npos || box_begin > head_end || head_end > end) {
    throw std::invalid_argument("not a drawing of gnuplot's svg terminal");
  }
  const std::size_t value = box_begin + box.size();
  const std::size_t body = head_end + last_of_head.size();
  return {std::string(drawn.substr(value, drawn.find('"', value) - value)),
          std::string(drawn.substr(body, end - body))};
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    switch (each) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += byte < 0x20U || byte == 0x7FU ? ' ' : each;
    }
  }
  return escaped;
}

std::string embeddable(std::string_view drawn, std::string_view id, const text_alternative& words) {
  expect_id(id);
  auto [box, body] = split(drawn);
  remove_all(body, "<filter", "</filter>");  // For boxes behind text, which no plot here has.
  remove_all(body, "<title>", "</title>");   // "gnuplot_plot_1" would show under the pointer.
  // In this order: what one step writes no later step finds.
  const std::string in_single = fmt::format("id='{}-", id);
  const std::string in_double = fmt::format("id=\"{}-", id);
  const std::string reference = fmt::format("href='#{}-", id);
  const std::array<std::pair<std::string_view, std::string_view>, 13> steps{
      {{"id='", in_single},
       {"id=\"", in_double},
       {"xlink:href='#", reference},
       {" color=\"black\"", ""},
       {" color=\"white\"", ""},
       {"color='rgb(  0,   0,   0)'", ""},
       {"stroke='black'", "stroke='currentColor'"},
       {"stroke=\"black\"", "stroke=\"currentColor\""},
       {"fill=\"black\"", "fill=\"currentColor\""},
       {"'rgb(  0,   0,   0)'", "'currentColor'"},
       {"\"rgb(  0,   0,   0)\"", "\"currentColor\""},
       {"\"rgb(0,0,0)\"", "\"currentColor\""},
       {"stroke='rgb(  1,   2,   3)'", "stroke='currentColor' stroke-opacity='0.15'"}}};
  for (const auto& [from, into] : steps) replace_all(body, from, into);
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"{0}\" role=\"img\" "
      "aria-labelledby=\"{1}-title {1}-description\">\n<title id=\"{1}-title\">{2}</title>\n"
      "<desc id=\"{1}-description\">{3}</desc>\n{4}</svg>\n",
      box, id, escape_html(words.title), escape_html(words.description), body);
}

}  // namespace stealbench::report
