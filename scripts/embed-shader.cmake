# Writes the file NAME of FOLDER as C++ source OUTPUT: a constant IDENTIFIER of type glsort::EmbeddedShader.
# Run as a build step: cmake -DFOLDER=… -DNAME=… -DOUTPUT=… -DIDENTIFIER=… [-DCOMMENTS=OFF] -P embed-shader.cmake
#
# Bytes instead of string literals: any content works, at any length (compilers limit a literal's).
# -DCOMMENTS=OFF leaves out comments, indents, and spaces around operators, but keeps all lines. Plus and minus keep
# their spaces: `a - -b` must not become `a--b`.
file(READ "${FOLDER}/${NAME}" bytes HEX)
if(DEFINED COMMENTS AND NOT COMMENTS)
  file(READ "${FOLDER}/${NAME}" text)
  string(REGEX REPLACE " *//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\n +" "\n" text "${text}")
  string(REGEX REPLACE " ([*/%<>=!&|^?:]+=?|[-+]=) " "\\1" text "${text}")
  string(REGEX REPLACE "([,;]) " "\\1" text "${text}")
  string(HEX "${text}" bytes)
endif()
string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")  # 16 a line
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE "${OUTPUT}" "// Generated from shaders/${NAME}
#include <glsort/exec/embedded_shaders.h>

namespace glsort::embedded {

namespace {
constexpr char ${IDENTIFIER}_text[] = {
    ${bytes}'\\0'};
}  // namespace

// A constant initialiser, so that initialisers in other files can use the shader.
extern constinit const EmbeddedShader ${IDENTIFIER}{\"${NAME}\", {${IDENTIFIER}_text, sizeof ${IDENTIFIER}_text - 1}};

}  // namespace glsort::embedded
")
