# cmake -D program=... -D arguments=... -D reason=... -P expect_failure.cmake
# Passes if the program ends with exit status 1, its own word for "a check failed", and says why. A
# crash or a bad command line has another status, which WILL_FAIL could not tell apart.
separate_arguments(arguments)
execute_process(COMMAND ${program} ${arguments} OUTPUT_VARIABLE output ERROR_VARIABLE output
                RESULT_VARIABLE status)
message("${output}")
if(NOT status STREQUAL "1")
  message(FATAL_ERROR "exit status ${status} instead of 1")
endif()
string(FIND "${output}" "${reason}" position)
if(position EQUAL -1)
  message(FATAL_ERROR "'${reason}' is not in the output")
endif()
