#include "verify/variable_names.hpp"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <utility>

namespace stealbench::verify {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// What a source line calls a variable.
struct mention {
  std::string name;
  bool is_element = false;  // of an array: the name is the array's
};

// The last variable of an expression: `top` of `this->top_`, `array` of `buffer->array()[i & m]`.
mention last_variable(std::string_view expression) {
  mention last;
  std::size_t end = expression.size();
  std::string_view group;
  while (end > 0) {
    const char c = expression[end - 1];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      --end;
    } else if (c == ')' || c == ']') {
      std::size_t begin = end - 1;
      for (int depth = 1; depth > 0 && begin > 0;) {
        --begin;
        if (expression[begin] == ')' || expression[begin] == ']') ++depth;
        if (expression[begin] == '(' || expression[begin] == '[') --depth;
      }
      last.is_element |= c == ']';
      group = expression.substr(begin + 1, end - begin - 2);
      end = begin;
    } else {
      break;
    }
  }
  std::size_t begin = end;
  while (begin > 0 && is_word(expression[begin - 1])) --begin;
  last.name = expression.substr(begin, end - begin);
  if (last.name.empty() && !group.empty()) return last_variable(group);
  while (last.name.ends_with('_')) last.name.pop_back();
  return last;
}

/// The files that the steps name, each read once.
class source_files {
 public:
  /// The lines from `first` to `last`; empty where there is no such file or line.
  std::string lines(const std::string& file, unsigned first, unsigned last) {
    const auto [entry, is_new] = files_.try_emplace(file);
    if (is_new) {
      std::ifstream in(file);
      for (std::string line; std::getline(in, line);) entry->second.push_back(line + '\n');
    }
    std::string joined;
    for (unsigned i = std::max(first, 1U); i <= last && i <= entry->second.size(); ++i) {
      joined += entry->second[i - 1];
    }
    return joined;
  }

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

// What the variables are called whose member `call` is called in `text` at `from` or behind.
std::vector<mention> receivers(std::string_view text, std::string_view call, std::size_t from) {
  std::vector<mention> all;
  for (std::size_t at = text.find(call, from); at != std::string_view::npos;
       at = text.find(call, at + 1)) {
    const std::string_view before = text.substr(0, at);
    if (before.ends_with('.')) all.push_back(last_variable(before.substr(0, at - 1)));
    if (before.ends_with("->")) all.push_back(last_variable(before.substr(0, at - 2)));
  }
  return all;
}

// The first argument of each `wait(` and `notify_one(`, which are functions of the machine.
std::vector<mention> arguments(std::string_view text) {
  std::vector<mention> all;
  for (const std::string_view call : {"wait(", "notify_one("}) {
    for (std::size_t at = text.find(call); at != std::string_view::npos;
         at = text.find(call, at + 1)) {
      const std::size_t begin = at + call.size();
      all.push_back(last_variable(text.substr(begin, text.find_first_of(",)", begin) - begin)));
    }
  }
  return all;
}

/// What the source calls the variable of a step: more than one name if its line has several such
/// operations, none if it has none, as that of a constructor.
struct mentions {
  std::vector<mention> names;
  bool are_on_line = true;  ///< Or on one of the next two: Clang gives the line of the variable.
};

mentions mentions_of(const step& s, source_files& sources) {
  if (s.address.empty() || place_in_repository(s.file).empty()) return {};
  const std::string call = s.operation + (s.operation == "compare_exchange" ? "_" : "(");
  // The variable may be on a line above.
  const std::string before = sources.lines(s.file, s.line < 4 ? 1 : s.line - 3, s.line - 1);
  const std::string line = sources.lines(s.file, s.line, s.line);
  std::vector<mention> names = receivers(before + line, call, before.size());
  if (names.empty()) names = arguments(line);
  if (!names.empty()) return {names};
  return {receivers(line + sources.lines(s.file, s.line + 1, s.line + 2), call, 0), false};
}

std::uintptr_t number(const std::string& address) {
  return std::strtoull(address.c_str(), nullptr, 16);
}

/// How often each name was used for one variable, and whether as an array's.
struct votes {
  std::map<std::string, double> by_name;
  bool is_element = false;

  void add(const mentions& said) {
    for (const mention& m : said.names) {
      by_name[m.name] += (said.are_on_line ? 1.0 : 0.1) / static_cast<double>(said.names.size());
      is_element |= m.is_element;
    }
  }
  [[nodiscard]] std::string winner() const {
    const auto most =
        std::ranges::max_element(by_name, {}, [](const auto& entry) { return entry.second; });
    return most == by_name.end() ? std::string() : most->first;
  }
};

struct array {
  std::string name;
  std::vector<std::string> elements;  ///< Their addresses.

  // The next one has the same distance as the others.
  [[nodiscard]] bool goes_on_at(const std::string& address) const {
    const std::size_t size = elements.size();
    return size < 2 || number(address) - number(elements.back()) ==
                           number(elements.back()) - number(elements[size - 2]);
  }
};

// Those of which the source indexes a name, and which were constructed one behind the other by one
// line: that is where an array's elements have their numbers from.
std::vector<array> arrays_of(const std::vector<step>& steps, const std::vector<mentions>& mentioned,
                             const std::map<std::string, votes>& all) {
  std::vector<array> arrays;
  const step* last = nullptr;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const step& s = steps[i];
    const bool is_constructor =
        s.operation == "store" && !(mentioned[i].are_on_line && !mentioned[i].names.empty());
    if (!is_constructor) continue;
    const votes& element = all.at(s.address);
    if (!element.by_name.empty() && !element.is_element) continue;
    const std::string name = element.winner();
    if (i > 0 && last == &steps[i - 1] && last->line == s.line && last->file == s.file &&
        (name.empty() || arrays.back().name.empty() || name == arrays.back().name) &&
        arrays.back().goes_on_at(s.address)) {
      arrays.back().elements.push_back(s.address);
    } else {
      arrays.push_back({name, {s.address}});
    }
    if (!name.empty()) arrays.back().name = name;
    last = &s;
  }
  std::erase_if(arrays, [](const array& row) { return row.name.empty(); });
  return arrays;
}

}  // namespace

std::string_view place_in_repository(std::string_view file) {
  constexpr std::string_view here = __FILE__;
  constexpr std::string_view place = "verify/variable_names.cpp";
  static_assert(here.ends_with(place));
  constexpr std::string_view root = here.substr(0, here.size() - place.size());
  return file.starts_with(root) ? file.substr(root.size()) : std::string_view();
}

variable_names::variable_names(const std::vector<step>& steps) {
  source_files sources;
  std::vector<mentions> mentioned;
  std::map<std::string, votes> all;
  for (const step& s : steps) {
    mentioned.push_back(mentions_of(s, sources));
    if (!s.address.empty()) all[s.address].add(mentioned.back());
  }
  const std::vector<array> arrays = arrays_of(steps, mentioned, all);
  std::map<std::string, std::pair<const array*, std::size_t>> in_arrays;
  for (const array& row : arrays) {
    for (std::size_t i = 0; i < row.elements.size(); ++i) in_arrays[row.elements[i]] = {&row, i};
  }
  std::map<std::string, std::vector<std::string>> of_one_name;  // addresses, of an array the first
  for (const step& s : steps) {
    if (s.address.empty() || names_.contains(s.address)) continue;
    const auto in_array = in_arrays.find(s.address);
    const array* const row = in_array == in_arrays.end() ? nullptr : in_array->second.first;
    std::string name = row != nullptr ? row->name : all.at(s.address).winner();
    if (name.empty()) name = "variable";
    std::vector<std::string>& same = of_one_name[name];
    const std::string& first = row != nullptr ? row->elements.front() : s.address;
    const auto at = std::ranges::find(same, first);
    const auto nth = at - same.begin() + 1;
    if (at == same.end()) same.push_back(first);
    if (nth > 1) name += '#' + std::to_string(nth);
    if (row != nullptr) name += '[' + std::to_string(in_array->second.second) + ']';
    names_.emplace(s.address, std::move(name));
  }
}

std::string variable_names::of(const std::string& address) const {
  const auto name = names_.find(address);
  return name == names_.end() ? std::string() : name->second;
}

std::string variable_names::in(const std::string& values) {
  std::string named;
  for (std::size_t at = 0; at < values.size();) {
    const std::size_t begin = std::min(values.find("0x", at), values.size());
    named += values.substr(at, begin - at);
    if (begin == values.size()) break;
    at = std::min(values.find_first_not_of("0123456789abcdef", begin + 2), values.size());
    const std::string address = values.substr(begin, at - begin);
    if (names_.contains(address)) {
      named += '&' + names_[address];
    } else {
      named +=
          pointers_.try_emplace(address, 'p' + std::to_string(pointers_.size() + 1)).first->second;
    }
  }
  return named;
}

}  // namespace stealbench::verify
