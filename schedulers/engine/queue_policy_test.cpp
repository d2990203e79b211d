// A queue does what it declares, and declares what it does. Checked by the compiler.
#include "schedulers/engine/queue_policy.hpp"

#include <cstddef>
#include <cstdint>

namespace stealbench::engine {
namespace {

struct job {};

struct plain_queue {
  static constexpr capabilities can{};
};
static_assert(does_as_declared<plain_queue, job>);

struct asking_queue {
  static constexpr capabilities can{.expose = true, .ask = true, .tell_bytes = true};
  std::uint32_t expose(job& topmost, offered what);
  job* withdraw(steal_attempts& tried);
  [[nodiscard]] unsigned served() const;
  [[nodiscard]] std::size_t bytes() const;
};
static_assert(does_as_declared<asking_queue, job>);

struct misspelt : asking_queue {
  static constexpr capabilities can{
      .expose = true, .ask = true, .keep_jobs = true, .tell_bytes = true};
  [[nodiscard]] bool keeps_job_meanwhile() const;
};
static_assert(!does_as_declared<misspelt, job>);

struct half_a_capability {
  static constexpr capabilities can{.ask = true};
  job* withdraw(steal_attempts& tried);
};
static_assert(!does_as_declared<half_a_capability, job>);

struct of_another_type {
  static constexpr capabilities can{.expose = true};
  void expose(job& topmost, offered what);
};
static_assert(!does_as_declared<of_another_type, job>);

struct undeclared : asking_queue {
  static constexpr capabilities can{.expose = true, .ask = true};
};
static_assert(!does_as_declared<undeclared, job>);

}  // namespace
}  // namespace stealbench::engine
