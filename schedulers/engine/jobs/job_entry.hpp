// The first word of a slot: the kind of the job that is there and is still to be joined, if any.
#pragma once

#include "schedulers/engine/memory_model.hpp"

namespace stealbench::engine {

/// A slot is *open* from the moment its owner offers a job until the owner joins it; a slot that is
/// not open is free, or its job is being joined. All zero bits: closed, so it needs no constructor
/// in the memory of a job stack; elsewhere it must be value-initialised.
///
/// Written by the owner of the slot alone.
template <class Kind, class M>
class job_entry {
 public:
  /// `kind` is an object that lives as long as the program. What the owner wrote before an open()
  /// with release is visible to who sees it by kind() with acquire.
  [[gnu::always_inline]] void open(Kind& kind, order o) { kind_.store(&kind, o); }
  [[gnu::always_inline]] void close(order o) { kind_.store(nullptr, o); }

  /// Null if the slot is closed.
  [[nodiscard, gnu::always_inline]] Kind* kind(order o) const { return kind_.load(o); }
  [[nodiscard, gnu::always_inline]] bool is_open(order o) const { return kind(o) != nullptr; }

 private:
  typename M::template zeroed_atomic<Kind*> kind_;
};

}  // namespace stealbench::engine
