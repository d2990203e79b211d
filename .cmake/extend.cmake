# What a project of your own calls: its schedulers and workloads become rows beside ours (bench/template/README.md).
# stealbench_add_scheduler(name header type [library...]): a type that satisfies schedulers/scheduler.hpp.
function(stealbench_add_scheduler name header type)
  if(NOT name MATCHES "^[a-z0-9-]+$")
    message(FATAL_ERROR "stealbench_add_scheduler(${name} ...): valid are lower-case letters, digits and hyphens")
  elseif(TARGET stealbench)  # A row that is added later would be missing.
    message(FATAL_ERROR "stealbench_add_scheduler(${name} ...) must be above stealbench_add_suite()")
  endif()
  cmake_path(ABSOLUTE_PATH header)
  stealbench_add_strategy(${name} ${header} ${type} ${ARGN})
  target_compile_definitions(scheduler_${name} INTERFACE STEALBENCH_SCHEDULER_NAME="${name}")
  set_property(GLOBAL APPEND PROPERTY STEALBENCH_ADDED_schedulers ${name})
endfunction()

# stealbench_add_workload(header type [library...]): a type that satisfies workloads/workload.hpp.
function(stealbench_add_workload header type)
  if(TARGET stealbench)
    message(FATAL_ERROR "stealbench_add_workload(${header} ...) must be above stealbench_add_suite()")
  endif()
  cmake_path(ABSOLUTE_PATH header)
  set_property(GLOBAL APPEND PROPERTY STEALBENCH_ADDED_workloads ${type}=${header})
  set_property(GLOBAL APPEND PROPERTY STEALBENCH_ADDED_libraries ${ARGN})
endfunction()

# stealbench_add_laws(name): the program laws_<name>, which tests the laws of the contract on an added scheduler.
set_property(GLOBAL PROPERTY STEALBENCH_LAWS exception group laws loop program result)
function(stealbench_add_laws name)
  if(NOT TARGET scheduler_${name})
    message(FATAL_ERROR "stealbench_add_laws(${name}): no stealbench_add_scheduler(${name} ...) is above it")
  endif()
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  set(suite "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..")
  get_property(laws GLOBAL PROPERTY STEALBENCH_LAWS)
  list(TRANSFORM laws REPLACE "(.+)" "${suite}/schedulers/contract/\\1_test.cpp")
  add_executable(laws_${name} EXCLUDE_FROM_ALL ${laws} "${suite}/schedulers/contract/random_program.cpp")
  target_include_directories(laws_${name} BEFORE PRIVATE "${suite}/..")
  target_link_libraries(laws_${name} PRIVATE scheduler_${name} stealbench::schedulers GTest::gtest_main rapidcheck)
endfunction()

# stealbench_add_suite(): configures the suite with what has been added, in the folder stealbench of the build.
function(stealbench_add_suite)
  set(STEALBENCH_SUITE ON)
  set(CMAKE_UNITY_BUILD ON)  # These two as in our presets.
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 64)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release)  # What is not optimised is not worth measuring.
  endif()
  add_subdirectory("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/.." "${CMAKE_BINARY_DIR}/stealbench" EXCLUDE_FROM_ALL)
endfunction()

# stealbench_add_strategy(target header type library...): scheduler_<target>, for what each scheduler has compiled.
function(stealbench_add_strategy target header type)
  add_library(scheduler_${target} INTERFACE)
  target_link_libraries(scheduler_${target} INTERFACE ${ARGN})
  target_compile_definitions(scheduler_${target} INTERFACE STEALBENCH_SCHEDULER_HEADER="${header}"
                             STEALBENCH_SCHEDULER=${type} STEALBENCH_SCHEDULER_ON=${type}_on)
endfunction()
