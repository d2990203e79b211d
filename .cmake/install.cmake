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
install(CODE "
  execute_process(COMMAND [==[${PROJECT_SOURCE_DIR}/.cmake/layout.sh]==] install [==[${PROJECT_SOURCE_DIR}]==]
                  \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\" OUTPUT_VARIABLE files COMMAND_ERROR_IS_FATAL ANY)
  message(STATUS \"Installed: \${CMAKE_INSTALL_PREFIX}/include/stealbench and share/stealbench\")
  string(REGEX MATCHALL \"[^\n]+\" files \"\${files}\")
  list(TRANSFORM files PREPEND \"\${CMAKE_INSTALL_PREFIX}/\")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES \${files})")
