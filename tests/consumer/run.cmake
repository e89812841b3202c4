# The ctest entry "consumer": installs glsort from BUILD_DIR below WORK_DIR, and builds and runs the
# project beside this file with it. Also given: CONFIG, which may be empty, GENERATOR, CXX, NM, GLAD.
# With SKIP_WARNINGS, nothing is compiled for its warnings alone.
set(prefix "${WORK_DIR}/prefix")
set(build "${WORK_DIR}/build")
set(config "")
if(CONFIG)
  set(config --config "${CONFIG}")
endif()

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" ${config} --prefix "${prefix}")

# The library must not define the symbols of an application's own glad.
file(GLOB_RECURSE library "${prefix}/*/libglsort.a" "${prefix}/*/libglsort.so")
set(dynamic "")
if(library MATCHES "\\.so$")
  set(dynamic --dynamic)
endif()
execute_process(COMMAND "${NM}" ${dynamic} --extern-only --defined-only --demangle "${library}"
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
if(symbols MATCHES " (glad[A-Za-z0-9_]*)")
  message(FATAL_ERROR "${library} exports ${CMAKE_MATCH_1}: rename it in src/CMakeLists.txt")
endif()
# A shared library hides what is private: folders of the library that have a namespace of their own, and loaders.
if(dynamic AND symbols MATCHES "(glsort::(gl|embedded|detail)::[A-Za-z0-9_]+|glsort_glad[A-Za-z0-9_]*|glsort::[A-Za-z]*(Executor|Session|Schedule)[A-Za-z0-9_]*)")
  message(FATAL_ERROR "${library} exports ${CMAKE_MATCH_1}, which is private")
endif()

run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${build}" -G "${GENERATOR}"
  "-DCMAKE_BUILD_TYPE=${CONFIG}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_PREFIX_PATH=${prefix}"
  "-DCMAKE_RUNTIME_OUTPUT_DIRECTORY=${build}$<0:>"  # An expression, so that no configuration has a folder of its own.
  "-DSOURCE=${CMAKE_CURRENT_LIST_DIR}/../.." "-DGLAD=${GLAD}")
run("${CMAKE_COMMAND}" --build "${build}" ${config})
run("${build}/consumer")

# No warning in what people copy, by either compiler: one in each dialect.
file(GLOB_RECURSE sources "${build}/glsort/*.cpp")
set(dialect_of_g++ c++20)
set(dialect_of_clang++ c++2b)
foreach(compiler IN ITEMS g++ clang++)
  if(SKIP_WARNINGS)
    break()
  endif()
  find_program(found_${compiler} ${compiler})
  if(NOT found_${compiler})
    message(STATUS "${compiler} is not there: its warnings are not looked at")
    continue()
  endif()
  run("${found_${compiler}}" -std=${dialect_of_${compiler}} -Wall -Wextra -Wconversion -Wshadow -Werror -fsyntax-only
    "-I${prefix}/include" "-I${build}" -isystem "${build}/glad/include"
    "${CMAKE_CURRENT_LIST_DIR}/main.cpp" ${sources})
endforeach()
