#!/bin/sh
# Builds the web page into dist/: the 3D table and the engine, both compiled to
# wasm32, bound to JavaScript, optimised and compressed. Prints their sizes.
#
# Uses rustup's wasm32 target if it is installed or can be added; otherwise
# Debian's rustc-web, cargo-web, rust-web-src and lld. Requires Node.js and npm
# for wasm-opt and xz-decompress, and xz.
#
# usage: web.sh [FOLDER]
#   CARGO_TARGET_DIR sets the build folder (default: target/).
#   SITE_URL is the address at which the page will stand, for link previews.
set -eu

cd "$(dirname "$0")/.."
out=${1:-dist}
base=${CARGO_TARGET_DIR:-target}
tools=$base/web-tools
target=wasm32-unknown-unknown
binaryen=132.0.0
unpacker=0.2.3

say() { echo "web: $*"; }
fail() {
    echo "web: $*" >&2
    exit 1
}
command -v xz >/dev/null || fail "please install xz (Debian: xz-utils)"
locked() {
    sed -n "/^name = \"$1\"\$/{n;s/version = \"\(.*\)\"/\1/p;}" Cargo.lock | head -n 1
}

# Defines `build`, which runs cargo with the available wasm32 toolchain.
if rustup target list --installed 2>/dev/null | grep -qx $target; then
    say "building with rustup's $target"
    build() { cargo build "$@"; }
elif command -v rustup >/dev/null 2>&1 && rustup target add $target >/dev/null 2>&1; then
    say "rustup has added $target"
    build() { cargo build "$@"; }
else
    for package in rustc-web cargo-web rust-web-src lld; do
        name=$package
        [ $package = lld ] && name=lld-19
        dpkg-query -W -f '${Status}' $name 2>/dev/null | grep -q 'ok installed' ||
            missing="${missing:-} $name"
    done
    if [ -n "${missing:-}" ]; then
        say "rustup cannot add $target here; installing$missing"
        # shellcheck disable=SC2086 # a list of names
        apt-get install -y -qq $missing || fail "please install as root:$missing"
    fi
    say "building with Debian's Rust, and its standard library from its sources"
    build() {
        RUSTC_BOOTSTRAP=1 RUSTC=/usr/bin/rustc \
            CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld-19 \
            /usr/bin/cargo build -Zbuild-std=std,panic_abort "$@"
    }
fi

# The CLI must have exactly the version of the wasm-bindgen crate.
version=$(locked wasm-bindgen)
bindgen=$tools/bin/wasm-bindgen
if ! "$bindgen" --version 2>/dev/null | grep -qF " $version"; then
    say "installing wasm-bindgen $version"
    cargo install wasm-bindgen-cli --version "$version" --root "$tools" --quiet \
        --target-dir "$base/web-cli"
fi
optimise=$tools/node_modules/.bin/wasm-opt
unpack=$tools/node_modules/xz-decompress/dist/package/xz-decompress.js
if [ ! -x "$optimise" ] || [ ! -f "$unpack" ]; then
    say "installing binaryen $binaryen and xz-decompress $unpacker"
    npm install --silent --no-audit --no-fund --prefix "$tools" "binaryen@$binaryen" \
        "xz-decompress@$unpacker"
fi

# The features that rustc enables by default. wasm-opt must not use any others,
# since browsers may lack them.
features="--enable-bulk-memory --enable-bulk-memory-opt --enable-call-indirect-overlong
    --enable-multivalue --enable-mutable-globals --enable-nontrapping-float-to-int
    --enable-reference-types --enable-sign-ext"

rm -rf "$out"
mkdir -p "$out"
# bind PROFILE NAME OPTIONS: generates the JavaScript glue and optimises the
# program.
bind() {
    "$bindgen" --target web --no-typescript --remove-name-section --remove-producers-section \
        --out-dir "$out" --out-name "$2" "$base/$1/$target/$1/tabulae.wasm"
    say "optimising $2"
    # shellcheck disable=SC2086 # lists of options
    "$optimise" $features $3 -o "$out/$2_bg.wasm.new" "$out/$2_bg.wasm"
    mv "$out/$2_bg.wasm.new" "$out/$2_bg.wasm"
}

say "building the table"
build --locked --bin tabulae --profile web --target $target --target-dir "$base/web"
# -O1 only: on a program of this size -Os takes longer than the build.
bind web tabulae -O1
say "building the engine"
RUSTFLAGS="${RUSTFLAGS:-} -Ctarget-feature=+simd128" \
    build --locked --bin tabulae --no-default-features --profile web-engine \
    --target $target --target-dir "$base/web-engine"
bind web-engine engine "-O3 --enable-simd"

program=$(wc -c <"$out/tabulae_bg.wasm")
say "packing the table"
xz --check=crc32 --lzma2=preset=9e,dict=16MiB -c "$out/tabulae_bg.wasm" >"$out/tabulae.wasm.xz"
rm "$out/tabulae_bg.wasm"
cp "$unpack" "$out/"
node tools/web-page.mjs "$out"

# The engine loads with its first search, a game's files with its first board.
first=$(cd "$out" && cat index.html style.css start.js xz-decompress.js words.json icon.png \
    tabulae.js tabulae.wasm.xz $(find snippets -type f) | wc -c)
board=$(cat "$out"/assets/scenes/tablut* | wc -c)
say "in $out/:"
say "  the table: $program bytes, packed $(wc -c <"$out/tabulae.wasm.xz")"
say "  before the first frame: $first bytes, and $board for the board of Tablut"
say "  the engine: $(wc -c <"$out/engine_bg.wasm") bytes, gzip $(gzip -9 -c "$out/engine_bg.wasm" | wc -c)"
