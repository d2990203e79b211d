// Whether one strategy beats others, on several programs.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "bench/driver/experiments/claims/claims.hpp"
#include "results/report/format.hpp"
#include "results/sections/parts.hpp"

namespace stealbench::experiments::claims {
namespace {

/// How the claimed strategy fares against a rival; first what says most of a program.
enum class outcome : std::uint8_t { loses, may_lose, beats, even };

outcome outcome_of(const figures& ratio, double error) {
  // Equal values, which simulations may give, show nothing.
  const bound above{.least = std::nextafter(1.0, 2.0)};
  const bound below{.most = std::nextafter(1.0, 0.0)};
  const auto are = [](const figures& some, const bound& side, double factor) {
    return decide(some, side, factor) == verdict::holds;
  };
  if (are(ratio, above, error)) return outcome::beats;
  if (are(ratio, below, error)) return outcome::loses;
  const bool is_behind = are(ratio, below, 1) || std::ranges::any_of(ratio, [&](const auto& each) {
                           return are({each}, below, error);
                         });
  return is_behind ? outcome::may_lose : outcome::even;
}

/// A rival on a program, with the worker count that says most.
struct comparison {
  std::string rival;
  std::string program;
  unsigned workers;
  estimate ratio;
  outcome result;
};

bool says_more(const comparison& one, const comparison& other) {
  if (one.result != other.result) return one.result < other.result;
  const bool is_behind = one.result <= outcome::may_lose;
  return is_behind ? one.ratio.median < other.ratio.median : one.ratio.median > other.ratio.median;
}

/// Of each rival on each program.
std::vector<comparison> comparisons_of(const contest& what, const evidence& known) {
  const double error = what.machine.empty() ? 1 : model_error;
  const double counted_from = what.which == metric::seconds ? 0 : 1;  // A count may be 0.
  const auto count = what.rivals.size() * what.programs.size() * what.workers.size();
  const double confidence = 1 - analysis::accepted_error / static_cast<double>(count);
  std::vector<comparison> all;
  for (const std::string& rival : what.rivals) {
    for (const instance& each : what.programs) {
      std::vector<comparison> by_workers;
      for (const unsigned workers : what.workers) {
        const figures ratio = known.of(
            [&](const reader& read) {
              return (counted_from + read(each, rival, workers, what.which)) /
                     (counted_from + read(each, what.claimed, workers, what.which));
            },
            confidence);
        by_workers.push_back(
            {rival, label_of(each), workers, hull(ratio), outcome_of(ratio, error)});
      }
      all.push_back(*std::ranges::min_element(by_workers, says_more));
    }
  }
  return all;
}

/// ` It beats central-queue on fib n=27 (9.00 × [8.50, 9.90] with 64 workers), uts tree=T1 (…).`
std::string sentence_on(const std::vector<comparison>& all, outcome result, const char* verb) {
  std::string text;
  std::string rival;
  for (const comparison& each : all) {
    if (each.result != result) continue;
    text += each.rival == rival ? ", " : (rival.empty() ? "" : "; ") + each.rival + " on ";
    rival = each.rival;
    text += each.program;
    if (result == outcome::even) continue;
    text += fmt::format(" ({} with {})", report::ratio_with_interval(each.ratio),
                        sections::workers_in_words(each.workers));
  }
  return text.empty() ? text : fmt::format(" It {} {}.", verb, text);
}

}  // namespace

finding judge(const contest& what, const evidence& known) {
  const std::vector<comparison> all = comparisons_of(what, known);
  const auto has = [&](outcome result) {
    return std::ranges::count(all, result, &comparison::result) > 0;
  };
  std::vector<comparison> unbeaten = all;
  for (const comparison& each : all) {
    if (each.result != outcome::beats) continue;
    std::erase_if(unbeaten, [&](const comparison& other) { return other.rival == each.rival; });
  }
  finding found{{}, verdict::undecided, ""};
  if (has(outcome::loses)) {
    found.verdict = verdict::does_not_hold;
  } else if (!has(outcome::may_lose) && unbeaten.empty()) {
    found.verdict = verdict::holds;
  }
  const bool lacks_only_a_win =
      !has(outcome::loses) && !has(outcome::may_lose) && !unbeaten.empty();
  found.figure = std::ranges::min_element(lacks_only_a_win ? unbeaten : all, says_more)->ratio;
  found.because = fmt::format("The ratios are a rival's {} ÷ {} of {}.{}{}{}{}",
                              what.which == metric::tasks_moved ? "tasks moved" : "time",
                              what.which == metric::tasks_moved ? "those" : "that", what.claimed,
                              sentence_on(all, outcome::loses, "loses to"),
                              sentence_on(all, outcome::may_lose, "may lose to"),
                              sentence_on(all, outcome::beats, "beats"),
                              sentence_on(all, outcome::even, "is not told apart from"));
  return found;
}

}  // namespace stealbench::experiments::claims
