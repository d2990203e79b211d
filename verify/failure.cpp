#include "verify/failure.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

namespace stealbench::verify {
namespace {

// With the path of a file of ours; of others, as the standard library's, the name is enough.
std::string place(const step& s) {
  const std::string_view path = place_in_repository(s.file);
  return std::string(path.empty() ? s.file.substr(s.file.rfind('/') + 1) : path) + ':' +
         std::to_string(s.line);
}

std::string short_place(const step& s) {
  const std::string path = place(s);
  return path.substr(path.rfind('/') + 1) + ' ' + s.function;
}

// Which of the other threads' accesses is not ordered, Relacy does not say.
std::string race(const failure& failed, const variable_names& names) {
  if (failed.steps.empty()) return "data race";
  const step& last = failed.steps.back();
  const auto other = std::find_if(failed.steps.rbegin(), failed.steps.rend(), [&](const step& s) {
    return s.address == last.address && s.thread != last.thread;
  });
  return "data race on " + names.of(last.address) + ": nothing orders the " + last.operation +
         " by thread " + std::to_string(last.thread) + " after another thread's access" +
         (other == failed.steps.rend()
              ? ""
              : ", the latest of which is the " + other->operation + " by thread " +
                    std::to_string(other->thread) + " in " + place(*other));
}

std::string in_words(const std::string& outcome, const failure& failed,
                     const variable_names& names) {
  if (outcome == "USER ASSERT FAILED" || outcome == "USER INVARIANT FAILED") {
    return "assertion \"" + failed.claim + "\"";
  }
  if (outcome == "DATA RACE") return race(failed, names);
  static const std::map<std::string_view, std::string_view> sentences = {
      {"DEADLOCK", "deadlock: every thread that has not ended sleeps, and no other will wake it"},
      {"LIVELOCK", "livelock: the execution does not end"},
      {"MEMORY LEAK", "memory leak: an allocation is never freed"},
      {"ACCESS TO FREED MEMORY", "an access to memory that was freed"},
      {"DOUBLE FREE", "memory is freed that is not allocated"},
      {"ACCESS TO UNINITIALIZED VARIABLE", "a variable is read before it has a value"},
      {"INCONSISTENT TEST SUITE",
       "the failure did not come again, so the suite depends on more than the "
       "checker's choices"},
  };
  const auto sentence = sentences.find(outcome);
  return std::string(sentence == sentences.end() ? outcome : sentence->second);
}

// Columns as wide as their widest entry.
std::string table(const std::vector<std::array<std::string, 5>>& rows) {
  std::array<std::size_t, 5> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    text += ' ';
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += ' ' + row[i] + std::string(widths[i] - row[i].size() + 1, ' ');
    }
    text += ' ' + row.back();
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace

std::string summary(const std::string& outcome, const failure& failed, std::size_t count) {
  variable_names names(failed.steps);
  std::vector<std::array<std::string, 5>> rows;
  for (const step& s : failed.steps) {
    std::string effect = names.of(s.address);
    const std::string values = names.in(s.values);
    if (!effect.empty() && !values.empty()) effect += ' ';
    effect += values;
    rows.push_back({"thread " + std::to_string(s.thread), names.in(s.operation), effect, s.order,
                    s.line == 0 ? "" : short_place(s)});
  }
  std::string text = "failure: " + in_words(outcome, failed, names) + '\n';
  if (!place_in_repository(failed.at.file).empty()) {
    text += "in thread " + std::to_string(failed.at.thread) + ", " + place(failed.at) + " " +
            failed.at.function + '\n';
  }
  if (rows.empty()) return text;
  const std::size_t shown = std::min(count, rows.size());
  text += (shown < rows.size() ? "the last " + std::to_string(shown) + " of " : "all ") +
          std::to_string(rows.size()) + " steps:\n";
  rows.erase(rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(shown));
  return text + table(rows);
}

}  // namespace stealbench::verify
