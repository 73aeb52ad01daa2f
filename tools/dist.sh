#!/bin/sh
# Builds the packages for this machine's architecture in packages/:
#   tabulae-VERSION-TARGET.tar.gz   program, menu entry, man pages, completions
#   tabulae_VERSION-1_ARCH.deb      for Debian and Ubuntu
#   tabulae-VERSION-1.ARCH.rpm      for Fedora and others
#   SHA256SUMS                      their checksums
# Prints their sizes. The same commit and program give the same bytes. The .deb is left out
# where dpkg-shlibdeps, which finds its dependencies, is not installed (on Debian: dpkg-dev).
#
# usage: dist.sh
#   CARGO_TARGET_DIR sets the build folder (default: target/).
#   PROGRAM names a program that is built already.
set -eu

cd "$(dirname "$0")/.."
out=packages
base=${CARGO_TARGET_DIR:-target}
tools=$base/package-tools
tree=$PWD/$out/tree

say() { echo "dist: $*"; }
fail() {
    echo "dist: $*" >&2
    exit 1
}

[ "$(uname -s)" = Linux ] || fail "packages are for Linux"

# tool NAME VERSION: installs a subcommand of cargo.
tool() {
    if ! "$tools/bin/$1" "${1#cargo-}" --version 2>/dev/null | grep -qF "$2"; then
        say "installing $1 $2"
        cargo install "$1" --version "$2" --locked --root "$tools" --quiet \
            --target-dir "$base/package-tools-build"
    fi
}

# Rust's own linker on x86_64 makes the program a fifth smaller: equal functions are one,
# the tables for unwinding are left out, and a program at a fixed address needs no
# relocations. The libraries that it loads stay at random addresses.
#
# The messages of panics name source files. Those of packages lie in the builder's home
# folder: without that name, every builder makes the same program.
build_program() {
    set -- --locked --profile dist --bin tabulae
    export RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    if [ "$(rustc -vV | sed -n 's/^host: //p')" != x86_64-unknown-linux-gnu ]; then
        cargo build "$@"
        return
    fi
    cargo rustc "$@" -- -Crelocation-model=static -Clink-arg=-Wl,--icf=all \
        -Clink-arg=-Wl,-O2 -Clink-arg=-Wl,--no-eh-frame-hdr \
        -Clink-arg=-Wl,-T,"$PWD/tools/no-unwinding.ld"
}

if [ -z "${PROGRAM:-}" ]; then
    sh tools/system-packages.sh play
    say "building the program"
    build_program
    PROGRAM=$base/dist/tabulae
fi

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
target=$(rustc -vV | sed -n 's/^host: //p')

rm -rf "$out"
mkdir -p "$tree/usr"
install -D -m 755 "$PROGRAM" "$tree/usr/bin/tabulae"
${MAKE:-make} --no-print-directory -s install-files PROGRAM="$tree/usr/bin/tabulae" \
    DESTDIR="$tree" PREFIX=/usr EXEC=tabulae
texts="README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT assets/CREDITS.md
    assets/fonts/OFL-Cabin.txt assets/fonts/OFL-EBGaramond.txt assets/fonts/OFL-Inter.txt"
install -d "$tree/usr/share/doc/tabulae"
# shellcheck disable=SC2086 # a list of names
install -m 644 $texts "$tree/usr/share/doc/tabulae"

name=tabulae-$version-$target
# The date of the commit, so that the same commit and program have the same packages.
date=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
export SOURCE_DATE_EPOCH="$date"
find "$tree" -exec touch -h -d "@$date" {} +
say "packing $name.tar.gz"
tar -C "$tree/usr" --transform "s|^\.|$name|" --sort=name --mtime="@$date" \
    --owner=0 --group=0 --numeric-owner -cf - . | gzip -9 -n >"$out/$name.tar.gz"

if command -v dpkg-shlibdeps >/dev/null 2>&1; then
    tool cargo-deb 3.8.0
    say "packing the .deb"
    PATH="$tools/bin:$PATH" cargo deb --quiet --no-build --no-strip --output "$out/"
else
    say "no .deb: dpkg-shlibdeps is not installed (on Debian: dpkg-dev)"
fi

tool cargo-generate-rpm 0.21.1
say "packing the .rpm"
PATH="$tools/bin:$PATH" cargo generate-rpm --auto-req builtin --source-date "$date" --output "$out/"

rm -r "$tree"
say "in $out/:"
(cd "$out" && wc -c -- *.* && sha256sum -- *.* >SHA256SUMS)
