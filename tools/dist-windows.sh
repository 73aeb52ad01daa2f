#!/bin/sh
# Packs the game for Windows in packages/tabulae-VERSION-TARGET.zip:
#   play-tabulae.exe    starts the game, without a console: the one to double-click
#   open-records.cmd    makes Windows offer Tabulae for game records
#   bin/tabulae.exe     the game and all commands, for terminals
#   texts and licences
# Builds it first: on Windows for this machine, elsewhere with MinGW for
# x86_64-pc-windows-gnu.
#
# Requires zip or 7z; besides Windows also rustup and MinGW (on Debian:
# gcc-mingw-w64-x86-64).
#
# usage: dist-windows.sh
#   CARGO_TARGET_DIR sets the build folder (default: target/).
#   PROGRAMS names a folder with both programs, built already.
set -eu

cd "$(dirname "$0")/.."
out=packages
base=${CARGO_TARGET_DIR:-target}

say() { echo "dist-windows: $*"; }
fail() {
    echo "dist-windows: $*" >&2
    exit 1
}

target=$(rustc -vV | sed -n 's/^host: //p')
case $target in
*-windows-*) ;;
*)
    target=x86_64-pc-windows-gnu
    command -v x86_64-w64-mingw32-gcc >/dev/null 2>&1 ||
        fail "MinGW is not installed (on Debian: gcc-mingw-w64-x86-64)"
    ;;
esac

if [ -z "${PROGRAMS:-}" ]; then
    rustup target add "$target"
    say "building the programs"
    cargo build --locked --profile dist --features windows-launcher --target "$target"
    PROGRAMS=$base/$target/dist
fi

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=tabulae-$version-$target
folder=$out/$name
rm -rf "$folder" "$out/$name.zip"
mkdir -p "$folder/bin"
cp "$PROGRAMS/tabulae.exe" "$folder/bin"
cp "$PROGRAMS/play-tabulae.exe" "$folder"
# With the line ends of Windows.
sed 's/$/\r/' packaging/windows/open-records.cmd >"$folder/open-records.cmd"
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT assets/CREDITS.md assets/fonts/OFL-Cabin.txt \
    assets/fonts/OFL-EBGaramond.txt assets/fonts/OFL-Inter.txt "$folder"

say "packing $name.zip"
if command -v zip >/dev/null 2>&1; then
    (cd "$out" && zip -q -9 -X -r "$name.zip" "$name")
else
    (cd "$out" && 7z a -mx=9 "$name.zip" "$name" >/dev/null)
fi
rm -r "$folder"
say "$(wc -c <"$out/$name.zip") bytes in $out/$name.zip"
