# A scheduler whose type is erased: what is compiled against it is linked with an any_scheduler_<target>.
stealbench_add_strategy(any schedulers/contract/any_scheduler.hpp stealbench::schedulers::contract::any_scheduler
                        stealbench_headers)
stealbench_add_library(stealbench_random_program contract/random_program.cpp PRIVATE rapidcheck)

# stealbench_without_membarrier(name label test): also runs the test with seq_cst fences, which the sanitizers do not see.
stealbench_add_program(without_membarrier long contract/without_membarrier.cpp LIBRARIES stealbench_headers)
function(stealbench_without_membarrier name label test)
  if(NOT STEALBENCH_SANITIZE)
    stealbench_add_command(without_membarrier/${name} ${label} without_membarrier $<TARGET_FILE:${test}> --gtest_brief=1)
  endif()
endfunction()
if(NOT STEALBENCH_SANITIZE)
  set(unoptimised OPTIONS -O0)  # To optimise such a test takes longer than to run it.
endif()

# stealbench_test_on_machine(target what name label machine header test-arguments...): on another machine than the real one.
function(stealbench_test_on_machine target what name label machine header)
  stealbench_add_test(${what}_contract_test_${target} ${label} NAME ${name}/${what} ${ARGN}
      LIBRARIES scheduler_${target} stealbench_random_program stealbench_virtual_machine
      DEFINITIONS STEALBENCH_MACHINE=stealbench::${machine} STEALBENCH_MACHINE_HEADER="${header}")
endfunction()
get_property(laws GLOBAL PROPERTY STEALBENCH_LAWS)
set(fault_tests pin_fault stopped_worker thread_fault allocation_fault)
if(STEALBENCH_SANITIZE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  list(POP_BACK fault_tests)  # Clang's sanitizers define operator new themselves and bear no second definition.
endif()
add_custom_target(laws)  # What the preset aarch64 builds.
foreach(target IN LISTS TYPES)
  # Of its contract, of that on other machines, of faults and fences. One that is not QUICK shares all but its queue with
  # one that is. Another deque has its own tests, and like a library it runs every workload: its laws wait for the night.
  set(labels nightly nightly nightly)
  if(target IN_LIST QUICK)
    set(labels core long long)
  elseif(target IN_LIST IN_HOUSE)
    set(labels long long nightly)
  endif()
  list(POP_FRONT labels contract_label machine_label fault_label)
  string(REPLACE "." ":deque=" name ${target})
  stealbench_add_library(any_scheduler_${target} OBJECT contract/any_scheduler.cpp PRIVATE scheduler_${target})
  set(test scheduler_contract_test_${target})
  set(own_tests counter hundreds_of_workers misuse result_type timeline worker_counter)
  if(target IN_LIST IN_HOUSE OR target IN_LIST ENGINE_TYPES)  # A library's faults are not ours to test.
    list(APPEND own_tests process)
    # Apart from the contract test: it replaces operator new and pthread_create.
    stealbench_add_test(scheduler_fault_test_${target} ${fault_label} NAME ${name}/faults
                        IN contract/faults/ TESTS ${fault_tests} LIBRARIES scheduler_${target})
    target_link_options(scheduler_fault_test_${target} PRIVATE LINKER:--wrap=pthread_create)
  endif()
  stealbench_add_test(${test} ${contract_label} NAME ${name}/contract IN contract/ TESTS ${laws} ${own_tests}
                      LIBRARIES scheduler_${target} stealbench_random_program)
  stealbench_as_benchmarked(${test} UNLESS_ERASED)
  if(target IN_LIST IN_HOUSE)
    add_dependencies(laws ${test})
  endif()
  if(NOT target IN_LIST ENGINE_TYPES)
    continue()
  endif()
  stealbench_without_membarrier(${name}/contract ${fault_label} ${test})
  stealbench_test_on_machine(${target} liveness ${name} ${machine_label}
      schedulers::contract::sleeps_until_woken_machine schedulers/contract/sleeps_until_woken_machine.hpp
      IN contract/ TESTS rendezvous stalled_searcher ${unoptimised})
  stealbench_without_membarrier(${name}/liveness nightly liveness_contract_test_${target})
  stealbench_test_on_machine(${target} chaos ${name} nightly verify::chaos_machine verify/chaos_machine.hpp
                             IN contract/ TESTS ${laws} rendezvous)
  # Threads are quickly simulated, but the stacks of a thousand take the operating system's time.
  set(with_a_thousand *WhicheverVictims*/1024)
  if(STEALBENCH_SANITIZE STREQUAL "thread" AND NOT target IN_LIST QUICK)
    continue()  # The simulation has one thread: ThreadSanitizer sees in it how fibers switch, which these four do.
  endif()
  stealbench_test_on_machine(${target} simulated ${name} ${machine_label}
      virtual_machine::machine schedulers/virtual_machine/machine.hpp NIGHTLY ${with_a_thousand}
      TESTS virtual_machine/tests/laws contract/program ${unoptimised})
  foreach(seed 2 3)
    if(NOT STEALBENCH_SANITIZE)  # Other seeds are other orders, in which the sanitizers see the same code.
      stealbench_add_command(${name}/simulated/${seed} nightly env STEALBENCH_SIMULATION_SEED=${seed}
          $<TARGET_FILE:simulated_contract_test_${target}> --gtest_brief=1 --gtest_filter=-${with_a_thousand})
    endif()
  endforeach()
endforeach()

# The rooms that schedulers share.
set(presets ${PROJECT_SOURCE_DIR}/.cmake/presets.sh)
add_custom_target(presets COMMAND ${presets} write ${ROOMS} VERBATIM)
stealbench_add_command(presets_are_up_to_date long ${presets} check ${ROOMS})
stealbench_add_test(outcome_test core TESTS first_error outcome adapters/deferred_group adapters/pieces random LIBRARIES stealbench_headers)
stealbench_add_test(std_async_test long TESTS std_async/thread_fault LIBRARIES stealbench_threads)
stealbench_add_test(input_test long OF stealbench_input stealbench_random_program LIBRARIES stealbench_settings)
stealbench_add_test(work_span_test quick OF stealbench_work_span)
target_link_options(work_span_test PRIVATE LINKER:--wrap=clock_gettime)
if(NOT STEALBENCH_SANITIZE)
  set(script operating_system/check_openmp_binding.sh)
  foreach(runtime OpenMP::OpenMP_CXX stealbench_openmp_llvm)
    if(TARGET ${runtime})
      string(MAKE_C_IDENTIFIER openmp_binding_${runtime} program)
      stealbench_add_program(${program} quick operating_system/openmp_binding_test.cpp LIBRARIES ${runtime} stealbench_threads)
      stealbench_add_command(processors/${program} quick ${script} $<TARGET_FILE:${program}>)
    endif()
  endforeach()
  stealbench_add_program(openmp_places quick operating_system/openmp_places_test.cpp LIBRARIES stealbench_threads)
  set_target_properties(openmp_places PROPERTIES ENABLE_EXPORTS ON)
  stealbench_add_command(processors/openmp_places quick operating_system/check_openmp_places.sh $<TARGET_FILE:openmp_places>)
endif()
stealbench_add_test(engine_test core OF stealbench_threads stealbench_engine
  TESTS engine/loop_pace engine/queue_policy engine/jobs/closure_stack engine/jobs/job_list engine/sleep/heart
        engine/sleep/latch engine/sleep/parking_lot engine/sleep/patience ${PROJECT_SOURCE_DIR}/verify/chaos_machine)
stealbench_add_test(rooms_test core LIBRARIES stealbench_engine
  TESTS contract/time_limit depth_first/serial_list engine/base_scheduler fibers/busy_time fibers/fibers fibers/stack
        fibers/stack_overflow fibers/stack_pool central_queue/queue pull_migration/queue push_migration/queue
        static_partition/team work_sharing/queue)
stealbench_add_test(strategies_test long LIBRARIES stealbench_virtual_machine
  TESTS busy_leaves/published_schedule continuation_stealing/settings fibers/busy_leaves
        work_stealing/exposure work_stealing/leapfrog work_stealing/loot work_stealing/queue work_stealing/steal_worth
        work_stealing/victims)
stealbench_add_test(cluster_test long OF stealbench_cluster TESTS cluster/termination)
stealbench_add_test(deque_test core LIBRARIES stealbench_engine rapidcheck
  IN work_stealing/protocols/ TESTS deque deque_property deque_stress full_deque split_deque_stress)
set_target_properties(deque_test PROPERTIES UNITY_BUILD OFF)  # Its files use the same names.
set(label core)
if(STEALBENCH_SANITIZE STREQUAL "thread")
  set(label nightly)  # It has one thread.
endif()
stealbench_add_test(virtual_machine_test ${label} LIBRARIES stealbench_virtual_machine
  IN virtual_machine/ TESTS cache_line run_queue tests/exposure tests/schedule tests/simulation)
stealbench_add_test(virtual_machine_costs_test long LIBRARIES stealbench_virtual_machine
  IN virtual_machine/ TESTS tally tests/costs tests/engine_costs tests/mechanics tests/memory
                            tests/shares tests/sleepers tests/steals ${unoptimised})
add_dependencies(laws deque_test engine_test rooms_test)
stealbench_as_benchmarked(deque_test)
stealbench_as_benchmarked(outcome_test)
stealbench_without_membarrier(engine_test long engine_test)
stealbench_without_membarrier(deque_test long deque_test)
# Twenty rounds of a million jobs each.
stealbench_add_command(deep/DequeStress deep deque_test --gtest_filter=*DequeStress*.* --gtest_repeat=20 --gtest_brief=1)
