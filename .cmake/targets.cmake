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
# What runs while nothing is timed, which -O3 would take half as long again to compile; what is optimised as where it is
# measured, always or unless workloads are erased; and tests that take longer to optimise than to run.
set(STEALBENCH_UNTIMED OPTIONS $<$<CONFIG:Release>:-Og>)
if(STEALBENCH_SANITIZE)  # UndefinedBehaviorSanitizer else goes on after its message, and the test passes.
  add_compile_options(-fsanitize=${STEALBENCH_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${STEALBENCH_SANITIZE})
else()
  set(STEALBENCH_AS_BENCHMARKED OPTIONS -O3 -DNDEBUG)
  set(STEALBENCH_UNOPTIMISED OPTIONS -O0)
endif()
if(NOT STEALBENCH_ERASED)
  set(STEALBENCH_PER_SCHEDULER ${STEALBENCH_AS_BENCHMARKED})
endif()
if(BUILD_TESTING)  # The labels (CONTRIBUTING.md): each target builds the tests of its label and of those before it.
  add_custom_target(core)
  add_custom_target(quick DEPENDS core)
  add_custom_target(long DEPENDS quick)
  add_custom_target(nightly DEPENDS long)
endif()

# stealbench_add_library(name [OBJECT] source... [PUBLIC ...] [PRIVATE ...] [OPTIONS ...]): an archive, built if needed,
# also in a project that builds shared libraries, where nothing of ours would be exported.
function(stealbench_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "PUBLIC;PRIVATE;OPTIONS")
  set(BUILD_SHARED_LIBS OFF)
  add_library(${name} EXCLUDE_FROM_ALL ${arg_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  target_link_libraries(${name} PUBLIC stealbench_headers ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
endfunction()

# stealbench_add_command(name label command argument... [PROPERTIES ...]): a CTest of a program, or of a script of the
# folder. A filter that no test matches is a success for GoogleTest. What ends with status 77 is skipped.
function(stealbench_add_command name label command)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" "" "PROPERTIES")
  if(command MATCHES "\\.py$")
    set(command ${STEALBENCH_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/${command})
  elseif(command MATCHES "\\.sh$")
    cmake_path(ABSOLUTE_PATH command)
  endif()
  add_test(NAME ${name} COMMAND ${command} ${arg_UNPARSED_ARGUMENTS})
  set_tests_properties(${name} PROPERTIES LABELS "${label}" SKIP_RETURN_CODE 77 ${arg_PROPERTIES}
                       FAIL_REGULAR_EXPRESSION "] 0 tests from 0 test suites ran")
endfunction()

# stealbench_add_program(name label source... [LIBRARIES ...] [DEFINITIONS ...] [OPTIONS ...]): an executable that the
# target of the label builds.
function(stealbench_add_program name label)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBRARIES;DEFINITIONS;OPTIONS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE ${arg_DEFINITIONS})
  target_compile_options(${name} PRIVATE ${arg_OPTIONS})
  add_dependencies(${label} ${name})
endfunction()

# stealbench_add_test(name label [NAME name] TESTS glob... [EXCEPT subjects] [FENCED label] [ARGUMENTS ...]
# [PROPERTIES ...] [LIBRARIES ...] [DEFINITIONS ...] [OPTIONS ...]): a GoogleTest executable of files <glob>_test.cpp,
# but those whose subject matches the expression; one CTest, as thousands of processes take longer than their tests.
# FENCED: it runs again with seq_cst fences instead of membarrier, which the sanitizers do not see.
function(stealbench_add_test name label)
  set(lists TESTS ARGUMENTS PROPERTIES LIBRARIES DEFINITIONS OPTIONS)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "NAME;EXCEPT;FENCED" "${lists}")
  list(APPEND arg_NAME ${name})
  list(GET arg_NAME 0 ctest)
  list(TRANSFORM arg_TESTS APPEND _test.cpp)
  file(GLOB tests CONFIGURE_DEPENDS none ${arg_TESTS})  # It wants one.
  list(FILTER tests EXCLUDE REGEX "/(${arg_EXCEPT})_test\\.cpp$")
  stealbench_add_program(${name} ${label} ${tests} LIBRARIES GTest::gtest_main ${arg_LIBRARIES}
                         DEFINITIONS ${arg_DEFINITIONS} OPTIONS ${arg_OPTIONS})
  set(run $<TARGET_FILE:${name}> --gtest_brief=1)
  if(arg_FENCED AND NOT STEALBENCH_SANITIZE)
    stealbench_add_command(without_membarrier/${ctest} ${arg_FENCED} without_membarrier ${run})
  endif()
  stealbench_add_command(${ctest} ${label} ${run} ${arg_ARGUMENTS} PROPERTIES ${arg_PROPERTIES})
endfunction()
