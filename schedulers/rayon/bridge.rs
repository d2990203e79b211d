//! What C++ needs of rayon. bridge.hpp declares it. No function that is called here unwinds: the C++ side catches.
use rayon::iter::{split, ParallelIterator};
use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};
use std::ffi::c_void;
use std::ops::Range;
use std::thread::{Builder, JoinHandle};

/// Of a C++ object, which its caller keeps alive until the call has returned, and allows several threads to use.
#[derive(Clone, Copy)]
struct Object(*mut c_void);
unsafe impl Send for Object {}
unsafe impl Sync for Object {}

type Task = unsafe extern "C" fn(*mut c_void);
type Piece = unsafe extern "C" fn(*mut c_void, usize, usize);
type Child = unsafe extern "C" fn(*mut c_void, usize);

impl Object {
    fn run(self, task: Task) {
        unsafe { task(self.0) }
    }
    fn run_child(self, child: Child, index: usize) {
        unsafe { child(self.0, index) }
    }
    fn run_piece(self, piece: Piece, range: Range<usize>) {
        unsafe { piece(self.0, range.start, range.end) }
    }
}

/// rayon's pool, and its threads, which end some time after the pool has been dropped.
pub struct Pool {
    rayons: Option<ThreadPool>,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    fn install<R: Send>(&self, task: impl FnOnce() -> R + Send) -> R {
        self.rayons.as_ref().unwrap().install(task)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        drop(self.rayons.take());
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[no_mangle]
pub extern "C" fn stealbench_rayon_start(
    workers: usize,
    stack_bytes: usize,
    begin_thread: unsafe extern "C" fn(usize),
) -> Option<Box<Pool>> {
    let mut pool = Box::new(Pool {
        rayons: None,
        threads: Vec::new(),
    });
    let spawn = |thread: ThreadBuilder| {
        let begin = move || {
            unsafe { begin_thread(thread.index()) };
            thread.run()
        };
        pool.threads.push(Builder::new().stack_size(stack_bytes).spawn(begin)?);
        Ok(())
    };
    let started = ThreadPoolBuilder::new()
        .num_threads(workers)
        .spawn_handler(spawn)
        .build();
    pool.rayons = Some(started.ok()?);
    Some(pool)
}

/// Returns when the threads have ended: what they call at their beginning is gone once the process exits.
#[no_mangle]
pub extern "C" fn stealbench_rayon_stop(pool: Box<Pool>) {
    drop(pool);
}

#[no_mangle]
pub extern "C" fn stealbench_rayon_run(pool: &Pool, task: Task, object: *mut c_void) {
    let object = Object(object);
    pool.install(|| object.run(task));
}

#[no_mangle]
pub extern "C" fn stealbench_rayon_join(first: Task, of_first: *mut c_void, second: Task, of_second: *mut c_void) {
    let (of_first, of_second) = (Object(of_first), Object(of_second));
    rayon::join(|| of_first.run(first), || of_second.run(second));
}

/// Calls `child(object, i)` for each i below `count` in a tree of joins: what is known together needs no scope, whose
/// spawns allocate.
#[no_mangle]
pub extern "C" fn stealbench_rayon_children(count: usize, child: Child, object: *mut c_void) {
    fn halves(range: Range<usize>, child: Child, object: Object) {
        if range.len() == 1 {
            return object.run_child(child, range.start);
        }
        let middle = range.start + range.len() / 2;
        rayon::join(
            || halves(range.start..middle, child, object),
            || halves(middle..range.end, child, object),
        );
    }
    halves(0..count, child, Object(object));
}

/// Pieces of at least `grain` indices, which rayon cuts when one is stolen, as it cuts those of its own iterators.
#[no_mangle]
pub extern "C" fn stealbench_rayon_loop(first: usize, last: usize, grain: usize, piece: Piece, object: *mut c_void) {
    let object = Object(object);
    let halve = |range: Range<usize>| {
        let half = range.len() / 2;
        if half < grain {
            return (range, None);
        }
        let middle = range.start + half;
        (range.start..middle, Some(middle..range.end))
    };
    split(first..last, halve).for_each(|range| object.run_piece(piece, range));
}

/// The workload fib as a user of rayon writes it: what the calls from C++ are compared with.
#[no_mangle]
pub extern "C" fn stealbench_rayon_fib(pool: &Pool, n: u64) -> u64 {
    fn fib(n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let (one, other) = rayon::join(|| fib(n - 1), || fib(n - 2));
        one + other
    }
    pool.install(|| fib(n))
}
