// Victim selection: the order in which a thief tries the other workers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>
#include <vector>

#include "schedulers/engine/machine.hpp"
#include "schedulers/engine/steal_attempts.hpp"
#include "schedulers/options.hpp"
#include "schedulers/random.hpp"
#include "schedulers/work_stealing/options.hpp"

namespace stealbench::work_stealing {

/// Who has stolen from whom of late, for victim_choice::own_first. A record of each worker's latest
/// few thieves. Hints, so relaxed: two thieves of one worker may overwrite each other's names.
template <class M>
class thefts {
 public:
  /// No records, unless they are looked at.
  thefts(unsigned workers, victim_choice choice)
      : records_(choice == victim_choice::own_first ? workers : 0) {}

  /// By the thief.
  void note(unsigned victim, unsigned thief) {
    auto& names = records_[victim].names;
    const std::uint64_t before = names.load(engine::order::relaxed);
    // A line less to be changed where one worker steals from another again and again.
    if (before % one_name != thief + 1) {
      names.store(before * one_name + thief + 1, engine::order::relaxed);
    }
  }

  /// Calls look(thief) for the latest thieves of `victim`, the latest first, until it returns true;
  /// forgets them if it never does. By the victim.
  template <class Look>
  bool some(unsigned victim, const Look& look) {
    auto& names = records_[victim].names;
    const std::uint64_t latest = names.load(engine::order::relaxed);
    for (std::uint64_t left = latest; left != 0; left /= one_name) {
      if (look(static_cast<unsigned>(left % one_name) - 1)) return true;
    }
    if (latest != 0) names.store(0, engine::order::relaxed);
    return false;
  }

 private:
  // A name is a worker's number and one, in 16 bits.
  static constexpr std::uint64_t one_name = std::uint64_t{1} << 16;
  struct alignas(64) record {
    typename M::template atomic<std::uint64_t> names;  // Written by thieves and the victim.
  };
  std::vector<record> records_;
};

/// All deques of a scheduler on the machine `M`, by worker.
template <class Deque, class M>
struct deque_table {
  explicit deque_table(const schedulers::options& chosen)
      : deques(chosen.workers),
        own(schedulers::own_options<options>(chosen)),
        stolen(chosen.workers, own.victim) {}

  /// Any thread. A job is seen as by the deque's own looks_empty.
  [[nodiscard]] bool has_work() const {
    return std::any_of(deques.begin(), deques.end(),
                       [](const Deque* each) { return !each->looks_empty(); });
  }

  std::vector<Deque*> deques;  // Each entry is written by its worker's state, before any thread.
  const options own;
  thefts<M> stolen;
};

/// The other workers in some order, and where a thief is among them.
struct circle {
  [[nodiscard]] std::size_t after(std::size_t at) const {
    return at + 1 == others.size() ? 0 : at + 1;
  }
  std::size_t random_place() { return schedulers::next_random(random) % others.size(); }

  std::vector<unsigned> others;
  std::uint32_t random;
  std::size_t place = 0;  ///< Of the one looked at last, in turn or at random.
  bool has_more = false;  ///< Whether the one that had the latest job seemed to have another.
};

/// A type for each victim_choice: in which order the others are, at which of them the thief
/// `starts`, and where a round begins after one that has found a job. A round after one that has
/// not begins where that one ended, at the worker that was asked for work.
namespace orders {

struct round_robin {
  static constexpr bool second_is_random = false;  ///< Where there are more than a round looks at.
  template <class M>
  static std::vector<unsigned> workers(unsigned thief, unsigned count) {
    return beginning_with(thief, count);
  }
  static std::size_t start(circle& all) { return all.others.size() - 1; }
  static std::size_t begin(circle& all) { return all.after(all.place); }

  static std::vector<unsigned> beginning_with(unsigned first, unsigned count) {
    std::vector<unsigned> order(count);
    std::iota(order.begin(), order.end(), 0U);
    std::rotate(order.begin(), order.begin() + first, order.end());
    return order;
  }
};

struct nearest : round_robin {
  template <class M>
  static std::vector<unsigned> workers(unsigned thief, unsigned count) {
    return M::workers_by_distance(thief, count);
  }
  static std::size_t begin(circle& /*all*/) { return 0; }
};

struct random : round_robin {
  static constexpr bool second_is_random = true;
  static std::size_t begin(circle& all) { return all.random_place(); }
};

/// As random where nothing seemed to be left: a crowd of thieves at one that makes its jobs one by
/// one would only hold it up.
struct last : random {
  static std::size_t start(circle& all) { return all.random_place(); }
  static std::size_t begin(circle& all) { return all.has_more ? all.place : all.random_place(); }
};

/// The hot spot in every round, and then the others.
struct first : round_robin {
  template <class M>
  static std::vector<unsigned> workers(unsigned /*thief*/, unsigned count) {
    return beginning_with(0, count);
  }
  static std::size_t start(circle& /*all*/) { return 0; }
  static std::size_t begin(circle& all) { return all.place; }
};

/// The thief's latest thieves in every round, and then the others.
struct own_first : random {};

/// The one that seems to have most, alone.
struct busiest : round_robin {};

/// Calls what(order) with the type of the choice.
template <class What>
decltype(auto) with(victim_choice choice, const What& what) {
  switch (choice) {
    case victim_choice::last:
      return what(last{});
    case victim_choice::round_robin:
      return what(round_robin{});
    case victim_choice::nearest:
      return what(nearest{});
    case victim_choice::first:
      return what(first{});
    case victim_choice::busiest:
      return what(busiest{});
    case victim_choice::own_first:
      return what(own_first{});
    case victim_choice::random:
      break;
  }
  return what(random{});
}

}  // namespace orders

/// Of one thief, on the machine `M`.
template <class M>
class victims {
 public:
  /// Throws std::bad_alloc, or what M::workers_by_distance throws.
  victims(unsigned thief, unsigned workers, victim_choice choice, thefts<M>& stolen)
      : choice_(choice), thief_(thief), stolen_(stolen), all_{{}, thief + 1} {
    orders::with(choice, [&](auto order) {
      all_.others = order.template workers<M>(thief, workers);
      std::erase(all_.others, thief);
      if (workers == 1) return;
      all_.place = order.start(all_);
      latest_ = all_.others[all_.place];
    });
  }

  /// One round: calls look(victim) for other workers until it returns true: for all of them, or for
  /// most_looks if these are fewer; with `busiest` for one, with `own_first` for the latest thieves
  /// before these. `size_of(victim)` is a hint of how many jobs that one has,
  /// which the choices `busiest` and `last` use. A thief asks the last one of a round for work
  /// (engine/sleep/parking_lot.hpp), so the next round looks there again.
  template <class SizeOf, class Look>
  bool some(const SizeOf& size_of, const Look& look) {
    if (all_.others.empty()) return false;
    const bool begins_anew = std::exchange(found_, false);
    return orders::with(choice_, [&](auto order) {
      using chosen = decltype(order);
      if constexpr (std::is_same_v<chosen, orders::busiest>) {
        return look_at_worker(busiest(size_of), look);
      } else if constexpr (std::is_same_v<chosen, orders::first>) {
        return look_at(0, look) || look_at_others(order, begins_anew, 1, look);
      } else if constexpr (std::is_same_v<chosen, orders::own_first>) {
        const auto look_back = [&](unsigned thief) { return look_at_worker(thief, look); };
        const bool found =
            stolen_.some(thief_, look_back) || look_at_others(order, begins_anew, 0, look);
        if (found) stolen_.note(latest_, thief_);
        return found;
      } else if constexpr (std::is_same_v<chosen, orders::last>) {
        const bool found = look_at_others(order, begins_anew, 0, look);
        if (found) all_.has_more = size_of(latest_) > 0;
        return found;
      } else {
        return look_at_others(order, begins_anew, 0, look);
      }
    });
  }

  /// One round, which ends with what take(victim) finds; null if it finds nothing.
  template <class SizeOf, class Take>
  auto find(const SizeOf& size_of, engine::steal_attempts& tried, const Take& take) {
    decltype(take(0U)) found = nullptr;
    some(size_of, [&](unsigned victim) { return (found = take(victim)) != nullptr; });
    tried.latest = latest_;
    return found;
  }

  /// The next round begins at this worker, or goes on there after the hot spot or the latest
  /// thieves; but not where only the busiest is looked at. Does nothing if it is not another
  /// worker.
  void begin_at(unsigned worker) {
    const auto found = std::find(all_.others.begin(), all_.others.end(), worker);
    if (found == all_.others.end()) return;
    all_.place = static_cast<std::size_t>(found - all_.others.begin());
    found_ = false;  // As after a round that has ended there.
  }

  /// The one looked at last; requires that there was one.
  [[nodiscard]] unsigned latest() const { return latest_; }

  static constexpr std::size_t most_looks = engine::most_looks;
  static_assert(most_looks > 1, "a round begins at the victim of the last, and goes on to another");

 private:
  // A round, of which `looks` have been: at the hot spot, where there is one.
  template <class Order, class Look>
  bool look_at_others(Order order, bool begins_anew, std::size_t looks, const Look& look) {
    constexpr bool has_hot_spot = std::is_same_v<Order, orders::first>;
    const std::size_t most = (std::min)(all_.others.size(), most_looks);
    for (bool is_first = true; looks < most; ++looks, is_first = false) {
      if (is_first) {
        if (begins_anew) all_.place = order.begin(all_);
      } else if (order.second_is_random && looks == 1 && most < all_.others.size()) {
        all_.place = all_.random_place();
      } else {
        all_.place = all_.after(all_.place);
      }
      if (has_hot_spot && all_.place == 0) all_.place = all_.after(all_.place);
      if (look_at(all_.place, look)) return true;
    }
    return false;
  }

  // Where all seem to have none, the next in turn: it may be asked.
  template <class SizeOf>
  unsigned busiest(const SizeOf& size_of) {
    all_.place = all_.after(all_.place);
    unsigned busiest = all_.others[all_.place];
    std::size_t most = 0;
    for (std::size_t i = 0, at = all_.place; i < all_.others.size(); ++i, at = all_.after(at)) {
      const std::size_t size = size_of(all_.others[at]);
      if (size <= most) continue;
      most = size;
      busiest = all_.others[at];
    }
    return busiest;
  }

  template <class Look>
  bool look_at(std::size_t place, const Look& look) {
    return look_at_worker(all_.others[place], look);
  }

  template <class Look>
  bool look_at_worker(unsigned victim, const Look& look) {
    M::charge(engine::cost::look);
    latest_ = victim;
    return found_ = look(victim);
  }

  const victim_choice choice_;
  const unsigned thief_;
  thefts<M>& stolen_;
  circle all_;
  unsigned latest_ = 0;
  bool found_ = true;  // Whether the latest round ended with a job.
};

}  // namespace stealbench::work_stealing
