// What Relacy sees of the C++ memory model, as executable facts. Each program has one outcome that
// tells two models apart; the check asserts whether the search meets it. Names are those of the
// litmus literature (Alglave, Maranget & Tautschnig, TOPLAS 2014): SB, store buffering; MP, message
// passing; LB, load buffering; IRIW, independent reads of independent writes; WRC, write to read
// causality; 2+2W, two threads of two writes; CoRR, coherence of two reads. "Blind" marks what
// C++20 allows and Relacy never shows: where an ordering guards against such an outcome alone, a
// weakened negative test survives.
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "verify/explore.hpp"

namespace stealbench::verify {
namespace {

using engine::order;
using word = relacy_machine::atomic<int>;

bool seen = false;  // in some execution of the search under way

template <class Program>
struct litmus : rl::test_suite<litmus<Program>, Program::threads> {
  Program program;
  void thread(unsigned who) { program.run(who); }
  void after() { seen = seen || program.outcome(); }
};

template <class Program>
check fact(const std::string& name, const char* sentence, const char* expected) {
  return {name,
          sentence,
          {full, random(20'000)},
          [](const search& s, std::ostream& log) {
            seen = false;
            verdict v = explore<litmus<Program>>(s, log);
            if (v.outcome == passes) v.outcome = seen ? "SEEN" : "NOT SEEN";
            return v;
          },
          {expected}};
}

constexpr const char* is_seen = "SEEN";
constexpr const char* not_seen = "NOT SEEN";

// What C++20 allows and Relacy does not show is disabled, with the reason. That it is not shown is
// a check too: should a newer Relacy show it, the arguments that stand in for it can go.
template <class Program>
void add_blind(std::vector<check>& to, const std::string& name, const char* reason) {
  check allowed = fact<Program>(name, "Allowed.", is_seen);
  allowed.disabled = reason;
  to.push_back(std::move(allowed));
  to.push_back(fact<Program>(name + "/blind", reason, not_seen));
}

enum class barrier : std::uint8_t { none, fence, light, heavy };

template <barrier B>
void pass() {
  if constexpr (B == barrier::fence) relacy_machine::fence(order::seq_cst);
  if constexpr (B == barrier::light) relacy_machine::light_fence();
  if constexpr (B == barrier::heavy) relacy_machine::heavy_fence();
}

// Dekker's heart: both threads miss the other's store. Edge E2 of the deque.
template <barrier First, barrier Second>
struct store_buffering {
  static constexpr rl::thread_id_t threads = 2;
  word x, y;
  int r[2] = {1, 1};
  void run(unsigned who) {
    if (who == 0) {
      x.store(1, order::relaxed);
      pass<First>();
      r[0] = y.load(order::relaxed);
    } else {
      y.store(1, order::relaxed);
      pass<Second>();
      r[1] = x.load(order::relaxed);
    }
  }
  [[nodiscard]] bool outcome() const { return r[0] == 0 && r[1] == 0; }
};

// The flag is seen, the data is not. Edge E1.
template <order Store, order Load>
struct message_passing {
  static constexpr rl::thread_id_t threads = 2;
  word data, flag;
  int r[2] = {0, 1};
  void run(unsigned who) {
    if (who == 0) {
      data.store(1, order::relaxed);
      flag.store(1, Store);
    } else {
      r[0] = flag.load(Load);
      r[1] = data.load(order::relaxed);
    }
  }
  [[nodiscard]] bool outcome() const { return r[0] == 1 && r[1] == 0; }
};

// A relaxed store behind a release store by the same thread: since C++20 it publishes nothing.
struct release_sequence {
  static constexpr rl::thread_id_t threads = 2;
  word data, flag;
  int r[2] = {0, 1};
  void run(unsigned who) {
    if (who == 0) {
      data.store(1, order::relaxed);
      flag.store(1, order::release);
      flag.store(2, order::relaxed);
    } else {
      r[0] = flag.load(order::acquire);
      r[1] = data.load(order::relaxed);
    }
  }
  [[nodiscard]] bool outcome() const { return r[0] == 2 && r[1] == 0; }
};

// Both loads read the store that stands behind the other. Edge E3.
struct load_buffering {
  static constexpr rl::thread_id_t threads = 2;
  word x, y;
  int r[2] = {0, 0};
  void run(unsigned who) {
    r[who] = (who == 0 ? x : y).load(order::relaxed);
    (who == 0 ? y : x).store(1, order::relaxed);
  }
  [[nodiscard]] bool outcome() const { return r[0] == 1 && r[1] == 1; }
};

// Each word ends with the store that came first in its thread.
struct two_plus_two_writes {
  static constexpr rl::thread_id_t threads = 2;
  word x, y;
  void run(unsigned who) {
    (who == 0 ? x : y).store(1, order::relaxed);
    (who == 0 ? y : x).store(2, order::relaxed);
  }
  [[nodiscard]] bool outcome() const {
    return x.load(order::relaxed) == 1 && y.load(order::relaxed) == 1;
  }
};

// Two readers disagree on the order of two independent stores.
template <barrier B>
struct independent_reads {
  static constexpr rl::thread_id_t threads = 4;
  word x, y;
  int r[4] = {};
  void run(unsigned who) {
    if (who < 2) return (who == 0 ? x : y).store(1, order::release);
    word& first = who == 2 ? x : y;
    word& second = who == 2 ? y : x;
    int* const mine = who == 2 ? r : r + 2;
    mine[0] = first.load(order::acquire);
    pass<B>();
    mine[1] = second.load(order::acquire);
  }
  [[nodiscard]] bool outcome() const { return r[0] == 1 && r[1] == 0 && r[2] == 1 && r[3] == 0; }
};

// A store that one thread has read, and told of, is not seen by whom it told.
template <order Store, order Load>
struct write_to_read_causality {
  static constexpr rl::thread_id_t threads = 3;
  word data, flag;
  int r[3] = {0, 0, 1};
  void run(unsigned who) {
    if (who == 0) {
      data.store(1, order::relaxed);
    } else if (who == 1) {
      r[0] = data.load(order::relaxed);
      flag.store(1, Store);
    } else {
      r[1] = flag.load(Load);
      r[2] = data.load(order::relaxed);
    }
  }
  [[nodiscard]] bool outcome() const { return r[0] == 1 && r[1] == 1 && r[2] == 0; }
};

// One reader sees a word go backwards: forbidden under every order.
struct coherence {
  static constexpr rl::thread_id_t threads = 2;
  word x;
  int r[2] = {};
  void run(unsigned who) {
    if (who == 0) return x.store(1, order::relaxed);
    r[0] = x.load(order::relaxed);
    r[1] = x.load(order::relaxed);
  }
  [[nodiscard]] bool outcome() const { return r[0] == 1 && r[1] == 0; }
};

// After the flag, a load that reads the value `Back` stores before the newest.
template <int Back>
struct old_value {
  static constexpr rl::thread_id_t threads = 2;
  word x, flag;
  int r[2] = {};
  void run(unsigned who) {
    if (who == 0) {
      for (int i = 1; i <= 4; ++i) x.store(i, order::relaxed);
      flag.store(1, order::relaxed);
    } else {
      r[0] = flag.load(order::relaxed);
      r[1] = x.load(order::relaxed);
    }
  }
  [[nodiscard]] bool outcome() const { return r[0] == 1 && r[1] == 4 - Back; }
};

// After the flag, a compare-exchange that fails and reads an old value: in C++20 it is a load.
struct failed_exchange {
  static constexpr rl::thread_id_t threads = 2;
  word x, flag;
  int r[2] = {};
  void run(unsigned who) {
    if (who == 0) {
      for (int i = 1; i <= 2; ++i) x.store(i, order::relaxed);
      flag.store(1, order::relaxed);
    } else {
      r[0] = flag.load(order::relaxed);
      r[1] = 7;  // never stored
      x.compare_exchange_strong(r[1], 8, order::relaxed, order::relaxed);
    }
  }
  [[nodiscard]] bool outcome() const { return r[0] == 1 && r[1] != 2; }
};

std::vector<check> facts() {
  using enum barrier;
  check two_back = fact<old_value<2>>(
      "old_value_two_back", "Allowed; the tree searches stop at one, random at two.", is_seen);
  two_back.searches = {random(20'000)};
  std::vector<check> all{
      fact<store_buffering<none, none>>("SB", "Allowed.", is_seen),
      fact<store_buffering<barrier::fence, barrier::fence>>(
          "SB+fences", "Forbidden between two seq_cst fences.", not_seen),
      fact<store_buffering<barrier::fence, none>>(
          "SB+fence", "Allowed: one fence pairs with nothing.", is_seen),
      fact<store_buffering<light, heavy>>("SB+light+heavy",
                                          "Forbidden between a light and a heavy fence.", not_seen),
      fact<store_buffering<light, light>>("SB+light+light", "Allowed: light fences do not pair.",
                                          is_seen),
      fact<message_passing<order::relaxed, order::relaxed>>("MP", "Allowed.", is_seen),
      fact<message_passing<order::relaxed, order::acquire>>("MP+acq", "Allowed.", is_seen),
      fact<message_passing<order::release, order::relaxed>>("MP+rel", "Allowed.", is_seen),
      fact<message_passing<order::release, order::acquire>>("MP+rel+acq", "Forbidden.", not_seen),
      fact<independent_reads<none>>("IRIW+acqs", "Allowed with acquire loads.", is_seen),
      fact<independent_reads<barrier::fence>>(
          "IRIW+fences", "Forbidden with seq_cst fences between the loads.", not_seen),
      fact<write_to_read_causality<order::relaxed, order::relaxed>>("WRC", "Allowed.", is_seen),
      fact<write_to_read_causality<order::release, order::acquire>>("WRC+rel+acq", "Forbidden.",
                                                                    not_seen),
      fact<coherence>("CoRR", "Forbidden.", not_seen),
      fact<old_value<1>>("old_value_one_back", "Allowed.", is_seen),
      std::move(two_back),
  };
  add_blind<old_value<3>>(all, "old_value_three_back", "Three values are kept per word.");
  add_blind<load_buffering>(all, "LB", "A load never moves below a later store.");
  add_blind<two_plus_two_writes>(all, "2+2W",
                                 "Stores reach their words in the order of execution.");
  add_blind<release_sequence>(all, "release_sequence",
                              "The release sequence is C++11's, which C++20 has cut short.");
  add_blind<failed_exchange>(all, "failed_exchange",
                             "A compare-exchange that fails reads the newest value.");
  return all;
}

}  // namespace
}  // namespace stealbench::verify

int main(int argc, char** argv) {
  return stealbench::verify::run_checks(argc, argv, stealbench::verify::facts());
}
