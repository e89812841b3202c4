#!/usr/bin/env bash
# The ctest entry "packed": packs the tests of a build, moves them, and runs a handful there.
# Usage: pack_test.sh SOURCE_FOLDER BUILD_FOLDER WORK_FOLDER
set -euo pipefail

source_folder=$1
build=$2
work=$3

# expect TEXT FILE: a line of it is, or contains, the text.
expect() {
    grep -qF -- "$1" "$2" || { printf 'no "%s" in %s:\n' "$1" "$2"; cat "$2"; exit 1; }
}

# run EXIT_CODE OPTION...: runs packed tests where no Xvfb is installed, from another folder; the output is in $work/out.
run() {
    local expected=$1 status=0
    (cd / && env -i PATH="$work/path" HOME="$work" "$work/moved/run-tests" --jobs 2 "${@:2}") >"$work/out" 2>&1 || status=$?
    ((status == expected)) || { printf 'exit code %d instead of %d\n' "$status" "$expected"; cat "$work/out"; exit 1; }
}

rm -rf "$work"
mkdir -p "$work/path"
"$source_folder/scripts/pack-tests" --build "$build" "$work/packed"
mv "$work/packed" "$work/moved"
(($(du -sm "$work/moved" | cut -f 1) < 80)) || { printf "the folder has 80 MiB or more\n"; exit 1; }
find /usr/bin /bin -maxdepth 1 -not -type d -not -name Xvfb -exec ln -sf -t "$work/path" {} +

# Two that need OpenGL, one with a comma in its name; one that reads the source, one that starts a program, and one that
# does not apply without Xvfb.
cases='sorters move,begin ends the sort before\, wherever that was,a counting sort is printed like any other program,glsort describes itself,particles opens a window'
run 0 --filter "$cases" --logs "$work/logs"
expect '4 passed, 0 failed, 1 skipped' "$work/out"
expect 'particles opens a window: Xvfb is not installed' "$work/out"
expect 'All tests passed' "$work/logs/0001.log"

# All is found beside the runner: the tests notice what is wrong there.
rm "$work/moved/source/tests/support/counting_scan.glsl"
ln -sf "$(type -P false)" "$work/moved/bin/glsort"
run 1 --filter "$cases"
expect '2 passed, 2 failed, 1 skipped' "$work/out"
expect '== failed, exit code' "$work/out"

# Executables that end in other ways.
cat >"$work/moved/tests/glsort_tests" <<'END'
#!/usr/bin/env bash
case $1 in
    --help) ;;
    --list-test-names-only) printf '%s\n' 'one, [two] and "three"' crashes hangs 'checks nothing'; exit 4 ;;
    'one\, \[two\] and \"three\"') echo 'All tests passed (1 assertion in 1 test case)' ;;
    crashes) kill -SEGV $$ ;;
    hangs) sleep 1000 ;;
    'checks nothing') printf 'test cases: 1 | 1 passed\nassertions: - none -\n' ;;
esac
END
# Of the other executable nothing is chosen: what is real would not end in a second on a busy machine.
run 1 --filter 'none of the real cases' --limit 1
expect '1 passed, 2 failed, 1 skipped' "$work/out"
expect '== failed, signal 11: crashes' "$work/out"
expect '== failed, no end within 1 s: hangs' "$work/out"
expect 'checks nothing: it checks nothing here' "$work/out"

run 2 --jobs none
run 2 --filter
chmod -x "$work/moved/tests/glsort_gl_tests"
run 2
rm -rf "$work"
