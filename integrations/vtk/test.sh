#!/usr/bin/env bash
set -euo pipefail

usage() {
    cat <<'TEXT'
Usage: integrations/vtk/test.sh BUILD_DIR

Compares pictures of VTK in a display without a screen (Xvfb): with the newest OpenGL of the driver, and with OpenGL 3.3
where the driver is Mesa. Makes the picture of the example, also with an installed glsort. Ends with a line "N passed, N failed".
TEXT
}

case "${1:-}" in
    --help | -h) usage; exit ;;
    '') usage >&2; exit 2 ;;
esac
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../counting.sh"

suite "$1/bin/vtk_test"
MESA_GL_VERSION_OVERRIDE=3.3 MESA_GLSL_VERSION_OVERRIDE=330 suite "$1/bin/vtk_test"
one "$1/bin/vtk_example" "$1/vtk.png"
installed vtk "$1"
conclude
