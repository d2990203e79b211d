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
install(CODE "include([==[${PROJECT_SOURCE_DIR}/.cmake/layout.cmake]==])
stealbench_install([==[${PROJECT_SOURCE_DIR}]==] \"\${CMAKE_INSTALL_PREFIX}\")")
