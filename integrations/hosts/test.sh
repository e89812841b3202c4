#!/usr/bin/env bash
set -euo pipefail

usage() {
    cat <<'END'
Usage: integrations/hosts/test.sh BUILD_DIR

Runs the programs that give glsort a context, in a display without a screen (Xvfb). Ends with a line "N passed, N failed".
END
}

case "${1:-}" in
    --help | -h) usage; exit ;;
    '') usage >&2; exit 2 ;;
esac
folder=$1/bin
runtime=$(mktemp -d) # Qt wants a folder of its own.
trap 'rm -rf "$runtime"' EXIT
passed=0
failed=0
for host in glfw egl sdl2 qt6; do
    if XDG_RUNTIME_DIR=$runtime xvfb-run -a -s '-noreset -screen 0 800x600x24' timeout 60 "$folder/host_$host"; then
        ((passed += 1))
    else
        printf 'host_%s failed\n' "$host"
        ((failed += 1))
    fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
((failed == 0))
