# Tries every mutant of every protocol and writes what came of it.
#   cmake "-Dprograms=a;b" -Dsecond=genmc/verdicts.txt -Drecord=orderings.md -P write_orderings.cmake
cmake_minimum_required(VERSION 3.25)

set(text "# Every memory ordering, and what becomes of the protocol without it

Written by `cmake --build --preset verify --target orderings`; the tests `orderings/...` try every mutant again
and compare. An atomic operation that is missing here is relaxed, which nothing weakens: the test
`orderings/are_in_structs` sees to it that every stronger one stands in an orderings struct.

A mutant weakens one member of the struct and leaves the rest as shipped. It is *killed* by the first
script whose execution fails, and *survives* if all pass: 10 000 random executions of each script, then a
search of it as named beside the script. Of a site's mutants the weakest one is tried first, and where it
survives the others do as well. A survivor has a justification:
*equivalent mutant*, the weaker order is enough; *invisible to Relacy*, which cannot show the difference, as the
litmus test named there asserts, while GenMC kills it; *invisible to both checkers*, an argument in words says why
the order is shipped. What the words mean stands in [README.md](README.md).

The last column is what GenMC said when `genmc/verdicts.txt` was written: an exhaustive search of the same scripts
under two memory models, RC11 and IMM. GenMC has no system-wide fence: two seq_cst fences stand for the pair.

")
foreach(program IN LISTS programs)
  execute_process(COMMAND ${program} --orderings ${second} OUTPUT_VARIABLE section ERROR_VARIABLE wrong
                  RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${wrong}")
  endif()
  string(APPEND text "${section}")
endforeach()
string(REGEX REPLACE "\n+$" "\n" text "${text}")
file(WRITE ${record} "${text}")
message(STATUS "wrote ${record}")
