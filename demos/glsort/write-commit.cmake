# cmake -D SOURCE_DIR=... -D OUTPUT=... -P write-commit.cmake writes a header with the commit of the sources. An equal
# header is left alone, so that nothing is compiled anew. In a tarball, or without git, the commit is unknown.
cmake_minimum_required(VERSION 3.22)
set(commit unknown)
find_program(git git)
if(git)
  execute_process(
    COMMAND "${git}" describe --always --dirty --exclude=* --abbrev=12
    WORKING_DIRECTORY "${SOURCE_DIR}" OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE failed ERROR_QUIET)
  # A tarball may lie inside of another repository.
  execute_process(
    COMMAND "${git}" ls-files --error-unmatch CMakeLists.txt src/glsort/sorter.h
    WORKING_DIRECTORY "${SOURCE_DIR}" RESULT_VARIABLE foreign OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed AND NOT foreign)
    set(commit "${described}")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT
  "#pragma once\n#define GLSORT_COMMIT \"@commit@\"\n" @ONLY)
