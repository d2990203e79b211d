# Writes the commit of the source tree into a header, at every build, but only when it has changed.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=*
                WORKING_DIRECTORY ${SOURCE_DIR} OUTPUT_VARIABLE commit ERROR_QUIET
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT
"#pragma once

namespace stealbench::cell {
inline constexpr const char* commit = \"@commit@\";
}  // namespace stealbench::cell
" @ONLY)
