// A lock that spins before its thread sleeps.
#pragma once

namespace stealbench::engine {

/// Over the `Lock` of a machine `M`, which sleeps at once: lock(), try_lock(), unlock(). What the
/// engine's locks guard takes some 50 ns, and to sleep and be woken takes some 15 us. At most 63
/// pauses, one to three microseconds: where the holder has lost its processor, spinning for longer
/// would take it from others.
template <class M, class Lock>
class spinning_mutex {
 public:
  void lock() {
    if (!lock_.try_lock()) [[unlikely]]
      lock_contended();
  }
  bool try_lock() { return lock_.try_lock(); }
  void unlock() { lock_.unlock(); }

 private:
  // Twice as long before each further try, since a try takes the lock's line from its holder.
  [[gnu::noinline]] void lock_contended() {
    for (unsigned pauses = 1; pauses <= 32; pauses *= 2) {
      for (unsigned i = 0; i < pauses; ++i) M::spin();
      if (lock_.try_lock()) return;
    }
    made_in_.expect_here();  // Its holder may be a thread that fork() has not copied.
    lock_.lock();
  }

  Lock lock_;
  [[no_unique_address]] const typename M::process_mark made_in_{};
};

}  // namespace stealbench::engine
