#!/bin/sh
# Builds the commands for Windows with MinGW, and runs some of them under Wine. The
# results must be those of this system.
#
# With an archive of `make dist-windows`, tests the programs in it instead. The launcher
# must open a table and a record on a virtual display, and the archive must register its
# file type.
#
# Requires rustup, MinGW and Wine (on Debian: gcc-mingw-w64-x86-64, wine, wine64); for an
# archive also unzip, Xvfb and a Vulkan driver.
#
# usage: test-windows.sh [ARCHIVE.zip]
#   CARGO_TARGET_DIR sets the build folder (default: target/).
set -eu

cd "$(dirname "$0")/.."
target=x86_64-pc-windows-gnu
base=${CARGO_TARGET_DIR:-target}
programs=$base/$target/debug
# How long a software renderer may take to show a table, in seconds.
patience=180

say() { printf 'test-windows: %s\n' "$*"; }
fail() {
    echo "test-windows: $*" >&2
    exit 1
}

for program in rustup wine x86_64-w64-mingw32-gcc x86_64-w64-mingw32-objdump; do
    command -v $program >/dev/null 2>&1 ||
        fail "$program is not installed (on Debian: gcc-mingw-w64-x86-64 wine wine64)"
done

files=$(mktemp -d)
server=
finish() {
    wineserver -k 2>/dev/null || true
    [ -z "$server" ] || kill $server 2>/dev/null || true
    rm -rf "$files"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

cargo build --locked --no-default-features
if [ -n "${1:-}" ]; then
    unzip -q "$1" -d "$files/archive"
    set -- "$files"/archive/*
    archive=$1
    programs=$archive/bin
else
    archive=
    rustup target add $target
    cargo build --locked --no-default-features --features windows-launcher --target $target
fi

# Rust's library needs a function that Wine 8 does not have.
x86_64-w64-mingw32-gcc -x c -shared -o "$programs/bcryptprimitives.dll" - -ladvapi32 <<'END'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return SystemFunction036(data, (ULONG) length);
}
END

[ -z "$archive" ] || cp "$programs/bcryptprimitives.dll" "$archive"

x86_64-w64-mingw32-objdump -h "$programs/tabulae.exe" | grep -q '\.rsrc' ||
    fail "the program has no icon and no version"

export WINEPREFIX="$files/wine" WINEDEBUG=-all DISPLAY=
# Of no other Wine and no other program.
export XDG_RUNTIME_DIR="$files"
# Its first start prints messages of its own.
wine cmd /c exit >/dev/null 2>&1 || true

# compare INPUT ARGUMENTS: the command with this standard input, on both systems.
compare() {
    input=$1
    shift
    say "tabulae $*"
    printf '%s' "$input" | "$base/debug/tabulae" "$@" >"$files/expected"
    printf '%s' "$input" | wine "$programs/tabulae.exe" "$@" 2>"$files/errors" |
        tr -d '\r' >"$files/found"
    [ -s "$files/found" ] && cmp -s "$files/expected" "$files/found" || {
        diff "$files/expected" "$files/found" >&2 || cat "$files/errors" >&2
        fail "differs under Wine"
    }
}

compare "" --version
compare "" rules tablut/ashton
compare "" perft tablut/ashton 3
compare "" check tests/records/valid/tablaaza.tab
compare "ugi
isready
go depth 3
quit
" engine
compare "e4-f4
quit
" play --rules tablut --second person
compare "" match --rules tablaaza --first novice --second casual --games 2 --seed 1 --nodes 200 \
    --quiet --out -

if [ -n "$archive" ]; then
    say "open-records.cmd"
    (cd "$archive" && wine cmd /c open-records.cmd >/dev/null)
    wine reg query 'HKCU\Software\Classes\Tabulae.Record\shell\open\command' /ve |
        grep -q 'play-tabulae.exe" "%1"' || fail "the file type is not registered"

    Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset -ac \
        3>"$files/display" >/dev/null 2>&1 &
    server=$!
    until [ -s "$files/display" ]; do
        kill -0 $server 2>/dev/null || fail "Xvfb did not start"
        sleep 1
    done
    DISPLAY=:$(cat "$files/display")
    # Wine's Direct3D 12 cannot compile shaders.
    export WGPU_BACKEND=vulkan

    # launch ARGUMENTS: the launcher opens what the report calls settled.
    launch() {
        say "play-tabulae $*"
        : >"$files/report"
        # On a desktop of Wine's own: without it, Wine does not tell the rate of Xvfb's
        # picture, which the windowing library requires.
        wine explorer /desktop=tabulae,1280x800 "$(winepath -w "$archive/play-tabulae.exe")" \
            --report "$@" >"$files/report" 2>"$files/errors" &
        since=$(date +%s)
        until grep -q '^settled' "$files/report"; do
            [ $(($(date +%s) - since)) -lt $patience ] || {
                tail -n 20 "$files/report" "$files/errors" >&2
                fail "nothing to see after $patience s"
            }
            sleep 1
        done
        # Ends the desktop, and the game on it.
        wineserver -k
        wait $! || true
    }
    launch --rules tablut/ashton
    launch "$(winepath -w "$PWD/tests/records/valid/tablaaza.tab")"
    grep -q '^screen replay' "$files/report" || fail "the record is not shown"
fi
say "passed"
