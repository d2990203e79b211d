# The library of schedulers, and the sources of the suite, which stealbench_add_suite builds in another project.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/stealbench)
install(TARGETS stealbench_headers stealbench_threads stealbench_engine EXPORT stealbench)
install(EXPORT stealbench FILE targets.cmake NAMESPACE stealbench:: DESTINATION ${package})
configure_package_config_file(.cmake/stealbench-config.cmake.in generated/stealbench-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(generated/stealbench-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/stealbench-config.cmake
              ${PROJECT_BINARY_DIR}/generated/stealbench-config-version.cmake DESTINATION ${package})
install(FILES CMakeLists.txt LICENSE DESTINATION share/stealbench)
install(PROGRAMS .ci/install DESTINATION share/stealbench/.ci)
install(FILES .ci/packages DESTINATION share/stealbench/.ci)
install(DIRECTORY .cmake schedulers workloads results bench DESTINATION share/stealbench USE_SOURCE_PERMISSIONS
        PATTERN reference EXCLUDE PATTERN end_to_end EXCLUDE PATTERN "*_test.*" EXCLUDE PATTERN "*_fixture.*" EXCLUDE)
install(DIRECTORY schedulers/contract DESTINATION share/stealbench/schedulers)
install(CODE "execute_process(COMMAND ${PROJECT_SOURCE_DIR}/bench/cell/commit.sh ${PROJECT_SOURCE_DIR}
                              \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/stealbench/commit.hpp
                              COMMAND_ERROR_IS_FATAL ANY)")
