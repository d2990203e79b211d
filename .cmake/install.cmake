# The library of schedulers, and the sources of the suite, which stealbench_add_suite builds in another project.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/stealbench)
install(TARGETS stealbench_headers stealbench_threads stealbench_engine EXPORT stealbench INCLUDES DESTINATION include)
install(EXPORT stealbench FILE targets.cmake NAMESPACE stealbench:: DESTINATION ${package})
configure_package_config_file(.cmake/stealbench-config.cmake.in package/stealbench-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(package/stealbench-config-version.cmake COMPATIBILITY SameMinorVersion)
install(DIRECTORY ${PROJECT_BINARY_DIR}/package/ DESTINATION ${package})
install(CODE "
  execute_process(COMMAND [==[${PROJECT_SOURCE_DIR}/.cmake/layout.sh]==] install [==[${PROJECT_SOURCE_DIR}]==]
                          [==[${PROJECT_BINARY_DIR}/layout]==] OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")  # What an older version has left would be found by a glob.
  file(REMOVE_RECURSE \"\${prefix}/include/stealbench\" \"\${prefix}/share/stealbench/stealbench\")")
install(DIRECTORY ${PROJECT_BINARY_DIR}/layout/ DESTINATION . USE_SOURCE_PERMISSIONS MESSAGE_NEVER)
