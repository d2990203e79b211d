# stealbench_require(variable debian_package command argument...): calls what finds something (such as find_package), and
# stops with the name of the Debian package unless the variable says that it was found. What is asked for is never
# silently left out.
macro(stealbench_require variable debian_package command)
  cmake_language(CALL ${command} ${ARGN})
  if(NOT ${variable})
    string(REGEX REPLACE "^STEALBENCH_|_FOUND$" "" what ${variable})
    message(FATAL_ERROR "${what} not found. Install the package ${debian_package}, "
                        "or everything that the project needs with .ci/install.")
  endif()
endmacro()

# The library of schedulers needs these alone.
stealbench_require(Threads_FOUND libc6-dev find_package Threads QUIET)
stealbench_require(Boost_FOUND libboost-context1.81-dev find_package Boost 1.81 QUIET COMPONENTS context)
stealbench_require(STEALBENCH_HWLOC libhwloc-dev find_library STEALBENCH_HWLOC hwloc)
if(NOT STEALBENCH_SUITE)
  return()
endif()
stealbench_require(benchmark_FOUND libbenchmark-dev find_package benchmark QUIET)
stealbench_require(CLI11_FOUND libcli11-dev find_package CLI11 QUIET)
stealbench_require(fmt_FOUND libfmt-dev find_package fmt QUIET)
stealbench_require(nlohmann_json_FOUND nlohmann-json3-dev find_package nlohmann_json QUIET)
stealbench_require(ZLIB_FOUND zlib1g-dev find_package ZLIB QUIET)
stealbench_require(STEALBENCH_CRYPTOPP libcrypto++-dev find_library STEALBENCH_CRYPTOPP cryptopp)
if(BUILD_TESTING)
  stealbench_require(GTest_FOUND libgtest-dev find_package GTest QUIET)
  stealbench_require(rapidcheck_FOUND librapidcheck-dev find_package rapidcheck QUIET)
  if(NOT STEALBENCH_SANITIZE)
    stealbench_require(STEALBENCH_RELACY relacy-dev find_path STEALBENCH_RELACY relacy/context.hpp)
    stealbench_require(STEALBENCH_VALGRIND valgrind find_program STEALBENCH_VALGRIND valgrind)
  endif()
endif()
