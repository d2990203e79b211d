find_path(STEALBENCH_CRYPTOPP_INCLUDE_DIR cryptopp/sha.h)
find_library(STEALBENCH_CRYPTOPP_LIBRARY NAMES cryptopp crypto++)
mark_as_advanced(STEALBENCH_CRYPTOPP_INCLUDE_DIR STEALBENCH_CRYPTOPP_LIBRARY)
if(NOT STEALBENCH_CRYPTOPP_INCLUDE_DIR OR NOT STEALBENCH_CRYPTOPP_LIBRARY)
  message(FATAL_ERROR "Crypto++ not found. Install the package libcrypto++-dev "
                      "(or everything at once: .ci/install).")
endif()
target_include_directories(stealbench_workloads SYSTEM PRIVATE ${STEALBENCH_CRYPTOPP_INCLUDE_DIR})
target_link_libraries(stealbench_workloads PRIVATE ${STEALBENCH_CRYPTOPP_LIBRARY})
# A fused multiply-add rounds once where two operations round twice: another tree.
set_source_files_properties(recursive/uts/tree.cpp PROPERTIES COMPILE_OPTIONS -ffp-contract=off)
