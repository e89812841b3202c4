# What the tests of adapters share: their argument, programs in a display without a screen, and the sum of what passes and
# fails. Sourced by bash, after `usage`.

case "${1:-}" in
    --help | -h) usage; exit ;;
    '') usage >&2; exit 2 ;;
esac
build=$(realpath "$1")
integrations=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
source "$integrations/../scripts/common.sh"

passed=0
failed=0
runtime=$(mktemp -d) # Qt wants a folder of its own.
trap 'rm -rf "$runtime"' EXIT

# on_display COMMAND...: the second program of a display without -noreset would find none.
on_display() {
    XDG_RUNTIME_DIR=$runtime xvfb-run -a -s '-noreset -screen 0 1280x800x24' timeout 240 "$@"
}

# suite COMMAND...: the last line of the command counts what passed and failed.
suite() {
    local log=$runtime/log status=0 before=$failed
    on_display "$@" >"$log" 2>&1 || status=$?
    cat "$log"
    if ! add_counts "$log"; then
        printf '%s failed without a count\n' "$1"
        ((failed += 1))
    elif ((status != 0 && failed == before)); then # a crash behind the last line
        printf '%s failed: exit code %d\n' "$1" "$status"
        ((failed += 1))
    fi
}

# one COMMAND...: passes or fails.
one() {
    if on_display "$@"; then
        ((passed += 1))
    else
        printf '%s failed\n' "$1"
        ((failed += 1))
    fi
}

# installed ENGINE [OPTION...]: builds the examples of an engine against an installed glsort, and runs them.
installed() {
    local engine=$1 folder=$build/installed-$1
    rm -rf "$folder"
    if cmake --install "$build" --prefix "$folder/prefix" >"$runtime/log" 2>&1 &&
        cmake -S "$integrations/consumer" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DENGINE=$engine" \
            "-DCMAKE_PREFIX_PATH=$folder/prefix" "${@:2}" >>"$runtime/log" 2>&1 &&
        cmake --build "$folder/build" >>"$runtime/log" 2>&1; then
        one "$folder/build/${engine}_example" "$build/$engine.png"
        one "$folder/build/${engine}_splats" "$build/$engine-splats.png"
    else
        tail -n 40 "$runtime/log"
        printf 'the examples of %s do not build with what is installed\n' "$engine"
        ((failed += 1))
    fi
}

conclude() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    ((failed == 0))
}
