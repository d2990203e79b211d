# Compares the simulation with measurements made in the same hour: calibrates this machine, measures, simulates with that
# profile, and keeps both raw files and the profile with its accuracy.
#   cmake -Dprogram=STEALBENCH -Dschedulers=NAME,… -Dscratch=FOLDER -Druns=FOLDER -Dprofile=FILE
#         [-Dworkloads=NAME,…] [-Dsize=NAME] [-Drounds=N] -P validate_simulation.cmake
cmake_minimum_required(VERSION 3.25)
if(NOT DEFINED size)
  set(size small)
endif()
if(NOT DEFINED rounds)
  set(rounds 3)
endif()
if(NOT DEFINED workloads)
  # All that can be simulated: those that have a unit of work.
  execute_process(COMMAND ${program} list --json OUTPUT_VARIABLE listed COMMAND_ERROR_IS_FATAL ANY)
  string(JSON count LENGTH "${listed}" workloads)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON unit GET "${listed}" workloads ${index} unit)
    if(NOT unit STREQUAL "")
      string(JSON name GET "${listed}" workloads ${index} name)
      list(APPEND workloads ${name})
    endif()
  endforeach()
  list(JOIN workloads "," workloads)
endif()

# A benchmark that fails gives status 1, and the page lists it. In the folder itself: a raw file has the command, and is
# not to name a place on this machine.
function(run)
  list(JOIN ARGN " " words)
  message(STATUS "stealbench ${words}")
  execute_process(COMMAND ${program} ${ARGN} WORKING_DIRECTORY ${scratch} OUTPUT_QUIET RESULT_VARIABLE status)
  if(NOT status MATCHES "^[01]$")
    message(FATAL_ERROR "stealbench ${words}: status ${status}")
  endif()
endfunction()

# All prices come from the standard size, so that the benchmarks of another one are held out: nothing was measured with
# their parameters.
file(MAKE_DIRECTORY ${scratch})
set(made ${scratch}/reference.json)
execute_process(COMMAND ${program} calibrate --workloads ${workloads} --size standard --name reference --output ${made}
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
run(compare --workloads ${workloads} --schedulers ${schedulers} --workers 1,2 --size ${size} --rounds ${rounds}
    --output . --overwrite)
run(simulate ${workloads} --schedulers ${schedulers} --workers 1,2 --size ${size} --seeds 3 --no-sensitivity
    --profile reference.json --output . --overwrite)
execute_process(COMMAND ${program} validate ${scratch}/compare.jsonl ${scratch}/simulate.jsonl --profile ${made}
                OUTPUT_FILE ${scratch}/validation.txt COMMAND_ERROR_IS_FATAL ANY)
foreach(raw compare.jsonl simulate.jsonl)
  execute_process(COMMAND gzip -9 --no-name --stdout ${scratch}/${raw} OUTPUT_FILE ${runs}/${raw}.gz
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(COPY_FILE ${made} ${profile})
