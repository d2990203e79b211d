# Counts the instructions of a fork and its join, and compares with what is on record.
#   cmake -Dprogram=fork_path -Dvalgrind=valgrind -Drecord=instructions.txt -P check.cmake
# Instructions are the same on every run and every machine, whatever else it does; time is not. The
# difference of two sizes leaves start-up out.
cmake_minimum_required(VERSION 3.25)

function(instructions n result)
  execute_process(COMMAND ${valgrind} --tool=callgrind --callgrind-out-file=/dev/null ${program} ${n}
                  ERROR_VARIABLE report RESULT_VARIABLE status)
  if(NOT status EQUAL 0 OR NOT report MATCHES "Collected : ([0-9]+)")
    message(FATAL_ERROR "callgrind has failed (${status}):\n${report}")
  endif()
  set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

instructions(20 small)
instructions(25 large)
# fib(n + 1) - 1 forks each: 10945 and 121392.
math(EXPR hundredths "(${large} - ${small}) * 100 / (121392 - 10945)")
file(STRINGS ${record} lines REGEX "^[0-9]")
list(GET lines 0 recorded)
math(EXPR limit "${recorded} * 102 / 100")
message(STATUS "instructions per fork and join, in hundredths: ${hundredths}; on record: ${recorded}")
if(hundredths GREATER limit)
  message(FATAL_ERROR "A fork takes more instructions than the ${recorded} hundredths on record.")
endif()
math(EXPR least "${recorded} * 98 / 100")
if(hundredths LESS least)
  message(FATAL_ERROR "A fork takes fewer instructions than on record: write the new figure into ${record}.")
endif()
