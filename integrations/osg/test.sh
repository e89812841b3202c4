#!/usr/bin/env bash
set -euo pipefail

usage() {
    cat <<'END'
Usage: integrations/osg/test.sh BUILD_DIR

Compares pictures of OpenSceneGraph in a display without a screen (Xvfb): with the newest OpenGL of the driver, and with
OpenGL 3.3 where the driver is Mesa. Makes the pictures of the examples, also with an installed glsort. Ends with a line
"N passed, N failed".
END
}

source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../counting.sh"

suite "$build/bin/osg_test"
one "$build/bin/osg_example" "$build/osg.png"
one "$build/bin/osg_splats" "$build/osg-splats.png"
installed osg
conclude
