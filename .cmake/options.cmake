# stealbench::options: what every target of this project is compiled with.
add_library(stealbench_options INTERFACE)
add_library(stealbench::options ALIAS stealbench_options)
target_compile_features(stealbench_options INTERFACE cxx_std_20)
target_include_directories(stealbench_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(stealbench_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Collecting its garbage is a tenth of what GCC does to a file of templates: not before a file has come to 1 GB.
  target_compile_options(stealbench_options INTERFACE --param=ggc-min-heapsize=1000000)
endif()
# A frame of more than a page then touches each of its pages from the top down, and cannot step over the guard page of a
# strand's stack, below which another one may be. Smaller frames, those of a fork among them, take as many instructions.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-fstack-clash-protection STEALBENCH_HAS_STACK_CLASH_PROTECTION)
if(STEALBENCH_HAS_STACK_CLASH_PROTECTION)
  target_compile_options(stealbench_options INTERFACE -fstack-clash-protection)
endif()
if(STEALBENCH_NATIVE)
  target_compile_options(stealbench_options INTERFACE -march=native)
endif()
if(STEALBENCH_SANITIZE)
  target_compile_options(stealbench_options INTERFACE -fsanitize=${STEALBENCH_SANITIZE}
                                                      -fno-omit-frame-pointer)
  target_link_options(stealbench_options INTERFACE -fsanitize=${STEALBENCH_SANITIZE})
  if(STEALBENCH_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # TSan does not model fences, and GCC warns of each. Ours order a store before a load, which TSan does not check,
    # and publish nothing: every edge that carries data is a release and an acquire, which it sees.
    target_compile_options(stealbench_options INTERFACE -Wno-tsan)
  endif()
endif()

if(STEALBENCH_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "STEALBENCH_FUZZ needs Clang, which has libFuzzer: set CMAKE_CXX_COMPILER=clang++")
  endif()
  target_compile_options(stealbench_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# stealbench_add_test(name [ONE_THREAD] [TEST name] [SHARDS n] [LONG test ...] SOURCES ... LIBRARIES ...): a GoogleTest
# executable and one CTest that runs all of it and, if it fails, shows what failed: a process for each of thousands of
# tests takes longer than the tests. --gtest_filter runs one alone. A long one is divided into n CTests. What
# has but ONE_THREAD is not built in the quick extent, which is the sanitizers'; LONG tests run in the full extent alone.
function(stealbench_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "ONE_THREAD" "TEST;SHARDS" "LONG;SOURCES;LIBRARIES")
  if(arg_ONE_THREAD AND STEALBENCH_EXTENT STREQUAL "quick")
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE stealbench::options GTest::gtest_main ${arg_LIBRARIES})
  if(NOT arg_TEST)
    set(arg_TEST ${name})
  endif()
  set(options --gtest_brief=1)
  if(arg_LONG AND NOT STEALBENCH_EXTENT STREQUAL "full")
    list(JOIN arg_LONG ":" long)
    list(APPEND options --gtest_filter=-${long})
  endif()
  if(NOT arg_SHARDS)
    add_test(NAME ${arg_TEST} COMMAND ${name} ${options})
    return()
  endif()
  foreach(shard RANGE 1 ${arg_SHARDS})
    math(EXPR index "${shard} - 1")
    add_test(NAME ${arg_TEST}/${shard} COMMAND ${name} ${options})
    set_tests_properties(${arg_TEST}/${shard} PROPERTIES
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# stealbench_tidy_once(target scheduler): a source that is compiled once per scheduler is linted
# with the first one only; the other schedulers' headers are linted with their any_scheduler.cpp.
function(stealbench_tidy_once target scheduler)
  get_property(built GLOBAL PROPERTY STEALBENCH_BUILT_SCHEDULERS)
  list(GET built 0 first)
  if(NOT scheduler STREQUAL first)
    set_property(TARGET ${target} PROPERTY CXX_CLANG_TIDY)
  endif()
endfunction()

# stealbench_compile_at_once(target): in few compilations, for most of each file is parsing what all of them
# include. The linter sees the files.
function(stealbench_compile_at_once target)
  get_target_property(linted ${target} CXX_CLANG_TIDY)
  if(NOT linted)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 64)
  endif()
endfunction()

# stealbench_as_benchmarked(target): optimised as what is benchmarked, also where the preset has less for the rest.
function(stealbench_as_benchmarked target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O3>)
endfunction()
