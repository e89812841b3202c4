# What scripts/run and scripts/test share. Sourced by bash, not executed.

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
exec </dev/null # nothing here asks questions; and it may have been closed, which confuses children

# stage TEXT: a heading on standard error, with the seconds since the start.
stage() {
    printf '== [%d s] %s\n' "$SECONDS" "$*" >&2
}

# install_deps [ENGINE...]
install_deps() {
    # Not fatal: what is missing may have been installed another way. CMake names what it misses.
    "$root/scripts/install-deps" "$@" || stage 'going on without all packages'
}

# build PRESET [TARGET...]: configures and builds into build/PRESET; progress on standard error. Two scripts take turns
# there: Ninja does not see another Ninja.
build() {
    local preset=$1 targets=("${@:2}") jobs
    jobs=$(nproc)
    mkdir -p "$root/build/$preset"
    {
        flock --nonblock 9 || { stage "wait for another build of $preset" && flock 9; }
        stage "configure $preset"
        (cd "$root" && cmake --log-level=WARNING --preset "$preset") >&2
        stage "build $preset: ${targets[*]:-everything} ($jobs jobs)"
        cmake --build "$root/build/$preset" --parallel "$jobs" ${targets:+--target "${targets[@]}"} >&2
    } 9>"$root/build/$preset/.lock"
}

# add_counts LOG: adds what the last line of the log counts ("N passed, N failed") to `passed` and `failed`. Fails if the
# line is another one.
add_counts() {
    local line
    line=$(tail -n 1 "$1")
    [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || return 1
    ((passed += BASH_REMATCH[1], failed += BASH_REMATCH[2])) || true
}
