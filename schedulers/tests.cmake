find_package(GTest REQUIRED)
find_package(rapidcheck REQUIRED)
# A scheduler whose type is erased: what is compiled against it is linked with an any_scheduler_<target>.
stealbench_add_strategy(any schedulers/contract/any_scheduler.hpp stealbench::schedulers::contract::any_scheduler
                        stealbench_headers)
stealbench_add_library(stealbench_random_program contract/random_program.cpp PRIVATE rapidcheck)
stealbench_add_program(without_membarrier long contract/without_membarrier.cpp LIBRARIES stealbench_headers)
get_property(laws GLOBAL PROPERTY STEALBENCH_LAWS)
list(TRANSFORM laws PREPEND contract/)
if(STEALBENCH_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(own_new allocation_fault)  # Clang's sanitizers define operator new themselves and bear no second definition.
endif()
# stealbench_test_on_machine(target what name label machine header argument...): on another machine than the real one.
function(stealbench_test_on_machine target what name label machine header)
  stealbench_add_test(${what}_contract_test_${target} ${label} NAME ${name}/${what} ${ARGN}
      LIBRARIES scheduler_${target} stealbench_random_program stealbench_virtual_machine
      DEFINITIONS STEALBENCH_MACHINE=stealbench::${machine} STEALBENCH_MACHINE_HEADER="${header}")
endfunction()
foreach(target IN LISTS TYPES)
  # Of its contract, that on other machines, of faults and fences. One that is not QUICK shares all but its queue with
  # one that is. Another deque has its own tests, and like a library runs every workload: its laws wait for the night.
  set(labels nightly nightly nightly)
  if(target IN_LIST QUICK)
    set(labels core long long)
  elseif(target IN_LIST IN_HOUSE)
    set(labels long long nightly)
  endif()
  list(POP_FRONT labels contract_label machine_label fault_label)
  string(REPLACE "." ":deque=" name ${target})
  stealbench_add_library(any_scheduler_${target} OBJECT contract/any_scheduler.cpp PRIVATE scheduler_${target})
  set(others "random_program|rendezvous|stalled_searcher|time_limit")
  set(fenced)
  if(target IN_LIST ENGINE_TYPES)
    set(fenced FENCED ${fault_label})
  elseif(NOT target IN_LIST IN_HOUSE)  # A library's faults are not ours to test.
    string(APPEND others "|process")
  endif()
  stealbench_add_test(scheduler_contract_test_${target} ${contract_label} NAME ${name}/contract ${fenced}
      TESTS contract/* EXCEPT ${others} LIBRARIES scheduler_${target} stealbench_random_program
      ${STEALBENCH_PER_SCHEDULER})
  if(fenced OR target IN_LIST IN_HOUSE)  # Apart from the contract test: it replaces operator new and pthread_create.
    stealbench_add_test(scheduler_fault_test_${target} ${fault_label} NAME ${name}/faults TESTS contract/faults/*
        EXCEPT "${own_new}" LIBRARIES scheduler_${target} -Wl,--wrap=pthread_create)
  endif()
  if(NOT fenced)
    continue()
  endif()
  stealbench_test_on_machine(${target} liveness ${name} ${machine_label}
      schedulers::contract::sleeps_until_woken_machine schedulers/contract/sleeps_until_woken_machine.hpp
      TESTS contract/rendezvous contract/stalled_searcher FENCED nightly ${STEALBENCH_UNOPTIMISED})
  stealbench_test_on_machine(${target} chaos ${name} nightly verify::chaos_machine verify/chaos_machine.hpp
      TESTS ${laws} contract/rendezvous)
  if(STEALBENCH_SANITIZE STREQUAL "thread" AND NOT target IN_LIST QUICK)
    continue()  # The simulation has one thread: ThreadSanitizer sees in it how fibers switch, which these four do.
  endif()
  # Threads are quickly simulated, but the stacks of a thousand take the operating system's time.
  set(with_a_thousand *WhicheverVictims*/1024)
  stealbench_test_on_machine(${target} simulated ${name} ${machine_label}
      virtual_machine::machine schedulers/virtual_machine/machine.hpp ARGUMENTS --gtest_filter=-${with_a_thousand}
      TESTS virtual_machine/tests/laws contract/program ${STEALBENCH_UNOPTIMISED})
  set(run $<TARGET_FILE:simulated_contract_test_${target}> --gtest_brief=1)
  stealbench_add_command(${name}/simulated/nightly nightly ${run} --gtest_filter=${with_a_thousand})
  if(NOT STEALBENCH_SANITIZE)  # Other seeds are other orders, in which the sanitizers see the same code.
    foreach(seed 2 3)
      stealbench_add_command(${name}/simulated/${seed} nightly env STEALBENCH_SIMULATION_SEED=${seed} ${run}
                             --gtest_filter=-${with_a_thousand})
    endforeach()
  endif()
endforeach()
# The rooms that schedulers share.
add_custom_target(presets COMMAND ${PROJECT_SOURCE_DIR}/.cmake/presets.sh write ${KNOWN} VERBATIM)
stealbench_add_command(presets_are_up_to_date long ${PROJECT_SOURCE_DIR}/.cmake/presets.sh check ${KNOWN})
if(NOT STEALBENCH_SANITIZE)
  foreach(runtime OpenMP::OpenMP_CXX stealbench_openmp_llvm)
    if(TARGET ${runtime})
      string(MAKE_C_IDENTIFIER openmp_binding_${runtime} name)
      set(libraries LIBRARIES stealbench_threads ${runtime})
      stealbench_add_program(${name} quick operating_system/openmp_binding_test.cpp ${libraries})
      stealbench_add_command(processors/${name} quick operating_system/check_openmp_binding.sh $<TARGET_FILE:${name}>)
    endif()
  endforeach()
  set(libraries LIBRARIES stealbench_threads -rdynamic)
  stealbench_add_program(openmp_places quick operating_system/openmp_places_test.cpp ${libraries})
  set(run operating_system/check_openmp_places.sh $<TARGET_FILE:openmp_places>)
  stealbench_add_command(processors/openmp_places quick ${run})
endif()
stealbench_add_test(outcome_test core TESTS outcome adapters/* LIBRARIES stealbench_headers
  ${STEALBENCH_AS_BENCHMARKED})
stealbench_add_test(std_async_test long TESTS std_async/* LIBRARIES stealbench_threads)
stealbench_add_test(input_test long TESTS variant virtual_machine/profile contract/random_program
  LIBRARIES stealbench_settings stealbench_random_program)
stealbench_add_test(work_span_test quick TESTS work_span/* LIBRARIES stealbench_work_span -Wl,--wrap=clock_gettime)
stealbench_add_test(engine_test core TESTS engine/* engine/*/* operating_system/* EXCEPT openmp_.* FENCED long
  LIBRARIES stealbench_engine)
stealbench_add_test(rooms_test core TESTS contract/time_limit depth_first/* fibers/* EXCEPT busy_leaves
  LIBRARIES stealbench_engine)
stealbench_add_test(strategies_test long LIBRARIES stealbench_virtual_machine
  TESTS busy_leaves/* continuation_stealing/* fibers/busy_leaves work_stealing/*)
stealbench_add_test(cluster_test long TESTS cluster/* LIBRARIES stealbench_cluster)
stealbench_add_test(deque_test core TESTS work_stealing/protocols/* FENCED long LIBRARIES stealbench_engine rapidcheck
  ${STEALBENCH_AS_BENCHMARKED})
set_target_properties(deque_test PROPERTIES UNITY_BUILD OFF)  # Its files use the same names.
# Twenty rounds of a million jobs each.
stealbench_add_command(deep/DequeStress deep deque_test --gtest_filter=*DequeStress*.* --gtest_repeat=20 --gtest_brief=1)
set(label core)
if(STEALBENCH_SANITIZE STREQUAL "thread")
  set(label nightly)  # It has one thread.
endif()
stealbench_add_test(virtual_machine_test ${label} LIBRARIES stealbench_virtual_machine TESTS virtual_machine/cache_line
  virtual_machine/tests/exposure virtual_machine/tests/schedule virtual_machine/tests/simulation)
stealbench_add_test(virtual_machine_costs_test long LIBRARIES stealbench_virtual_machine ${STEALBENCH_UNOPTIMISED}
  TESTS virtual_machine/tally virtual_machine/tests/* EXCEPT "exposure|laws|schedule|simulation")
