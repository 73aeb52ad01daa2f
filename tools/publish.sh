#!/bin/sh
# Makes what a registry of Rust packages takes, in packages/crates/, with SHA256SUMS. In the
# source the engines and the session read the assets of the root. A package can only read its
# own files, so a copy of the committed source gets them there.
#
# usage: publish.sh [FLAG...]
#   The flags go to `cargo package`. Without any, every package is built as it will be
#   downloaded; --no-verify only packs.
set -eu

cd "$(dirname "$0")/.."
base=${CARGO_TARGET_DIR:-target}
stage=$base/publish
out=packages/crates

rm -rf "$stage"
mkdir -p "$stage" "$out"
git archive HEAD | tar -x -C "$stage"

# lay CRATE FOLDER...: copies folders of assets into a package, and has its source read
# them there.
lay() {
    crate=$stage/crates/$1
    shift
    mkdir -p "$crate/assets"
    for folder; do
        cp -R "$stage/assets/$folder" "$crate/assets/"
    done
    # Of the way to the root, the last two steps lead out of the package.
    find "$crate/src" -name '*.rs' -exec sed -i 's|"\.\./\.\./\(\(\.\./\)*assets/\)|"\1|' {} +
}
# Only the publisher's own copy of the manifest allows an upload.
sed -i '/^publish = false$/d; /^publish\.workspace = true$/d' \
    "$stage/Cargo.toml" "$stage"/crates/*/Cargo.toml
lay engines engines
lay session words learn rules books puzzles

target=$(cd "$base" && pwd)/publish-target
rm -f "$target"/package/*.crate
(cd "$stage" && cargo package --workspace --locked --target-dir "$target" "$@")
cp "$target"/package/*.crate "$out/"
(cd "$out" && sha256sum -- *.crate >SHA256SUMS && cat SHA256SUMS)
