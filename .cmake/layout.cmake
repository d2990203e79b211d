# How a header is reached. In the repository an include path is a file path from its root. What another project gets, an
# installation or the copy that its build makes of the repository, has a layout of its own: <stealbench/...>, so that
# neither a folder of that project with the name of a room of ours nor ours hides the other's headers. Since the include
# lines of sources are rewritten too, and not only those of headers, no file includes one header by two paths.
cmake_policy(VERSION 3.25)

# stealbench_write_layout(from to file...): files of the repository, by their paths in it.
function(stealbench_write_layout from to)
  foreach(file IN LISTS ARGN)
    get_filename_component(folder "${to}/${file}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    if(NOT file MATCHES "\\.[ch]pp(\\.in)?$")
      file(COPY_FILE "${from}/${file}" "${to}/${file}" ONLY_IF_DIFFERENT)
      continue()
    endif()
    file(READ "${from}/${file}" text)
    string(REGEX REPLACE "#include \"((schedulers|workloads|results|bench)/[^\"]*)\"" "#include <stealbench/\\1>"
           text "${text}")
    set(before)
    if(EXISTS "${to}/${file}")
      file(READ "${to}/${file}" before)
    endif()
    if(NOT "${text}" STREQUAL "${before}")
      file(WRITE "${to}/${file}" "${text}")
    endif()
  endforeach()
endfunction()

# stealbench_list_library(from headers): what the contract and the schedulers' headers include; without the schedulers
# that need a library which is not installed.
function(stealbench_list_library from headers)
  file(GLOB pending RELATIVE "${from}" "${from}/schedulers/*/scheduler.hpp" "${from}/schedulers/adapters/*.hpp")
  list(FILTER pending EXCLUDE REGEX "/(openmp_llvm|rayon|work_span)/")
  list(APPEND pending schedulers/scheduler.hpp schedulers/in_order.hpp)
  while(pending)
    list(POP_FRONT pending header)
    if(header IN_LIST all)
      continue()
    endif()
    list(APPEND all ${header})
    file(STRINGS "${from}/${header}" included REGEX "^#include \"")
    list(TRANSFORM included REPLACE "^#include \"(.+)\"$" "\\1")
    list(APPEND pending ${included})
  endwhile()
  set(${headers} ${all} PARENT_SCOPE)
endfunction()

# stealbench_list_suite(from files): the library and all that is measured with it, and the tests of the laws.
function(stealbench_list_suite from files)
  foreach(folder .cmake schedulers workloads results bench)
    file(GLOB_RECURSE all RELATIVE "${from}" "${from}/${folder}/*")
    list(APPEND suite ${all})
  endforeach()
  set(contract ${suite})
  list(FILTER suite EXCLUDE REGEX "/(reference|end_to_end)/|_(test|fixture)\\.")
  list(FILTER contract INCLUDE REGEX "^schedulers/contract/")
  list(APPEND suite CMakeLists.txt LICENSE .ci/install .ci/packages ${contract})
  list(REMOVE_DUPLICATES suite)
  set(${files} ${suite} PARENT_SCOPE)
endfunction()

# stealbench_write_suite(from to files): the suite, with its commit beside it; `files` are its files.
function(stealbench_write_suite from to files)
  stealbench_list_suite("${from}" suite)
  stealbench_write_layout("${from}" "${to}" ${suite})
  execute_process(COMMAND "${from}/bench/cell/commit.sh" "${from}" "${to}/commit.hpp" COMMAND_ERROR_IS_FATAL ANY)
  set(${files} ${suite} PARENT_SCOPE)
endfunction()

# stealbench_install(from prefix): both, and says so in the list of what is installed.
function(stealbench_install from prefix)
  stealbench_list_library("${from}" library)
  stealbench_write_layout("${from}" "$ENV{DESTDIR}${prefix}/include/stealbench" ${library})
  set(share share/stealbench/stealbench)  # The suite's include folder is that of the first name.
  stealbench_write_suite("${from}" "$ENV{DESTDIR}${prefix}/${share}" suite)
  list(TRANSFORM library PREPEND "${prefix}/include/stealbench/")
  list(TRANSFORM suite PREPEND "${prefix}/${share}/")
  message(STATUS "Installed: ${prefix}/include/stealbench and ${prefix}/${share}")
  set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES};${library};${suite};${prefix}/${share}/commit.hpp"
      PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)  # cmake -D TO=FOLDER -P layout.cmake: the library's headers
  get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}" DIRECTORY)
  stealbench_list_library("${root}" library)
  stealbench_write_layout("${root}" "${TO}/stealbench" ${library})
endif()
