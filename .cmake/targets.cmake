# What every target of this project is compiled with, and how its tests are added. Whoever links our libraries gets
# nothing of the flags.
include_directories(${PROJECT_BINARY_DIR}/generated)

# A frame of more than a page then touches each of its pages from the top down, and cannot step over the guard page of a
# fiber's stack, below which another one may be. Smaller frames, those of a fork among them, take as many instructions.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -fstack-clash-protection)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Collecting its garbage is a tenth of what GCC does to a file of templates: not before a file has come to 1 GB.
  add_compile_options(--param=ggc-min-heapsize=1000000)
endif()
if(STEALBENCH_NATIVE)
  add_compile_options(-march=native)
endif()
if(STEALBENCH_SANITIZE)
  add_compile_options(-fsanitize=${STEALBENCH_SANITIZE} -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${STEALBENCH_SANITIZE})
  if(STEALBENCH_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # TSan does not model fences, and GCC warns of each. Ours order a store before a load, which TSan does not check,
    # and publish nothing: every edge that carries data is a release and an acquire, which it sees.
    add_compile_options(-Wno-tsan)
  endif()
endif()

# The labels (CONTRIBUTING.md) in order: quick, long, nightly, deep. The targets of the first three build the tests of
# their label and of those before it.
if(BUILD_TESTING)
  add_custom_target(quick)
  add_custom_target(long DEPENDS quick)
  add_custom_target(nightly DEPENDS long)
endif()

# stealbench_add_library(name [STATIC | OBJECT] source... [PUBLIC library...] [PRIVATE library...]): built where needed.
function(stealbench_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PUBLIC;PRIVATE")
  add_library(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC stealbench_headers ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

# stealbench_add_command(name label command...): a CTest of a command.
function(stealbench_add_command name label)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "${label}")
endfunction()

# stealbench_add_test(name label [NAME name] [SHARDS n] [NIGHTLY test ...] [TESTS subject ...] [LIBRARIES ...]): a
# GoogleTest executable of the files <subject>_test.cpp, and one CTest that runs all of it: a process for each of
# thousands of tests takes longer than the tests. --gtest_filter runs one alone. A long one is divided into n CTests.
# The tests that are NIGHTLY are a CTest of their own.
function(stealbench_add_test name label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "NAME;SHARDS" "NIGHTLY;TESTS;LIBRARIES")
  if(NOT arg_NAME)
    set(arg_NAME ${name})
  endif()
  list(TRANSFORM arg_TESTS APPEND _test.cpp)
  add_executable(${name} ${arg_TESTS})
  target_link_libraries(${name} PRIVATE GTest::gtest_main ${arg_LIBRARIES})
  add_dependencies(${label} ${name})
  set(run ${name} --gtest_brief=1)
  if(arg_NIGHTLY)
    list(JOIN arg_NIGHTLY ":" nightly)
    stealbench_add_command(${arg_NAME}/nightly nightly ${run} --gtest_filter=${nightly})
    list(APPEND run --gtest_filter=-${nightly})
  endif()
  if(NOT arg_SHARDS)
    stealbench_add_command(${arg_NAME} ${label} ${run})
    return()
  endif()
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(shard RANGE ${last})
    stealbench_add_command(${arg_NAME}/${shard} ${label} ${run})
    set_tests_properties(${arg_NAME}/${shard} PROPERTIES
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()

# stealbench_as_benchmarked(target): optimised as what is benchmarked, also where the rest is not.
function(stealbench_as_benchmarked target)
  if(NOT STEALBENCH_SANITIZE)
    target_compile_options(${target} PRIVATE -O3 -DNDEBUG)
  endif()
endfunction()
