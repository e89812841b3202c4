#!/usr/bin/env bash
set -euo pipefail

usage() {
    cat <<'END'
Usage: integrations/hosts/test.sh BUILD_DIR

Runs the programs that give glsort a context, in a display without a screen (Xvfb). Ends with a line "N passed, N failed".
END
}

source "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../counting.sh"

for host in glfw egl sdl2 qt6; do
    one "$build/bin/host_$host"
done
conclude
