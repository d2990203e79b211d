# Writes anew the tables and plots that are committed beside the raw files of the reference runs.
#   cmake -Dprogram=STEALBENCH -Druns=FOLDER -Dscratch=FOLDER -P write_reference.cmake
cmake_minimum_required(VERSION 3.25)
foreach(run comparison ablation)
  execute_process(COMMAND ${program} report ${runs}/${run} --plots --output ${scratch}/${run}
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB committed RELATIVE ${runs} ${runs}/${run}/*.md ${runs}/${run}/*.csv ${runs}/${run}/plots/*.svg)
  foreach(each IN LISTS committed)
    file(COPY_FILE ${scratch}/${each} ${runs}/${each} ONLY_IF_DIFFERENT)
  endforeach()
endforeach()
