#!/usr/bin/env bash
set -euo pipefail

usage() {
    cat <<'END'
Usage: integrations/ogre/test.sh BUILD_DIR

Compares pictures of OGRE in a display without a screen (Xvfb): with the newest OpenGL of the driver, in another thread,
and with OpenGL 3.3 where the driver is Mesa. Makes the picture of the example, also with an installed glsort. Ends with a line "N passed, N failed".
END
}

case "${1:-}" in
    --help | -h) usage; exit ;;
    '') usage >&2; exit 2 ;;
esac
source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../counting.sh"

suite "$1/bin/ogre_test"
suite "$1/bin/ogre_test" --thread
MESA_GL_VERSION_OVERRIDE=3.3 MESA_GLSL_VERSION_OVERRIDE=330 suite "$1/bin/ogre_test"
one "$1/bin/ogre_example" "$1/ogre.png"
installed ogre "$1" "-DOGRE_PLUGINS=$(sed -n 's/^GLSORT_OGRE_PLUGINS:[A-Z]*=//p' "$1/CMakeCache.txt")"
conclude
