# The presets of each scheduler follow from the list in schedulers/CMakeLists.txt. CMake reads presets before it
# reads any list, so what is written here is committed; a test compares.
get_property(known GLOBAL PROPERTY STEALBENCH_KNOWN_SCHEDULERS)
foreach(name IN LISTS known)
  list(APPEND configure "    {
      \"name\": \"${name}\",
      \"displayName\": \"The ${name} scheduler alone\",
      \"inherits\": \"base\",
      \"cacheVariables\": {\"STEALBENCH_SCHEDULERS\": \"${name}\"}
    }")
  list(APPEND build "    {\"name\": \"${name}\", \"configurePreset\": \"${name}\"}")
  list(APPEND test "    {\"name\": \"${name}\", \"configurePreset\": \"${name}\", \"inherits\": \"tested\"}")
  list(APPEND workflow "    {
      \"name\": \"${name}\",
      \"steps\": [
        {\"type\": \"configure\", \"name\": \"${name}\"},
        {\"type\": \"build\", \"name\": \"${name}\"},
        {\"type\": \"test\", \"name\": \"${name}\"}
      ]
    }")
endforeach()
foreach(kind configure build test workflow)
  list(JOIN ${kind} ",\n" presets)
  list(APPEND members "  \"${kind}Presets\": [\n${presets}\n  ]")
endforeach()
list(JOIN members ",\n" members)
set(committed ${PROJECT_SOURCE_DIR}/.cmake/scheduler_presets.json)
set(current ${PROJECT_BINARY_DIR}/generated/scheduler_presets.json)
file(CONFIGURE OUTPUT ${current} @ONLY CONTENT [[{
  "version": 6,
  "cmakeMinimumRequired": {"major": 3, "minor": 25, "patch": 0},
  "vendor": {"stealbench": "Written by the target presets from the list in schedulers/CMakeLists.txt"},
  "include": ["base_presets.json"],
@members@
}
]])
add_custom_target(presets COMMAND ${CMAKE_COMMAND} -E copy ${current} ${committed} VERBATIM)
if(BUILD_TESTING)
  add_test(NAME presets_are_up_to_date
           COMMAND sh -c "diff -u \"$1\" \"$2\" || { echo \"renew it: cmake --build $3 --target presets\"; exit 1; }"
                   sh ${committed} ${current} ${PROJECT_BINARY_DIR})
endif()
