# Writes orderings.md from the verdicts on record.
#   cmake "-Dprograms=a;b" -Dsecond=genmc/verdicts.txt -Drecord=verdicts.txt -Dpage=orderings.md
#         -P write_orderings.cmake
# With -Dtry=ON tries every mutant of every protocol first, and writes the record anew. With -Dcheck=ON compares
# the page instead of writing it.
cmake_minimum_required(VERSION 3.25)

function(run_all result)
  set(all "")
  foreach(program IN LISTS programs)
    execute_process(COMMAND ${program} ${ARGN} OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND all "${said}")
  endforeach()
  set(${result} "${all}" PARENT_SCOPE)
endfunction()

if(try)
  run_all(verdicts --orderings)
  file(WRITE ${record} "# What Relacy says of each mutant: protocol | site | weakened to | verdict. Written by the target orderings.\n"
                       "${verdicts}")
endif()

set(text "# Every memory ordering, and what becomes of the protocol without it

Written by `cmake --build --preset verify --target orderings` from [verdicts.txt](verdicts.txt) and
[genmc/verdicts.txt](genmc/verdicts.txt); the tests `orderings/...` try every mutant again and compare with
these, and `orderings/page` compares this page. An atomic operation that is missing here is relaxed, which nothing weakens: the test
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
run_all(sections --page ${second} ${record})
string(APPEND text "${sections}")
string(REGEX REPLACE "\n+$" "\n" text "${text}")
foreach(file IN LISTS second record)
  file(STRINGS ${file} lines REGEX " [|] .* [|] ")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^# | [|] .*" "" protocol "${line}")
    string(FIND "${text}" "\n## ${protocol}\n" found)
    if(NOT line MATCHES "^#" AND found EQUAL -1)
      message(SEND_ERROR "${file} has a verdict on ${protocol}, which no program has.")
    endif()
  endforeach()
endforeach()
if(check)
  file(READ ${page} now)
  if(NOT now STREQUAL text)
    message(FATAL_ERROR "${page} is not what the verdicts on record say. The target orderings writes it anew.")
  endif()
else()
  file(WRITE ${page} "${text}")
  message(STATUS "wrote ${page}")
endif()
