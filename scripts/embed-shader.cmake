# Writes the file INPUT as C++ source OUTPUT: a constant IDENTIFIER of type glsort::EmbeddedShader.
# Run as a build step: cmake -DINPUT=… -DOUTPUT=… -DIDENTIFIER=… -P embed-shader.cmake
#
# Bytes instead of string literals: any content works, at any length (compilers limit a literal's).
cmake_path(GET INPUT FILENAME name)
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n    " bytes "${bytes}")  # 16 a line
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE "${OUTPUT}" "// Generated from shaders/${name}
#include <glsort/exec/embedded_shaders.h>

namespace glsort::embedded {

namespace {
constexpr char ${IDENTIFIER}_text[] = {
    ${bytes}'\\0'};
}  // namespace

// A constant initialiser, so that initialisers in other files can use the shader.
extern constinit const EmbeddedShader ${IDENTIFIER}{\"${name}\", {${IDENTIFIER}_text, sizeof ${IDENTIFIER}_text - 1}};

}  // namespace glsort::embedded
")
