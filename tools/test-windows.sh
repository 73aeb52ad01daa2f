#!/bin/sh
# Builds the commands for Windows with MinGW, and runs some of them under Wine. The
# results must be those of this system.
#
# Requires rustup, MinGW and Wine (on Debian: gcc-mingw-w64-x86-64, wine, wine64).
#
# usage: test-windows.sh
#   CARGO_TARGET_DIR sets the build folder (default: target/).
set -eu

cd "$(dirname "$0")/.."
target=x86_64-pc-windows-gnu
base=${CARGO_TARGET_DIR:-target}
programs=$base/$target/debug

say() { echo "test-windows: $*"; }
fail() {
    echo "test-windows: $*" >&2
    exit 1
}

for program in rustup wine x86_64-w64-mingw32-gcc x86_64-w64-mingw32-objdump; do
    command -v $program >/dev/null 2>&1 ||
        fail "$program is not installed (on Debian: gcc-mingw-w64-x86-64 wine wine64)"
done

rustup target add $target
cargo build --locked --no-default-features
cargo build --locked --no-default-features --features windows-launcher --target $target

# Rust's library needs a function that Wine 8 does not have.
x86_64-w64-mingw32-gcc -x c -shared -o "$programs/bcryptprimitives.dll" - -ladvapi32 <<'END'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return SystemFunction036(data, (ULONG) length);
}
END

x86_64-w64-mingw32-objdump -h "$programs/tabulae.exe" | grep -q '\.rsrc' ||
    fail "the program has no icon and no version"

files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
export WINEPREFIX="$files/wine" WINEDEBUG=-all DISPLAY=
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
say "passed"
