#!/usr/bin/env bash
set -euo pipefail

usage() {
    cat <<'END'
Usage: integrations/vtk/test.sh BUILD_DIR

Compares pictures of VTK in a display without a screen (Xvfb): with the newest OpenGL of the driver, and with OpenGL 3.3
where the driver is Mesa. Makes the pictures of the examples, also with an installed glsort. Ends with a line
"N passed, N failed".
END
}

source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../counting.sh"

suite "$build/bin/vtk_test"
MESA_GL_VERSION_OVERRIDE=3.3 MESA_GLSL_VERSION_OVERRIDE=330 suite "$build/bin/vtk_test"
one "$build/bin/vtk_example" "$build/vtk.png"
one "$build/bin/vtk_splats" "$build/vtk-splats.png"
one "$build/bin/vtk_splats" "$build/vtk-billboards.png" --billboards
installed vtk
conclude
