# The ctest entry "consumer": installs glsort from BUILD_DIR below WORK_DIR, and builds and runs the
# project beside this file with it. Also given: CONFIG, GENERATOR, CXX, NM.
set(prefix "${WORK_DIR}/prefix")
set(build "${WORK_DIR}/build")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --config "${CONFIG}" --prefix "${prefix}")

# The library must not define the symbols of an application's own glad.
file(GLOB_RECURSE library "${prefix}/*/libglsort.a")
execute_process(COMMAND "${NM}" --extern-only --defined-only "${library}"
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(symbols MATCHES " (glad[A-Za-z0-9_]*)")
  message(FATAL_ERROR "${library} exports ${CMAKE_MATCH_1}: rename it in src/CMakeLists.txt")
endif()

run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${build}" -G "${GENERATOR}"
  "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DSOURCE=${CMAKE_CURRENT_LIST_DIR}/../..")
run("${CMAKE_COMMAND}" --build "${build}" --config "${CONFIG}")
run("${build}/consumer")
