# The tests of the schedulers: what is tested of each strategy, and of the rooms that they share.

# A scheduler whose type is erased: what is compiled against it is linked with an any_scheduler_<target>.
add_library(scheduler_any INTERFACE)
target_link_libraries(scheduler_any INTERFACE stealbench::headers)
target_compile_definitions(scheduler_any INTERFACE
    STEALBENCH_SCHEDULER_HEADER="schedulers/contract/any_scheduler.hpp"
    STEALBENCH_SCHEDULER=stealbench::schedulers::contract::any_scheduler)

add_library(stealbench_random_program STATIC contract/random_program.cpp)
target_link_libraries(stealbench_random_program PUBLIC stealbench::headers PRIVATE rapidcheck)

# stealbench_without_membarrier(label name test): also runs the executable of the test where membarrier is refused, and
# so with seq_cst fences. The sanitizers see no fences.
add_executable(without_membarrier contract/without_membarrier.cpp)
target_link_libraries(without_membarrier PRIVATE stealbench::headers)
stealbench_label(long without_membarrier)
function(stealbench_without_membarrier label name test)
  if(NOT STEALBENCH_SANITIZE)
    add_test(NAME without_membarrier/${name} COMMAND without_membarrier $<TARGET_FILE:${test}> --gtest_brief=1)
    set_tests_properties(without_membarrier/${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77)
  endif()
endfunction()

# stealbench_test_on_machine(test machine header): on another machine than the real one. The tests do not know on which.
function(stealbench_test_on_machine test machine header)
  target_compile_definitions(${test} PRIVATE STEALBENCH_MACHINE=stealbench::${machine}
                                             STEALBENCH_MACHINE_HEADER="${header}")
endfunction()

# stealbench_test_strategy(target prefix place): as stealbench_add_strategy has them. One that is not QUICK shares all but
# its queue with one that is: sanitizers, faults and fences are tested each night. Another deque has its own tests,
# and every workload; the contract each night, as that of libraries, which run every workload too.
function(stealbench_test_strategy target prefix place)
  set(label nightly)
  set(contract_label nightly)
  set(other_label nightly)  # of its laws on other machines
  get_property(is_quick GLOBAL PROPERTY STEALBENCH_QUICK_${target})
  if(is_quick)
    set(label long)
    set(contract_label quick)
    set(other_label long)
  elseif(target STREQUAL prefix AND NOT place STREQUAL "ELSEWHERE")
    set(contract_label long)
    set(other_label long)
  endif()
  set(libraries scheduler_${target} stealbench_random_program)
  set(laws scheduler_contract_test.cpp contract/exception_test.cpp contract/group_test.cpp contract/loop_test.cpp
           contract/program_test.cpp contract/result_test.cpp)

  add_library(any_scheduler_${target} OBJECT EXCLUDE_FROM_ALL contract/any_scheduler.cpp)
  target_link_libraries(any_scheduler_${target} PRIVATE scheduler_${target})

  set(test scheduler_contract_test_${target})
  stealbench_add_test(${test} ${contract_label} TEST ${prefix}/contract LIBRARIES ${libraries}
                      SOURCES ${laws} contract/counter_test.cpp contract/misuse_test.cpp
                              contract/timeline_test.cpp contract/worker_counter_test.cpp)
  if(NOT STEALBENCH_ERASED)
    stealbench_as_benchmarked(${test})
  endif()
  if(place STREQUAL "ELSEWHERE")
    return()  # A library's faults are not ours to test.
  endif()

  # Apart from the contract test: it replaces operator new, and pthread_create in what it links.
  set(fault_tests contract/faults/pin_fault_test.cpp contract/faults/stopped_worker_test.cpp contract/faults/thread_fault_test.cpp)
  # Clang's sanitizers define operator new themselves and bear no second definition.
  if(NOT STEALBENCH_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    list(APPEND fault_tests contract/faults/allocation_fault_test.cpp)
  endif()
  stealbench_add_test(scheduler_fault_test_${target} ${label} TEST ${prefix}/faults LIBRARIES scheduler_${target}
                      SOURCES ${fault_tests})
  target_link_options(scheduler_fault_test_${target} PRIVATE LINKER:--wrap=pthread_create)
  if(NOT place STREQUAL "ENGINE")
    return()
  endif()
  stealbench_without_membarrier(${label} ${prefix}/contract ${test})

  set(test liveness_contract_test_${target})
  stealbench_add_test(${test} ${other_label} TEST ${prefix}/liveness LIBRARIES ${libraries}
                      SOURCES contract/rendezvous_test.cpp contract/stalled_searcher_test.cpp)
  stealbench_test_on_machine(${test} schedulers::contract::sleeps_until_woken_machine
                             schedulers/contract/sleeps_until_woken_machine.hpp)
  stealbench_without_membarrier(nightly ${prefix}/liveness ${test})
  set(test chaos_contract_test_${target})
  stealbench_add_test(${test} nightly TEST ${prefix}/chaos LIBRARIES ${libraries}
                      SOURCES ${laws} contract/rendezvous_test.cpp)
  stealbench_test_on_machine(${test} verify::chaos_machine verify/chaos_machine.hpp)

  # In simulated time. Each option with a thousand workers takes long: threads are quickly simulated, but their stacks
  # take the operating system's time.
  set(test simulated_contract_test_${target})
  stealbench_add_test(${test} ${other_label} TEST ${prefix}/simulated NIGHTLY *WhicheverVictims*/1024
                      SOURCES virtual_machine/tests/laws_test.cpp contract/program_test.cpp
                      LIBRARIES ${libraries} stealbench_virtual_machine)
  stealbench_test_on_machine(${test} virtual_machine::machine schedulers/virtual_machine/machine.hpp)
  foreach(seed 2 3)
    add_test(NAME ${prefix}/simulated/${seed}
             COMMAND ${test} --gtest_brief=1 --gtest_filter=-*WhicheverVictims*/1024)
    set_tests_properties(${prefix}/simulated/${seed} PROPERTIES LABELS nightly
                         ENVIRONMENT STEALBENCH_SIMULATION_SEED=${seed})
  endforeach()
endfunction()

# The rooms that schedulers share.
function(stealbench_test_rooms)
  get_property(known GLOBAL PROPERTY STEALBENCH_KNOWN_SCHEDULERS)
  add_test(NAME presets_are_up_to_date
           COMMAND bash -c "\"$0.sh\" \"$@\" | diff -u \"$0.json\" - || { echo 'renew it: the target presets'; exit 1; }"
                   ${PROJECT_SOURCE_DIR}/.cmake/scheduler_presets ${known})
  set_tests_properties(presets_are_up_to_date PROPERTIES LABELS long)

  stealbench_add_test(random_program_test long
      SOURCES contract/random_program_test.cpp LIBRARIES stealbench_random_program)
  stealbench_add_test(engine_test quick
      SOURCES engine/jobs/closure_stack_test.cpp operating_system/distance_test.cpp engine/sleep/heart_test.cpp
              engine/jobs/job_list_test.cpp engine/sleep/latch_test.cpp engine/loop_pace_test.cpp engine/sleep/parking_lot_test.cpp
              engine/sleep/patience_test.cpp engine/queue_policy_test.cpp engine/std_machine_test.cpp
              operating_system/mapped_memory_test.cpp operating_system/thread_test.cpp
              ${PROJECT_SOURCE_DIR}/verify/chaos_machine_test.cpp
      LIBRARIES stealbench_engine)
  stealbench_add_test(virtual_machine_test quick
      SOURCES virtual_machine/cache_line_test.cpp virtual_machine/tests/exposure_test.cpp
              virtual_machine/run_queue_test.cpp virtual_machine/tests/schedule_test.cpp virtual_machine/tests/simulation_test.cpp
      LIBRARIES stealbench_virtual_machine)
  stealbench_add_test(virtual_machine_costs_test long
      SOURCES virtual_machine/tests/costs_test.cpp virtual_machine/tests/engine_costs_test.cpp
              virtual_machine/tests/look_ahead_test.cpp virtual_machine/tests/mechanics_test.cpp virtual_machine/tests/shares_test.cpp
              virtual_machine/tests/sleepers_test.cpp virtual_machine/tests/steals_test.cpp virtual_machine/tally_test.cpp
      LIBRARIES stealbench_virtual_machine)
  stealbench_add_test(busy_leaves_test long
      SOURCES busy_leaves/published_schedule_test.cpp continuation_stealing/settings_test.cpp
              fibers/busy_leaves_test.cpp
      LIBRARIES stealbench_virtual_machine)
  stealbench_add_test(fibers_test quick
      SOURCES contract/time_limit_test.cpp fibers/stack_memory_test.cpp fibers/stack_overflow_test.cpp
              fibers/stack_pool_test.cpp fibers/stack_test.cpp fibers/fibers_test.cpp
              depth_first/serial_list_test.cpp
      LIBRARIES stealbench_engine)
  # Which job goes where, and which one a worker takes.
  stealbench_add_test(queue_test quick
      SOURCES central_queue/queue_test.cpp pull_migration/queue_test.cpp push_migration/queue_test.cpp
              work_sharing/queue_test.cpp
      LIBRARIES stealbench_engine)
  stealbench_add_test(static_partition_test quick SOURCES static_partition/team_test.cpp LIBRARIES stealbench_engine)
  stealbench_add_test(outcome_test quick SOURCES first_error_test.cpp outcome_test.cpp random_test.cpp LIBRARIES stealbench::headers)
  stealbench_add_test(profile_test long SOURCES virtual_machine/profile_test.cpp LIBRARIES stealbench_profile)
  stealbench_add_test(variant_test long SOURCES variant_test.cpp LIBRARIES stealbench_settings)
  stealbench_add_test(thief_test long
      SOURCES work_stealing/exposure_test.cpp work_stealing/leapfrog_test.cpp
              work_stealing/loot_test.cpp work_stealing/victims_test.cpp
      LIBRARIES stealbench_engine stealbench_every_deque)
  stealbench_add_test(deque_test quick
      SOURCES work_stealing/protocols/deque_test.cpp work_stealing/protocols/deque_property_test.cpp work_stealing/protocols/deque_stress_test.cpp
              work_stealing/protocols/full_deque_test.cpp
              work_stealing/protocols/split_deque_stress_test.cpp
      LIBRARIES stealbench_engine stealbench_every_deque rapidcheck)
  # Its files use the same names, each in its own unnamed namespace.
  set_target_properties(deque_test PROPERTIES UNITY_BUILD OFF)
  stealbench_as_benchmarked(deque_test outcome_test)
  stealbench_without_membarrier(long engine_test engine_test)
  stealbench_without_membarrier(long deque_test deque_test)
  # Twenty rounds of a million jobs each.
  foreach(suite SplitDequeStress DequeStress)
    stealbench_add_deep_test(${suite} deque_test --gtest_filter=${suite}*.* --gtest_repeat=20 --gtest_brief=1)
  endforeach()
endfunction()
