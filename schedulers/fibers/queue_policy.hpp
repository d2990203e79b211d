// What makes one scheduler of migrating fibers differ from another: where the rest of a fiber
// goes, and where a worker looks.
#pragma once

#include <concepts>

#include "schedulers/engine/queue_policy.hpp"
#include "schedulers/fibers/continuation.hpp"
#include "schedulers/options.hpp"

namespace stealbench::fibers {

/// The operations of one worker's queue, made from the queues' `shared` state and the worker's
/// index. All are called by the worker, on its own stack or on that of the fiber that it runs.
template <class Q, class Fiber>
concept queue_for = std::constructible_from<typename Q::shared, const schedulers::options&> &&
    std::constructible_from<Q, typename Q::shared&, unsigned> &&
    requires(Q& own, const Q& any, continuation<Fiber>& rest, branch<Fiber>& second, Fiber& fiber,
             Fiber* next, engine::steal_attempts& tried, typename Q::ticket ticket) {
  /// Where does the rest of a fiber go? `fiber` runs now: the same one at a fork, its child at a
  /// spawn. False if the queue is full.
  { own.push(rest, fiber) } -> std::same_as<bool>;
  /// Is the second branch still unstarted, and to be run next? If not, it is or was another's.
  { own.take_back(second) } -> std::same_as<bool>;
  /// The same, but whatever is to be run before it: for a worker that can run nothing else.
  { own.take_back_out_of_turn(second) } -> std::same_as<bool>;
  /// As take_back, of a spawner, by the child that has left it there; the ticket is of before its
  /// push.
  { own.ticket_of(rest) } -> std::same_as<typename Q::ticket>;
  { own.take_back(rest, ticket) } -> std::same_as<bool>;
  /// Where does an idle worker look? Null if it finds nothing. A branch will be run by `fiber`.
  { own.find_work(tried, fiber) } -> std::same_as<continuation<Fiber>*>;
  /// A fiber has ended, and `next`, if any, was suspended until then.
  own.ended(fiber, next);
  /// Whether this worker goes on with the fiber. If not, it is in the queue for find_work.
  { own.comes_first(fiber) } -> std::same_as<bool>;
  /// Whether what was found is there since then.
  { own.was_resumed(rest) } -> std::same_as<bool>;
  /// Whose it was.
  { any.latest_victim() } -> std::same_as<unsigned>;
  /// Is there anything that find_work may find?
  { any.has_work() } -> std::same_as<bool>;
  /// After find_work has found something: is there more where it was? A hint.
  { any.sees_more() } -> std::same_as<bool>;
};

/// The base of a queue without an order among fibers: whoever can go on with one does, and a branch
/// that is not taken back is another's.
struct unordered_queue {
  static bool take_back_out_of_turn(const auto& /*rest*/) { return false; }
  static void ended(const auto& /*left*/, const void* /*next*/) {}
  static bool comes_first(const auto& /*next*/) { return true; }
  static bool was_resumed(const auto& /*found*/) { return false; }
};

template <class Policy, bool Counting>
class fiber;

template <class P>
concept queue_policy = queue_for<typename P::template queue<fiber<P, false>>, fiber<P, false>> &&
    engine::does_as_declared<typename P::template queue<fiber<P, false>>,
                             continuation<fiber<P, false>>>;

}  // namespace stealbench::fibers
