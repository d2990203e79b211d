// Golden tables of what threads do, and how long each step takes. A row is a test:
//
//   NameOfTheTest [setting number]...
//     A: step, step, ...    What the first thread does, and from `start B` on a second one.
//     B: step, step, ...    At its end a thread joins those that it has started, the latest first.
//
// A step is a verb, its operands and what is expected: =N, it takes N ns; @N, it ends at N ns; ->N,
// its value. 4x before a step repeats it. N may be a sum of products: 2*100-1.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "schedulers/virtual_machine/tests/test_machine.hpp"

namespace stealbench::virtual_machine {

using timetable_step = std::vector<std::string>;

struct timetable {
  std::string name;
  std::map<std::string, double> settings;
  std::map<std::string, std::vector<timetable_step>> threads;

  friend void PrintTo(const timetable& shown, std::ostream* to) { *to << shown.name; }  // NOLINT
};

inline std::vector<timetable> timetables_of(const std::string& text) {
  std::vector<timetable> all;
  std::vector<timetable_step>* steps = nullptr;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find('#'));  // Without the comment.
    if (line.empty()) continue;
    std::istringstream words(line);
    std::string word;
    if (line.front() != ' ') {
      words >> word;
      all.push_back({.name = word, .settings = {}, .threads = {}});
      for (double value = 0; words >> word >> value;) all.back().settings[word] = value;
      continue;
    }
    while (words >> word) {
      if (word.back() == ':') {
        steps = &all.back().threads[word.substr(0, word.size() - 1)];
        steps->emplace_back();
      } else {
        const bool ends = word.back() == ',';
        if (ends) word.pop_back();
        steps->back().push_back(word);
        if (ends) steps->emplace_back();
      }
    }
  }
  return all;
}

/// The value of a sum of products.
inline picoseconds number_in(const std::string& text) {
  std::istringstream terms(text);
  picoseconds sum = 0;
  char sign = '+';
  do {
    picoseconds product = 0;
    if (!(terms >> product)) throw std::invalid_argument("not a number: " + text);
    while (terms.peek() == '*') {
      picoseconds factor = 0;
      terms.ignore() >> factor;
      product *= factor;
    }
    sum += sign == '-' ? -product : product;
  } while (terms >> sign);
  return sum;
}

/// One run of it.
class timetable_run {
 public:
  explicit timetable_run(const timetable& shown) : timetable_run(shown, settings_of(shown)) {}
  timetable_run(const timetable& shown, const settings& chosen) : shown_(shown) {
    const picoseconds end = simulated(chosen, [this] {
      run("A");
      stacks_.clear();
    });
    if (end_ == 0) end_ = end;
  }

  /// When it stopped, where it does not say so itself at the end of all.
  [[nodiscard]] picoseconds end() const { return end_; }

 private:
  using nanoseconds = std::chrono::nanoseconds;
  using word = machine::zeroed_atomic<std::uint32_t>;
  struct alignas(line_bytes) own_mutex {
    machine::mutex mutex;
  };

  static settings settings_of(const timetable& shown) {
    settings chosen = exactly(4);
    chosen.prices.fork = 7;
    chosen.unit_ns = 1;
    for (const auto& [name, value] : shown.settings) {
      if (name == "socket") {
        chosen.costs.processors_per_socket = static_cast<unsigned>(value);
      } else if (name == "wake") {
        chosen.costs.wake = value;
      } else if (name == "looks_ahead") {
        chosen.looks_ahead = value != 0;
      } else {
        throw std::invalid_argument("no such setting: " + name);
      }
    }
    return chosen;
  }

  void run(const std::string& thread) {
    timetable_step begun;
    for (timetable_step step : shown_.threads.at(thread)) {
      picoseconds times = 1;
      if (step.front().back() == 'x') {
        times = std::stoi(step.front());
        step.erase(step.begin());
      }
      if (step.front() == "start") begun.push_back(step.at(1));
      for (; times > 0; --times) check(thread, step);
    }
    for (; !begun.empty(); begun.pop_back()) threads_.at(begun.back()).reset();
  }

  void check(const std::string& thread, const timetable_step& step) {
    timetable_step given;
    timetable_step expected;
    std::string text = shown_.name + ", " + thread + ":";
    for (const std::string& each : step) {
      text += " " + each;
      const bool is_expected = each.front() == '=' || each.front() == '@' || each.front() == '-';
      (is_expected ? expected : given).push_back(each);
    }
    const picoseconds before = running.now;
    const picoseconds value = perform(given, text);
    for (const std::string& each : expected) {
      if (each.front() == '=') {
        EXPECT_EQ(running.now - before, in_ps(number_in(each.substr(1)))) << text;
      } else if (each.front() == '@') {
        EXPECT_EQ(running.now, in_ps(number_in(each.substr(1)))) << text;
      } else {
        EXPECT_EQ(value, number_in(each.substr(2))) << text;
      }
    }
  }

  static std::uint32_t word_of(picoseconds n) { return static_cast<std::uint32_t>(n); }

  /// The word of that name, in a line of its own or in a task slot.
  word& at(const std::string& name) {
    const auto slot = slots_.find(name);
    return slot == slots_.end() ? words_[name].value : *slot->second;
  }

  picoseconds perform(const timetable_step& step, const std::string& text) {
    const std::string& verb = step.at(0);
    const std::string object = step.size() > 1 ? step[1] : "";
    const bool has_number = step.back().front() >= '0' && step.back().front() <= '9';
    const picoseconds n = has_number ? number_in(step.back()) : 0;
    if (verb == "name") {
      machine::name(at(object), step.at(2).c_str());
    } else if (verb == "end") {
      expect_window(running.all->end_window(), {step.begin() + 1, step.end()}, text);
    } else if (verb == "begin") {
      has_number ? running.all->begin_window(static_cast<unsigned>(n))
                 : running.all->begin_window();
    } else if (const auto asks = questions_.find(verb); asks != questions_.end()) {
      return asks->second(object, n);
    } else {
      acts_.at(verb)(object, n);
    }
    return 0;
  }

  /// Shares that are not named are none; and lines as name=waits/ns, the longest first.
  static void expect_window(const window& seen, const timetable_step& expected,
                            const std::string& text) {
    std::map<std::string, picoseconds> values{
        {"work", 0}, {"search", 0}, {"lines", 0}, {"asleep", 0}};
    timetable_step lines;
    for (const std::string& each : expected) {
      const std::size_t is = each.find('=');
      if (each.find('/') != std::string::npos) {
        lines.push_back(each);
      } else {
        values[each.substr(0, is)] = number_in(each.substr(is + 1));
      }
    }
    const std::map<std::string, picoseconds> found{
        {"work", seen.spent.work},
        {"search", seen.spent.search},
        {"lines", seen.spent.lines},
        {"asleep", seen.spent.asleep},
        {"length", seen.length},
        {"threads", in_ps(seen.threads)},
        {"units", in_ps(static_cast<picoseconds>(seen.units))},
        {"forks", in_ps(static_cast<picoseconds>(seen.charged[0]))}};
    for (const auto& [name, value] : values) {
      EXPECT_EQ(found.at(name), in_ps(value)) << name << ", " << text;
    }
    timetable_step found_lines;
    for (const line_wait& each : seen.lines) {
      EXPECT_EQ(each.time % 1000, 0) << text;
      found_lines.push_back(each.name + "=" + std::to_string(each.waits) + "/" +
                            std::to_string(each.time / 1000));
      std::ranges::replace(found_lines.back(), ' ', '_');
    }
    EXPECT_EQ(found_lines, lines) << text;
  }

  using order = engine::order;
  using operand = const std::string&;
  // By verb: what has a value, and what has none.
  const std::map<std::string, std::function<picoseconds(operand, picoseconds)>> questions_{
      {"load", [this](operand x, auto) { return at(x).load(order::relaxed); }},
      {"exchange",
       [this](operand x, auto n) { return at(x).exchange(word_of(n), order::relaxed); }},
      {"add", [this](operand x, auto) { return at(x).fetch_add(1, order::relaxed); }},
      {"subtract", [this](operand x, auto) { return at(x).fetch_sub(1, order::relaxed); }},
      {"compare",
       [this](operand x, auto n) {
         std::uint32_t seen = word_of(n);
         return at(x).compare_exchange_strong(seen, 7, order::relaxed, order::relaxed);
       }},
      {"wait", [this](operand x, auto n) { return machine::wait(at(x), 0, nanoseconds(n)); }},
      {"thread", [](auto&, auto) { return running.self; }},
      {"clock", [](auto&, auto) { return machine::now().time_since_epoch().count(); }}};
  const std::map<std::string, std::function<void(operand, picoseconds)>> acts_{
      {"store", [this](operand x, auto n) { at(x).store(word_of(n), order::relaxed); }},
      {"await",  // The value that another thread stores.
       [this](operand x, auto n) {
         while (at(x).load(order::relaxed) != word_of(n)) machine::spin();
       }},
      {"reads", [this](operand x, auto) { machine::reads(at(x), x.c_str()); }},
      {"writes", [this](operand x, auto) { machine::writes(at(x)); }},
      {"far",  // Another thread has stored it, and ended.
       [this](operand x, auto) { started([&] { at(x).store(1, order::relaxed); }); }},
      {"slot",
       [this](operand x, auto) {
         stacks_.push_back(std::make_unique<machine::job_stack>());
         slots_[x] = machine::job_stack::start_slots<word>(stacks_.back()->begin(), 1);
       }},
      {"fence", [](auto&, auto) { machine::fence(order::seq_cst); }},
      {"acquire", [](auto&, auto) { machine::fence(order::acquire); }},
      {"light_fence", [](auto&, auto) { machine::light_fence(); }},
      {"compiler_fence", [](auto&, auto) { machine::compiler_fence(); }},
      {"release", [](auto&, auto) { machine::fence(order::release); }},
      {"membarrier", [](auto&, auto) { machine::heavy_fence(); }},
      {"spin", [](auto&, auto) { machine::spin(); }},
      {"yield", [](auto&, auto) { machine::yield_thread(); }},
      {"look", [](auto&, auto) { machine::charge(engine::cost::look); }},
      {"fork", [](auto&, auto) { machine::charge(engine::cost::fork_join); }},
      {"work", [](auto&, auto n) { machine::work(word_of(n)); }},
      {"ahead", [](auto&, auto n) { running.all->charge(in_ps(n)); }},  // Without giving way.
      {"sleep", [](auto&, auto n) { sleep_ns(n); }},
      {"until", [](auto&, auto n) { running.all->sleep_for(in_ps(n) - running.now); }},
      {"wake", [this](operand x, auto) { machine::notify_one(at(x)); }},
      {"lock", [this](operand x, auto) { mutexes_[x].mutex.lock(); }},
      {"unlock", [this](operand x, auto) { mutexes_[x].mutex.unlock(); }},
      {"start", [this](operand x, auto) { threads_[x] = started([this, x] { run(x); }); }},
      {"join", [this](operand x, auto) { threads_.at(x).reset(); }},
      {"stop", [this](auto&, auto) { end_ = running.now; }},
      {"still", [](auto&, auto) { running.all->await_stillness(); }},
      {"gives_way", [](auto&, auto) { running.all->give_way(); }},
      {"search", [](auto&, auto) { running.all->does(activity::searching); }},
      {"run", [](auto&, auto) { running.all->does(activity::running); }},
      {"away", [](auto&, auto) { running.all->does(activity::away); }}};

  const timetable& shown_;
  picoseconds end_ = 0;
  std::map<std::string, own_line> words_;
  std::map<std::string, own_mutex> mutexes_;
  std::map<std::string, word*> slots_;
  std::vector<std::unique_ptr<machine::job_stack>> stacks_;
  std::map<std::string, std::unique_ptr<machine::thread>> threads_;
};

// The rows of `text` are tests of `suite`.
// NOLINTBEGIN(bugprone-macro-parentheses): the name of a class
#define TIMETABLES(suite, text)                                             \
  class suite : public testing::TestWithParam<timetable> {};                \
  TEST_P(suite, Row) { timetable_run{GetParam()}; }                         \
  INSTANTIATE_TEST_SUITE_P(, suite, testing::ValuesIn(timetables_of(text)), \
                           [](const auto& row) { return row.param.name; })
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace stealbench::virtual_machine
