#include <array>
#include <random>
#include <vector>

#include <boost/algorithm/string.hpp>
#include <nlohmann/json.hpp>

#include "verify/fuzz/input.hpp"

namespace stealbench::fuzz {
namespace {

using json = nlohmann::ordered_json;

std::size_t draw(std::mt19937& random, std::size_t below) { return random() % below; }

/// What a program that reads JSON may not expect.
json unexpected(std::mt19937& random) {
  static const std::array<json, 18> values{json(),
                                           json(true),
                                           json(0),
                                           json(1),
                                           json(2),
                                           json(-1),
                                           json(1e308),
                                           json(5e-324),
                                           json(1e18),
                                           json(~std::uint64_t{0}),
                                           json(""),
                                           json("serial"),
                                           json("itself"),
                                           json("a=b"),
                                           json("<a\x1b|`\n\"'%{}"),
                                           json("1e999"),
                                           json::array({json::object()}),
                                           json::object({{"x", json::array()}})};
  return values.at(draw(random, values.size()));
}

/// One of all values below, itself included.
json& any_of(json& root, std::mt19937& random) {
  json* chosen = &root;
  while (chosen->is_structured() && !chosen->empty() && draw(random, 8) != 0) {
    auto next = chosen->begin();
    std::advance(next, static_cast<std::ptrdiff_t>(draw(random, chosen->size())));
    chosen = &*next;
  }
  return *chosen;
}

void change(json& line, std::mt19937& random) {
  json& chosen = any_of(line, random);
  if (chosen.is_structured() && !chosen.empty() && draw(random, 2) == 0) {
    auto member = chosen.begin();
    std::advance(member, static_cast<std::ptrdiff_t>(draw(random, chosen.size())));
    if (chosen.is_array() && draw(random, 2) == 0) {
      const json copy = *member;
      chosen.push_back(copy);
    } else {
      chosen.erase(member);
    }
  } else if (chosen.is_number() && draw(random, 2) == 0) {
    constexpr std::array factors{0.0, 0.5, 2.0, 1e-9, 1e9, -1.0};
    chosen = chosen.get<double>() * factors.at(draw(random, factors.size()));
  } else {
    chosen = unexpected(random);
  }
}

}  // namespace

std::string mutated(const std::string& text, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> lines;
  boost::split(lines, text, boost::is_any_of("\n"));
  const std::size_t at = draw(random, lines.size());
  const std::size_t other = draw(random, lines.size());
  if (draw(random, 6) == 0) {
    std::swap(lines[at], lines[other]);
  } else if (draw(random, 6) == 0) {
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[other]);
  } else if (json line = json::parse(lines[at], nullptr, false); !line.is_discarded()) {
    change(line, random);
    lines[at] = line.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  return boost::join(lines, "\n");
}

}  // namespace stealbench::fuzz
