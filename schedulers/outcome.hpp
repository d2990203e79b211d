// How a branch ended: with a value or with an exception.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>

namespace stealbench::schedulers {

/// A closure's result as a value: void becomes std::monostate, so that a join can always return a
/// pair; references stay references; a value is not const, so that it can be moved.
template <class R>
using value_of = std::conditional_t<std::is_void_v<R>, std::monostate, std::remove_cv_t<R>>;

/// The value_of the result of calling `F` with a `Worker`.
template <class F, class Worker>
using result_of = value_of<std::invoke_result_t<F, Worker>>;

/// Calls `f(worker)`; a void result becomes std::monostate.
template <class F, class Worker>
[[gnu::always_inline]] inline result_of<F, Worker> call(F&& f, Worker worker) {
  static_assert(std::is_move_constructible_v<result_of<F, Worker>>,
                "a branch returns nothing, a reference, or a value that can be moved to its join");
  if constexpr (std::is_void_v<std::invoke_result_t<F, Worker>>) {
    std::invoke(std::forward<F>(f), worker);
    return {};
  } else {
    return std::invoke(std::forward<F>(f), worker);
  }
}

/// A value or the exception thrown in its place. Empty until `capture`, and again after `take`.
/// Not synchronised: whoever hands an outcome to another thread orders the accesses.
template <class Value>
class outcome {
 public:
  // A null error where nothing would do: GCC 12 with sanitizers cannot see that it is never read.
  outcome() noexcept : error_() {}
  outcome(const outcome&) = delete;
  outcome& operator=(const outcome&) = delete;
  ~outcome() { clear(); }

  /// Runs `f(worker)` and keeps what it returns or throws. Requires: empty.
  template <class F, class Worker>
  void capture(F&& f, Worker worker) noexcept {
    try {
      if constexpr (std::is_reference_v<Value>) {
        auto&& referred = call(std::forward<F>(f), worker);
        value_ = std::addressof(referred);
      } else {
        ::new (static_cast<void*>(std::addressof(value_))) stored(call(std::forward<F>(f), worker));
      }
      state_ = state::value;
    } catch (...) {
      ::new (static_cast<void*>(std::addressof(error_)))
          std::exception_ptr(std::current_exception());
      state_ = state::error;
    }
  }

  /// Whether an exception is held.
  [[nodiscard]] bool failed() const noexcept { return state_ == state::error; }

  /// The exception, or null. Requires: captured.
  [[nodiscard]] std::exception_ptr error() const noexcept {
    return failed() ? error_ : std::exception_ptr();
  }

  /// Returns the value or rethrows the exception, and leaves the outcome empty. Requires: captured.
  Value take() {
    if (state_ == state::error) rethrow();
    const destroy_on_exit guard{*this};
    if constexpr (std::is_reference_v<Value>) {
      return static_cast<Value>(*value_);
    } else {
      return std::move(value_);
    }
  }

 private:
  using stored = std::conditional_t<std::is_reference_v<Value>, std::add_pointer_t<Value>, Value>;
  enum class state : unsigned char { empty, value, error };

  struct destroy_on_exit {
    outcome& owner;
    ~destroy_on_exit() {
      std::destroy_at(std::addressof(owner.value_));
      owner.state_ = state::empty;
    }
  };

  [[noreturn, gnu::noinline]] void rethrow() {
    const std::exception_ptr thrown = error_;
    clear();
    std::rethrow_exception(thrown);
  }

  void clear() noexcept {
    if (state_ == state::value) std::destroy_at(std::addressof(value_));
    if (state_ == state::error) std::destroy_at(std::addressof(error_));
    state_ = state::empty;
  }

  // Private, though clang-tidy takes an anonymous union's members for public ones.
  // NOLINTBEGIN(readability-identifier-naming)
  union {
    stored value_;
    std::exception_ptr error_;
  };
  // NOLINTEND(readability-identifier-naming)
  state state_ = state::empty;
};

/// Takes both outcomes of a fork, the first one's exception before the second's.
template <class Left, class Right>
std::pair<Left, Right> take_both(outcome<Left>& first, outcome<Right>& second) {
  Left left = first.take();
  return std::pair<Left, Right>(std::forward<Left>(left), second.take());
}

}  // namespace stealbench::schedulers
