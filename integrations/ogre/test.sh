#!/usr/bin/env bash
set -euo pipefail

usage() {
    cat <<'END'
Usage: integrations/ogre/test.sh BUILD_DIR

Compares pictures of OGRE in a display without a screen (Xvfb): with the newest OpenGL of the driver, and with OpenGL 3.3
where the driver is Mesa. Makes the pictures of the examples, also with an installed glsort. Ends with a line
"N passed, N failed".
END
}

source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../counting.sh"

cd "$runtime" # OGRE writes a log where it runs.
suite "$build/bin/ogre_test"
one "$build/bin/ogre_example" "$build/ogre.png"
one "$build/bin/ogre_splats" "$build/ogre-splats.png"
installed ogre "-DOGRE_PLUGINS=$(sed -n 's/^GLSORT_OGRE_PLUGINS:[A-Z]*=//p' "$build/CMakeCache.txt")"
conclude
