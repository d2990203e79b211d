// Executables that tests of a calibration plant as shell scripts.
#pragma once

#include <string>

namespace stealbench::calibration {

/// A simulated executable. `cases` are branches on the workload, such as `fib) fork=2 ;;`, which
/// set what it says: 1000 `ns`, 100 `units` of work, no charge. It refuses a profile that has
/// prices of schedulers and more than one worker, unless `takes_prices`.
inline std::string simulating(const std::string& cases, bool takes_prices = false) {
  return R"(
for word; do
  case $last in
    --workload) workload=$word ;;
    --workers) workers=$word ;;
    --profile) profile=$word ;;
  esac
  last=$word
done
ns=1000; units=100; fork=0; call=0; spawn=0; piece=0
)" +
         (takes_prices ? std::string()
                       : R"(if grep -q '"fork_ns"' "$profile"; then echo priced >&2; exit 3; fi
if [ $workers != 1 ]; then echo "$workers workers" >&2; exit 4; fi
)") + "case $workload in\n" +
         cases + R"(
esac
echo '{"workload":"'$workload'","workers":'$workers',"seed":1,"verified":true,"seconds":'$ns'e-9,
"work_units":'$units',"fork_count":10,"tasks_moved":0,"steal_attempts":0,"host_seconds":0.1,
"shares":{"work":1,"overhead":0,"search":0,"lines":0,"asleep":0},
"charges":{"fork":'$fork',"call":'$call',"spawn":'$spawn',"piece":'$piece'}}')";
}

}  // namespace stealbench::calibration
