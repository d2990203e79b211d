# The target format-check: fails if clang-format would change a file that git tracks.
find_program(STEALBENCH_CLANG_FORMAT clang-format)
if(STEALBENCH_CLANG_FORMAT)
  add_custom_target(format-check
      COMMAND git ls-files -z *.hpp *.cpp
              | xargs -0 ${STEALBENCH_CLANG_FORMAT} --dry-run --Werror
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM COMMENT "Checking the format")
endif()
