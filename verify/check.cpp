#include "verify/check.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <random>

#include <CLI/CLI.hpp>

namespace stealbench::verify {
namespace {

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
  if (text == nullptr || s.how != search::kind::random || s.first != 1 || c.expected != passes) {
    return s;
  }
  // Relacy's generator takes some forty bits of an execution's number. Bits 32 to 35 plus 8 are the
  // shift of its congruence x += c + (x << shift), of which it gives the bits from the 16th on.
  // With 20 or more those that choose a thread stay the same for 65,536 steps; with bit 35 clear it
  // is 15 at most.
  std::random_device device;
  constexpr std::uint64_t seeds = std::uint64_t{1} << 38;
  constexpr std::uint64_t great_shift = std::uint64_t{1} << 35;
  return random(s.limit * *parse_number(text),
                (((std::uint64_t{device()} << 8) % seeds) & ~great_shift) + 2);
}

/// A search that has ended in another outcome than the one that was expected.
struct failed_search {
  const check& subject;
  search how;
  verdict result;
  std::string trace = {};  ///< Where it is.
};

/// What the searches of one command have come to.
struct results {
  std::string program;
  std::size_t searches = 0;
  std::uint64_t executions = 0;
  double seconds = 0;
  std::vector<failed_search> failures = {};
};

constexpr std::size_t steps_shown = 12;

// Puts it into a file, which it returns, or on the screen. The file is beside the program, in the
// build folder: in the current one it might be committed.
std::string write_trace(const std::string& program, const failed_search& failed) {
  std::string name = failed.subject.name + '.' + to_string(failed.how);
  std::ranges::replace(name, '/', '-');
  std::ranges::replace(name, ':', '-');
  std::string file = program + '.' + name + ".trace";
  const failure& execution = failed.result.failed;
  std::ofstream to(file);
  to << summary(failed.result.outcome, execution, execution.steps.size())
     << "\nRelacy's own words:\n"
     << execution.trace << std::flush;
  if (to) return file;
  std::cout << "  '" << file << "' cannot be written; the whole trace:\n" << execution.trace;
  return "above";
}

// An execution at random has a number, which is its seed. The other searches come to the same one
// again, as they are deterministic.
std::string repeating(const std::string& program, const failed_search& failed) {
  const search& how = failed.how;
  const bool is_random = how.how == search::kind::random;
  return program + " --suite " + failed.subject.name + " --search " +
         to_string(is_random ? random(1, how.first + failed.result.executions - 1) : how);
}

void run_one(const check& c, const search& wanted, results& all) {
  const search s = with_fresh_seeds(c, wanted);
  const verdict v = c.explore(s);
  // A search at random has a number of executions to play; the others end by themselves.
  const bool is_whole =
      s.how != search::kind::random || v.outcome != passes || v.executions == s.limit;
  const bool passed = v.outcome == c.expected && is_whole;
  std::printf("%-6s %s, %s: %s %s execution %llu, %.1f s\n", passed ? "ok" : "FAILED",
              c.name.c_str(), to_string(s).c_str(), v.outcome.c_str(),
              v.outcome == passes ? "up to" : "in", static_cast<unsigned long long>(v.executions),
              v.seconds);
  std::fflush(stdout);
  ++all.searches;
  all.executions += v.executions;
  all.seconds += v.seconds;
  if (passed) return;
  std::cout << "  expected: " << c.expected << " (" << c.scenario << ")\n";
  all.failures.push_back({c, s, v});
  if (v.outcome == passes) return;
  all.failures.back().trace = write_trace(all.program, all.failures.back());
  std::cout << "  trace: " << all.failures.back().trace << std::endl;
}

// Ends with the failure that is easiest to follow, so that it is on the screen.
void print_end(const results& all) {
  if (all.failures.empty()) {
    std::printf("%zu %s passed: %llu executions, %.1f s\n", all.searches,
                all.searches == 1 ? "search" : "searches",
                static_cast<unsigned long long>(all.executions), all.seconds);
    return;
  }
  const auto length = [](const failed_search& f) {
    const std::size_t steps = f.result.failed.steps.size();
    return steps == 0 ? std::string::npos : steps;
  };
  const failed_search& shortest = *std::ranges::min_element(all.failures, {}, length);
  std::cout << '\n' << all.failures.size() << " of " << all.searches << " searches failed";
  if (shortest.result.outcome == passes) {
    std::cout << ".\n";
    return;
  }
  std::cout << (all.failures.size() == 1 ? ": " : "; the shortest failing execution is in ")
            << shortest.subject.name << ", " << to_string(shortest.how) << ".\n"
            << summary(shortest.result.outcome, shortest.result.failed, steps_shown)
            << "whole trace: " << shortest.trace << '\n'
            << "repeat it:   " << repeating(all.program, shortest) << '\n';
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
void print_ctest(const std::vector<check>& checks, std::string_view prefix, std::string_view label,
                 std::string_view program) {
  for (const check& c : checks) {
    for (const search& s : c.searches) {
      const std::string quoted =
          "[==[" + std::string(prefix) + c.name + "/" + to_string(s) + "]==]";
      std::cout << "add_test(" << quoted << " [==[" << program << "]==] --suite " << c.name
                << " --search " << to_string(s) << ")\n"
                << "set_tests_properties(" << quoted << " PROPERTIES LABELS [==[relacy;"
                << (s.label == "long" ? label : s.label) << "]==]"
                << (s.label == "deep" ? " TIMEOUT 7200" : "")
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
  bool lists = false;
  std::string ctest_prefix;
  std::string label = "long";
  std::string suite;
  std::optional<search> only;
  CLI::App app("Runs every enabled check with every search labelled long.");
  app.add_flag("--list", lists, "print name, searches and scenario of each check");
  auto* const ctest =
      app.add_option("--ctest", ctest_prefix, "print an add_test() per check and search");
  app.add_option("--label", label, "the label of searches that are long, for CTest")->needs(ctest);
  auto* const one = app.add_option("--suite", suite, "run this check alone");
  one->check([&](const std::string& name) {
    return std::ranges::count(checks, name, &check::name) == 0 ? "no such suite; see --list" : "";
  });
  std::string search_text;
  auto* const with = app.add_option(
      "--search", search_text, "full, bound:N, random:N or random:N@FIRST, from number FIRST on");
  with->needs(one)->check([&](const std::string& text) {
    only = parse_search(text);
    return only ? "" : "no such search";
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  if (const char* const fresh = std::getenv("STEALBENCH_FRESH_SEEDS");
      fresh != nullptr && !parse_number(fresh)) {
    std::cerr << "STEALBENCH_FRESH_SEEDS is '" << fresh << "'; valid: a number above 0\n";
    return 2;
  }
  if (lists) return print_list(checks), 0;
  if (!ctest_prefix.empty()) return print_ctest(checks, ctest_prefix, label, argv[0]), 0;
  results all{argv[0]};
  for (const check& c : checks) {
    if (suite.empty() ? !c.disabled.empty() : c.name != suite) continue;
    if (only) {
      run_one(c, *only, all);
    } else {
      for (const search& s : c.searches) {
        if (!suite.empty() || s.label == "long") run_one(c, s, all);
      }
    }
  }
  print_end(all);
  return all.failures.empty() ? 0 : 1;
}

}  // namespace stealbench::verify
