// What schedulers do that tests plant as shell scripts.
#pragma once

#include <cstddef>
#include <string>

namespace stealbench::end_to_end {

/// For tests that kill the driver at its n-th process, counted from 1.
inline constexpr std::size_t never = 0;

/// Finds out what it is to print, and does the same thing timed or not.
inline const std::string find_file = R"(
once=; file=/dev/stdout; variant=; last=
for word; do
  if [ "$last" = --variant ]; then variant=:$word; fi
  last=$word
  case $word in
    --once) once=yes ;;
  esac
done
name=fib/${0##*/stealbench-}$variant/n:35/workers:1/manual_time
)";

inline std::string once_report(const std::string& verified, const std::string& counters) {
  return R"({"workload":"fib","scheduler":"s","workers":1,"parameters":{},"answer":1,)"
         R"("verified":)" +
         verified + R"(,"time_ns":1,"counters":)" + counters + "}";
}

/// A scheduler that does as it should.
inline std::string well_behaved(const std::string& counters = "null") {
  return find_file + "if [ $once ]; then echo '" + once_report("true", counters) + R"('
else echo '{"context":{"num_cpus":2},"benchmarks":[{"name":"'$name'","real_time":2.5,
"time_unit":"ms","cpu_seconds":0.002,"user_seconds":0.0015,"system_seconds":0.0005,
"voluntary_switches":1,"forced_switches":0,"runs":3,"start_up_seconds":0.001,
"first_run_seconds":0.004,"fork_count":1000,"worker_count":1,"peak_rss_bytes":4096,
"verified":1}]}' > "$file"; fi)";
}

/// A scheduler that measures any cell or figure as it should. `nanoseconds` is a formula of $x, the
/// value of the last parameter that is set, and of $round, how often this cell was timed, this time
/// included.
inline std::string taking(const std::string& nanoseconds) {
  return R"(
file=/dev/stdout; workload=; workers=; variant=; set=; x=1; once=; last=
for word; do
  case $last in
    --workload|--metric) workload=$word ;;
    --workers) workers=$word ;;
    --variant) variant=:$word ;;
    --set) set=$set/${word%%=*}:${word#*=}; x=${word#*=} ;;
  esac
  case $word in
    --once) once=yes ;;
  esac
  last=$word
done
case $x in *[!0-9]*) x=1 ;; esac
name=$workload/${0##*/stealbench-}$variant$set/workers:$workers/manual_time
if [ $once ]; then echo '{"workload":"'$workload'","scheduler":"s","workers":1,"parameters":{},
"answer":1,"verified":true,"time_ns":1,"counters":{"steals":54321}}'; exit; fi
rounds=${0%/*}/$(echo "$name" | tr / _).rounds
echo >> "$rounds"
round=$(wc -l < "$rounds")
echo '{"context":{"num_cpus":2},"benchmarks":[{"name":"'$name'","real_time":'$(()" +
         nanoseconds + R"())',
"time_unit":"ns","cpu_seconds":0.002,"user_seconds":0.0015,"system_seconds":0.0005,
"voluntary_switches":1,"forced_switches":0,"runs":3,"start_up_seconds":0.001,
"first_run_seconds":0.004,"fork_count":'$((20000 / (x + 1)))',"worker_count":1,
"peak_rss_bytes":4096,"verified":1}]}' > "$file")";
}

}  // namespace stealbench::end_to_end
