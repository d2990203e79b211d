// What schedulers do that tests plant as shell scripts.
#pragma once

#include <cstddef>
#include <string>

namespace stealbench::end_to_end {

/// For tests that kill the driver at its n-th process, counted from 1.
inline constexpr std::size_t never = 0;

/// Finds out what it is to run, and where it is to print that.
inline const std::string find_file = R"(
file=/dev/stdout; workload=; workers=; variant=; set=; x=1; once=; last=
for word; do
  case $last in
    --workload|--metric) workload=$word ;;
    --workers) workers=$word ;;
    --variant) variant=:$word ;;
    --set) set=$set/${word%%=*}:${word#*=}; x=${word#*=} ;;
  esac
  [ "$word" != --once ] || once=yes
  last=$word
done
case $x in *[!0-9]*) x=1 ;; esac
name=$workload/${0##*/stealbench-}$variant$set/workers:$workers/manual_time
)";

inline std::string once_report(const std::string& verified, const std::string& counters) {
  return R"({"workload":"fib","scheduler":"s","workers":1,"parameters":{},"answer":1,)"
         R"("verified":)" +
         verified + R"(,"time_ns":1,"counters":)" + counters + "}";
}

/// What it prints once, and of a timed run with these values.
inline std::string printing(const std::string& counters, const std::string& time,
                            const std::string& unit, const std::string& fork_count) {
  return "if [ $once ]; then echo '" + once_report("true", counters) + R"('
else echo '{"context":{"num_cpus":2},"benchmarks":[{"name":"'$name'","real_time":)" +
         time + R"(,"time_unit":")" + unit + R"(","cpu_seconds":0.002,"user_seconds":0.0015,
"system_seconds":0.0005,"voluntary_switches":1,"forced_switches":0,"runs":3,
"start_up_seconds":0.001,"first_run_seconds":0.004,"fork_count":)" +
         fork_count + R"(,"worker_count":1,"peak_rss_bytes":4096,"verified":1}]}' > "$file"; fi)";
}

/// A scheduler that does as it should.
inline std::string well_behaved(const std::string& counters = "null") {
  return find_file + printing(counters, "2.5", "ms", "1000");
}

/// A scheduler that measures any cell or figure as it should. `nanoseconds` is a formula of $x, the
/// value of the last parameter that is set, and of $round, how often this cell was timed, this time
/// included.
inline std::string taking(const std::string& nanoseconds) {
  return find_file + R"(
rounds=${0%/*}/$(echo "$name" | tr / _).rounds
if [ ! $once ]; then echo >> "$rounds"; round=$(wc -l < "$rounds"); fi
)" + printing(R"({"steals":54321})", "'$((" + nanoseconds + "))'", "ns", "'$((20000 / (x + 1)))'");
}

}  // namespace stealbench::end_to_end
