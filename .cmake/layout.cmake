# How a header is reached. In the repository an include path is a file path from its root. What another project gets, an
# installation or the copy that its build makes of the repository, has a layout of its own: <stealbench/...>, so that
# neither a folder of that project with the name of a room of ours nor ours hides the other's headers. All sources are
# rewritten, not only headers: no file includes one header by two paths.
cmake_policy(VERSION 3.25)

# stealbench_write_layout(from to file...): files of the repository, by their paths in it.
function(stealbench_write_layout from to)
  foreach(file IN LISTS ARGN)
    set(source "${from}/${file}")
    if(file MATCHES "\\.[ch]pp(\\.in)?$")
      file(READ "${source}" text)
      string(REGEX REPLACE "#include \"((schedulers|workloads|results|bench)/[^\"]*)\"" "#include <stealbench/\\1>"
             text "${text}")
      set(source "${to}/rewritten")
      file(WRITE "${source}" "${text}")
    endif()
    get_filename_component(folder "${to}/${file}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    file(COPY_FILE "${source}" "${to}/${file}" ONLY_IF_DIFFERENT)
  endforeach()
  file(REMOVE "${to}/rewritten")
endfunction()

# stealbench_write_library(from to headers): what the contract and the schedulers' headers include; without the schedulers
# that need a library which is not installed. `headers` are set to those.
function(stealbench_write_library from to headers)
  string(REPLACE "[" "[[]" pattern "${from}")  # For file(GLOB), to which a bracket begins a set.
  file(GLOB pending RELATIVE "${from}" "${pattern}/schedulers/*/scheduler.hpp" "${pattern}/schedulers/adapters/*.hpp")
  list(FILTER pending EXCLUDE REGEX "/(openmp_llvm|rayon|work_span)/")
  list(APPEND pending schedulers/scheduler.hpp schedulers/in_order.hpp)
  while(pending)
    list(POP_FRONT pending header)
    if(NOT header IN_LIST all)
      list(APPEND all ${header})
      file(STRINGS "${from}/${header}" included REGEX "^#include \"")
      list(TRANSFORM included REPLACE "^#include \"(.+)\"$" "\\1")
      list(APPEND pending ${included})
    endif()
  endwhile()
  stealbench_write_layout("${from}" "${to}" ${all})
  set(${headers} ${all} PARENT_SCOPE)
endfunction()

# stealbench_write_suite(from to files): the library, all that is measured with it and the tests of the laws, with their
# commit beside them. `files` are set to those.
function(stealbench_write_suite from to files)
  string(REPLACE "[" "[[]" pattern "${from}")
  file(GLOB_RECURSE suite RELATIVE "${from}" "${pattern}/.cmake/*" "${pattern}/schedulers/*" "${pattern}/workloads/*"
                                             "${pattern}/results/*" "${pattern}/bench/*")
  list(FILTER suite EXCLUDE REGEX "^schedulers/contract/|/(reference|end_to_end)/|_(test|fixture)\\.")
  file(GLOB_RECURSE contract RELATIVE "${from}" "${pattern}/schedulers/contract/*")
  list(APPEND suite CMakeLists.txt LICENSE .ci/install .ci/packages ${contract})
  stealbench_write_layout("${from}" "${to}" ${suite})
  execute_process(COMMAND "${from}/bench/cell/commit.sh" "${from}" "${to}/commit.hpp" COMMAND_ERROR_IS_FATAL ANY)
  set(${files} ${suite} PARENT_SCOPE)
endfunction()

# stealbench_install(from prefix): both, and says so in the list of what is installed.
function(stealbench_install from prefix)
  set(include "${prefix}/include/stealbench")
  set(share "${prefix}/share/stealbench/stealbench")  # The first name is the suite's include folder.
  stealbench_write_library("${from}" "$ENV{DESTDIR}${include}" library)
  stealbench_write_suite("${from}" "$ENV{DESTDIR}${share}" suite)
  message(STATUS "Installed: ${include} and ${share}")
  list(TRANSFORM library PREPEND "${include}/")
  list(TRANSFORM suite PREPEND "${share}/")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${library} ${suite} "${share}/commit.hpp")
  set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES}" PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)  # cmake -D TO=FOLDER -P layout.cmake: the library's headers
  stealbench_write_library("${CMAKE_CURRENT_LIST_DIR}/.." "${TO}/stealbench" headers)
endif()
