#!/bin/sh
# Builds the page into dist/: the 3D table and the engine beside it, both for
# wasm32, bound to JavaScript, optimised and packed; says how large they are.
#
# Rust for wasm32 comes from rustup where it has the target or can add it, else
# from Debian's rustc-web, cargo-web, rust-web-src and lld. Node.js and npm
# must be there, for wasm-opt.
#
# usage: web.sh [FOLDER]
#   CARGO_TARGET_DIR is where it builds (usually target/), in folders of its own.
set -eu

cd "$(dirname "$0")/.."
out=${1:-dist}
base=${CARGO_TARGET_DIR:-target}
tools=$base/web-tools
target=wasm32-unknown-unknown
binaryen=132.0.0

say() { echo "web: $*"; }
fail() {
    echo "web: $*" >&2
    exit 1
}
locked() {
    sed -n "/^name = \"$1\"\$/{n;s/version = \"\(.*\)\"/\1/p;}" Cargo.lock | head -n 1
}

# Which Rust there is for wasm32: `build` builds with it.
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

# Its glue has to be of the very version that the program was built with.
version=$(locked wasm-bindgen)
bindgen=$tools/bin/wasm-bindgen
if ! "$bindgen" --version 2>/dev/null | grep -qF " $version"; then
    say "installing wasm-bindgen $version"
    cargo install wasm-bindgen-cli --version "$version" --root "$tools" --quiet \
        --target-dir "$base/web-cli"
fi
optimise=$tools/node_modules/.bin/wasm-opt
if [ ! -x "$optimise" ]; then
    say "installing binaryen $binaryen"
    npm install --silent --no-audit --no-fund --prefix "$tools" "binaryen@$binaryen"
fi

# What rustc takes for granted in a browser, and no more: the optimiser must use
# nothing that browsers do not know.
features="--enable-bulk-memory --enable-bulk-memory-opt --enable-call-indirect-overlong
    --enable-multivalue --enable-mutable-globals --enable-nontrapping-float-to-int
    --enable-reference-types --enable-sign-ext"

rm -rf "$out"
mkdir -p "$out"
# bind PROFILE NAME OPTIONS: a program's glue, and the program optimised.
bind() {
    "$bindgen" --target web --no-typescript --remove-name-section --remove-producers-section \
        --out-dir "$out" --out-name "$2" "$base/$1/$target/$1/tabulae.wasm"
    say "optimising $2"
    # shellcheck disable=SC2086 # lists of options
    "$optimise" $features $3 -o "$out/$2_bg.wasm.new" "$out/$2_bg.wasm"
    mv "$out/$2_bg.wasm.new" "$out/$2_bg.wasm"
}

# The table is so large that -Os takes more time than its building does.
say "building the table for WebGL2"
build --locked --bin tabulae --profile web --target $target --target-dir "$base/web"
bind web tabulae -O1
say "building the table for WebGPU"
build --locked --bin tabulae --profile web --target $target --target-dir "$base/web" \
    --features webgpu
bind web tabulae-webgpu -O1
say "building the engine"
RUSTFLAGS="${RUSTFLAGS:-} -Ctarget-feature=+simd128" \
    build --locked --bin tabulae --no-default-features --profile web-engine \
    --target $target --target-dir "$base/web-engine"
bind web-engine engine "-O3 --enable-simd"

cp web/index.html web/style.css web/start.js web/engine-worker.js "$out"
cp assets/words/page.json "$out/words.json"
cp packaging/tabulae.png "$out/icon.png"

# pack NAME: the program as it is sent, and what that weighs.
pack() {
    raw=$(wc -c <"$out/$1_bg.wasm")
    gzip -9 -n -c "$out/$1_bg.wasm" >"$out/$1.wasm.gzip"
    rm "$out/$1_bg.wasm"
    # What comes before the first frame: the engine is asked for with the first
    # thought, and of the two tables only one.
    first=$(cd "$out" && cat index.html style.css start.js words.json icon.png "$1.js" \
        "$1.wasm.gzip" $(find snippets -type f) | wc -c)
    say "  $1: $raw bytes, gzip $(wc -c <"$out/$1.wasm.gzip"); $first bytes before the first frame"
}

say "in $out/:"
pack tabulae
pack tabulae-webgpu
say "  engine: $(wc -c <"$out/engine_bg.wasm") bytes, gzip $(gzip -9 -c "$out/engine_bg.wasm" | wc -c)"
