# stealbench_require(package debian_package [what find_package takes]): finds a package, or stops
# with the name of the Debian package that holds it. What is asked for is never silently left out.
macro(stealbench_require package debian_package)
  find_package(${package} QUIET ${ARGN})
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "${package} not found. Install the package ${debian_package}, "
                        "or everything that the project needs with .ci/install.")
  endif()
endmacro()

stealbench_require(Threads libc6-dev)
stealbench_require(benchmark libbenchmark-dev)
stealbench_require(CLI11 libcli11-dev)
stealbench_require(fmt libfmt-dev)
stealbench_require(nlohmann_json nlohmann-json3-dev)
stealbench_require(ZLIB zlib1g-dev)
if(BUILD_TESTING)
  stealbench_require(GTest libgtest-dev)
endif()
