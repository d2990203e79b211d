#include "verify/check.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <ostream>
#include <random>

namespace stealbench::verify {
namespace {

struct command_line {
  std::string_view suite;
  std::string_view search;
  std::string_view ctest_prefix;
  bool list = false;
};

int usage(std::string_view complaint) {
  std::cerr << complaint
            << "\nusage: [--list | --ctest PREFIX | --suite NAME [--search "
               "full|bound:N|random:N[@FIRST]]]\n";
  return 2;
}

// Null unless the whole text is a number above 0.
std::optional<std::uint64_t> parse_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number;
}

std::optional<search> parse_search(std::string_view text) {
  if (text == "full") return full;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view kind = text.substr(0, colon);
  const std::string_view rest = text.substr(colon + 1);
  const std::size_t at = rest.find('@');
  const std::optional<std::uint64_t> limit = parse_number(rest.substr(0, at));
  if (!limit) return std::nullopt;
  if (kind == "bound" && at == std::string_view::npos) return bound(*limit);
  if (kind != "random") return std::nullopt;
  if (at == std::string_view::npos) return random(*limit);
  const std::optional<std::uint64_t> first = parse_number(rest.substr(at + 1));
  return first ? std::optional(random(*limit, *first)) : std::nullopt;
}

// What the environment asks for instead of this search.
search with_fresh_seeds(const check& c, search s) {
  const char* const text = std::getenv("STEALBENCH_FRESH_SEEDS");
  const std::optional<std::uint64_t> factor =
      parse_number(text == nullptr ? std::string_view() : std::string_view(text));
  if (!factor || s.how != search::kind::random || s.first != 1 || c.expected.front() != passes) {
    return s;
  }
  // Relacy's generator takes some forty bits of an execution's number. Bits 32 to 35 plus 8 are the
  // shift of its congruence x += c + (x << shift), of which it gives the bits from the 16th on.
  // With 20 or more those that choose a thread stay the same for 65,536 steps; with bit 35 clear it
  // is 15 at most.
  std::random_device device;
  constexpr std::uint64_t seeds = std::uint64_t{1} << 38;
  constexpr std::uint64_t great_shift = std::uint64_t{1} << 35;
  return random(s.limit * *factor, (((std::uint64_t{device()} << 8) % seeds) & ~great_shift) + 2);
}

std::optional<command_line> parse(int argc, char** argv) {
  command_line line;
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--list") {
      line.list = true;
      continue;
    }
    if (i + 1 == argc) return std::nullopt;
    const std::string_view value = argv[++i];
    if (flag == "--suite") {
      line.suite = value;
    } else if (flag == "--search") {
      line.search = value;
    } else if (flag == "--ctest") {
      line.ctest_prefix = value;
    } else {
      return std::nullopt;
    }
  }
  return line;
}

bool is_expected(const check& c, const verdict& v) {
  return std::find(c.expected.begin(), c.expected.end(), v.outcome) != c.expected.end();
}

// A stream without a buffer takes everything and keeps nothing.
bool run_one(const check& c, const search& wanted) {
  const search s = with_fresh_seeds(c, wanted);
  std::ostream nowhere(nullptr);
  const verdict v = c.explore(s, nowhere);
  const bool passed = is_expected(c, v);
  std::printf("%-6s %s, %s: %s %s execution %llu, %.1f s\n", passed ? "ok" : "FAILED",
              c.name.c_str(), to_string(s).c_str(), v.outcome.c_str(),
              v.outcome == passes ? "up to" : "in", static_cast<unsigned long long>(v.executions),
              v.seconds);
  if (!passed) {
    std::printf("  expected: %s (%s)\n", c.expected.front().c_str(), c.scenario.c_str());
    std::fflush(stdout);
    // Every search is deterministic: this one ends in the same execution, and tells its history.
    if (v.outcome != passes) static_cast<void>(c.explore(s, std::cout));
  }
  std::fflush(stdout);
  return passed;
}

void print_list(const std::vector<check>& checks) {
  for (const check& c : checks) {
    std::cout << c.name << ":";
    for (const search& s : c.searches) {
      std::cout << ' ' << to_string(s);
      if (s.label != "long") std::cout << " (" << s.label << ')';
    }
    std::cout << "\n    " << c.scenario << '\n';
    if (!c.disabled.empty()) std::cout << "    disabled: " << c.disabled << '\n';
  }
}

// CTest reads this file when it runs (TEST_INCLUDE_FILES), so that a check is listed in one place.
void print_ctest(const std::vector<check>& checks, std::string_view prefix,
                 std::string_view program) {
  for (const check& c : checks) {
    for (const search& s : c.searches) {
      const std::string quoted =
          "[==[" + std::string(prefix) + c.name + "/" + to_string(s) + "]==]";
      std::cout << "add_test(" << quoted << " [==[" << program << "]==] --suite " << c.name
                << " --search " << to_string(s) << ")\n"
                << "set_tests_properties(" << quoted << " PROPERTIES LABELS [==[relacy;" << s.label
                << "]==]" << (s.label == "deep" ? " TIMEOUT 7200" : "")
                << (c.disabled.empty() ? "" : " DISABLED TRUE") << ")\n";
    }
  }
}

}  // namespace

std::string to_string(const search& s) {
  switch (s.how) {
    case search::kind::full:
      return "full";
    case search::kind::bound:
      return "bound:" + std::to_string(s.limit);
    case search::kind::random:
      break;
  }
  const std::string executions = "random:" + std::to_string(s.limit);
  return s.first == 1 ? executions : executions + "@" + std::to_string(s.first);
}

int run_checks(int argc, char** argv, const std::vector<check>& checks) {
  const std::optional<command_line> line = parse(argc, argv);
  if (!line) return usage("Unknown option, or an option without its value.");
  if (line->list) return print_list(checks), 0;
  if (!line->ctest_prefix.empty()) return print_ctest(checks, line->ctest_prefix, argv[0]), 0;

  std::optional<search> only;
  if (!line->search.empty()) {
    if (line->suite.empty()) return usage("--search goes with --suite.");
    only = parse_search(line->search);
    if (!only) return usage("Unknown search '" + std::string(line->search) + "'.");
  }
  bool found = false;
  bool passed = true;
  for (const check& c : checks) {
    if (line->suite.empty() ? !c.disabled.empty() : c.name != line->suite) continue;
    found = true;
    if (only) {
      passed &= run_one(c, *only);
    } else {
      for (const search& s : c.searches) {
        if (!line->suite.empty() || s.label == "long") passed &= run_one(c, s);
      }
    }
  }
  if (!found) return usage("Unknown suite '" + std::string(line->suite) + "'; see --list.");
  return passed ? 0 : 1;
}

}  // namespace stealbench::verify
