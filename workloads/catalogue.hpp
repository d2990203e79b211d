// The workloads, one line each.
#pragma once

#include <tuple>
#include <vector>

#include "workloads/bfs/bfs.hpp"
#include "workloads/bpc/bpc.hpp"
#include "workloads/bursts/bursts.hpp"
#include "workloads/chain/chain.hpp"
#include "workloads/cholesky/cholesky.hpp"
#include "workloads/empty_loop/empty_loop.hpp"
#include "workloads/empty_tree/empty_tree.hpp"
#include "workloads/fft/fft.hpp"
#include "workloads/fib/fib.hpp"
#include "workloads/floorplan/floorplan.hpp"
#include "workloads/health/health.hpp"
#include "workloads/heat/heat.hpp"
#include "workloads/integrate/integrate.hpp"
#include "workloads/knapsack/knapsack.hpp"
#include "workloads/lu/lu.hpp"
#include "workloads/mandelbrot/mandelbrot.hpp"
#include "workloads/matmul/matmul.hpp"
#include "workloads/mergesort/mergesort.hpp"
#include "workloads/nested_loops/nested_loops.hpp"
#include "workloads/nqueens/nqueens.hpp"
#include "workloads/parameters.hpp"
#include "workloads/primes/primes.hpp"
#include "workloads/quicksort/quicksort.hpp"
#include "workloads/reduce/reduce.hpp"
#include "workloads/scan/scan.hpp"
#include "workloads/skewed/skewed.hpp"
#include "workloads/skynet/skynet.hpp"
#include "workloads/spawn/spawn.hpp"
#include "workloads/spc/spc.hpp"
#include "workloads/spmv/spmv.hpp"
#include "workloads/strassen/strassen.hpp"
#include "workloads/taskbench/taskbench.hpp"
#include "workloads/uts/uts.hpp"
#include "workloads/wavefront/wavefront.hpp"

namespace stealbench::workloads {

/// Every workload of the suite, in the order in which it is listed.
using catalogue =
    std::tuple<bfs::workload, bpc::workload, bursts::workload, chain::workload, cholesky::workload,
               empty_loop::workload, empty_tree::workload, fft::workload, fib::workload,
               floorplan::workload, health::workload, heat::workload, integrate::workload,
               knapsack::workload, lu::workload, mandelbrot::workload, matmul::workload,
               mergesort::workload, nested_loops::workload, nqueens::workload, primes::workload,
               quicksort::workload, reduce::workload, scan::workload, skewed::workload,
               skynet::workload, spawn::workload, spc::workload, spmv::workload, strassen::workload,
               taskbench::workload, uts::workload, wavefront::workload>;

/// What `stealbench list` prints: the description of each, in the same order.
[[nodiscard]] std::vector<description> descriptions();

}  // namespace stealbench::workloads
