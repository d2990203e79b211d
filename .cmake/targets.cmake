# What our targets are compiled with, and not who links them; and how tests are added.
include_directories(BEFORE ${PROJECT_BINARY_DIR}/generated)
set(STEALBENCH_GENERATED ${PROJECT_BINARY_DIR}/generated/${STEALBENCH_INCLUDED})
# A frame of more than a page then touches each of its pages from the top down, and cannot step over the guard page of a
# fiber's stack, below which another one may be. Smaller frames, those of a fork among them, take as many instructions.
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -fstack-clash-protection)
# Collecting its garbage is a tenth of what GCC does to a file of templates: not before a file has come to 1 GB. And no
# warning of how GCC 4.5 passed closures that are aligned to a line: nothing here was compiled by it.
add_compile_options("$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000;-Wno-psabi>")
if(STEALBENCH_NATIVE)  # But for what is installed: it may run elsewhere, and none of it is on the path of a fork.
  add_compile_options($<$<NOT:$<BOOL:$<TARGET_PROPERTY:STEALBENCH_INSTALLED>>>:-march=native>)
endif()
if(STEALBENCH_SANITIZE)  # UndefinedBehaviorSanitizer else goes on after its message, and the test passes.
  add_compile_options(-fsanitize=${STEALBENCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${STEALBENCH_SANITIZE})
endif()
if(BUILD_TESTING)  # The labels (CONTRIBUTING.md): each target builds the tests of its label and of those before it.
  add_custom_target(core)
  add_custom_target(quick DEPENDS core)
  add_custom_target(long DEPENDS quick)
  add_custom_target(nightly DEPENDS long)
endif()

# stealbench_add_library(name [OBJECT] [UNTIMED] source... [PUBLIC library...] [PRIVATE library...]): an archive, also in
# a project that builds shared libraries, where nothing of ours would be exported; built where needed. One that is UNTIMED
# runs while nothing is timed, and -O3 would take half as long again to compile it.
function(stealbench_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "UNTIMED" "" "PUBLIC;PRIVATE")
  set(BUILD_SHARED_LIBS OFF)
  add_library(${name} ${arg_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE $<$<AND:$<BOOL:${arg_UNTIMED}>,$<CONFIG:Release>>:-Og>)
  target_link_libraries(${name} PUBLIC stealbench_headers ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
endfunction()

# stealbench_add_command(name label command argument...): a CTest of a program, or of a script of the folder. A filter that
# no test matches is a success for GoogleTest. What ends with status 77 is skipped.
function(stealbench_add_command name label command)
  if(command MATCHES "\\.sh$" AND NOT IS_ABSOLUTE ${command})
    string(PREPEND command ${CMAKE_CURRENT_SOURCE_DIR}/)
  endif()
  add_test(NAME ${name} COMMAND ${command} ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "${label}" SKIP_RETURN_CODE 77
                       FAIL_REGULAR_EXPRESSION "] 0 tests from 0 test suites ran")
endfunction()

# stealbench_add_program(name label source... [LIBRARIES ...]): an executable that the target of the label builds.
function(stealbench_add_program name label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBRARIES")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  add_dependencies(${label} ${name})
endfunction()

# stealbench_add_test(name label [NAME name] [NIGHTLY test...] [OF library...] [IN folder/] [TESTS subject...]
# [LIBRARIES ...] [DEFINITIONS ...] [OPTIONS ...]): a GoogleTest executable of the files <subject>_test.cpp in the folder,
# and of those beside the sources of the libraries OF. It is one CTest, as thousands of processes take longer than their
# tests. The tests that are NIGHTLY are a CTest of their own.
function(stealbench_add_test name label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "IN;NAME" "NIGHTLY;OF;TESTS;LIBRARIES;DEFINITIONS;OPTIONS")
  if(NOT arg_NAME)
    set(arg_NAME ${name})
  endif()
  list(TRANSFORM arg_TESTS REPLACE "(.+)" "${arg_IN}\\1_test.cpp")
  foreach(library IN LISTS arg_OF)
    get_target_property(sources ${library} SOURCES)
    list(TRANSFORM sources REPLACE "\\.[ch]pp$" "_test.cpp")
    foreach(test IN LISTS sources)
      if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${test})
        list(APPEND arg_TESTS ${test})
      endif()
    endforeach()
  endforeach()
  list(REMOVE_DUPLICATES arg_TESTS)
  stealbench_add_program(${name} ${label} ${arg_TESTS} LIBRARIES GTest::gtest_main ${arg_OF} ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  set(run $<TARGET_FILE:${name}> --gtest_brief=1)
  if(arg_NIGHTLY)
    list(JOIN arg_NIGHTLY ":" nightly)
    stealbench_add_command(${arg_NAME}/nightly nightly ${run} --gtest_filter=${nightly})
    list(APPEND run --gtest_filter=-${nightly})
  endif()
  stealbench_add_command(${arg_NAME} ${label} ${run})
endfunction()

# stealbench_as_benchmarked(target [UNLESS_ERASED]): optimised as what is benchmarked, also where the rest is not.
function(stealbench_as_benchmarked target)
  if(NOT STEALBENCH_SANITIZE AND NOT (ARGN AND STEALBENCH_ERASED))
    target_compile_options(${target} PRIVATE -O3 -DNDEBUG)
  endif()
endfunction()
