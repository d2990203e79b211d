// A machine on which a program may say that no more stacks can be had.
#pragma once

#include <cerrno>
#include <cstddef>
#include <limits>
#include <system_error>

#include "verify/explore.hpp"

namespace stealbench::verify {

/// Of the execution that is played: its threads share one thread of the operating system.
inline unsigned stacks_left = 0;

template <class M>
struct few_stacks : M {
  class stack_memory : public M::stack_memory {
   public:
    explicit stack_memory(std::size_t bytes) : M::stack_memory(allowed(bytes)) {}

   private:
    static std::size_t allowed(std::size_t bytes) {
      if (stacks_left == 0) throw std::system_error(ENOMEM, std::generic_category());
      --stacks_left;
      return bytes;
    }
  };
};

/// `Program`, with no stacks but those that its scheduler has from the start.
template <template <class> class Program>
struct without_stacks {
  template <class M>
  struct on : Program<M> {
    on() { stacks_left = std::numeric_limits<unsigned>::max(); }

    template <class Scheduler>
    void operator()(Scheduler& scheduler) {
      stacks_left = 0;
      Program<M>::operator()(scheduler);
    }
  };
};

}  // namespace stealbench::verify
