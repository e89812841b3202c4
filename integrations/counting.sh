# What the tests of adapters share: programs in a display without a screen, and the sum of what passes and fails. Sourced
# by bash.

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
    local log=$runtime/log counts
    on_display "$@" >"$log" 2>&1 || true
    cat "$log"
    counts=$(tail -n 1 "$log")
    if [[ $counts =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
        ((passed += BASH_REMATCH[1], failed += BASH_REMATCH[2])) || true
    else
        printf '%s failed without a count\n' "$1"
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

# installed ENGINE BUILD_DIR [OPTION...]: builds the example of an engine against an installed glsort, and runs it.
installed() {
    local engine=$1 build folder source
    build=$(realpath "$2")
    folder=$build/installed-$engine
    source=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
    rm -rf "$folder"
    if cmake --install "$build" --prefix "$folder/prefix" >"$runtime/log" 2>&1 &&
        cmake -S "$source/consumer" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug "-DENGINE=$engine" \
            "-DCMAKE_PREFIX_PATH=$folder/prefix" "${@:3}" >>"$runtime/log" 2>&1 &&
        cmake --build "$folder/build" >>"$runtime/log" 2>&1; then
        one "$folder/build/${engine}_example" "$build/$engine.png"
    else
        tail -n 40 "$runtime/log"
        printf 'the example of %s does not build with what is installed\n' "$engine"
        ((failed += 1))
    fi
}

conclude() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    ((failed == 0))
}
