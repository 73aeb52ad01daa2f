#!/bin/sh
# Packs a program that is already built as an application for macOS (untested):
#   packages/tabulae-VERSION-TARGET.tar.gz, with
#   Tabulae.app/Contents/Info.plist
#   Tabulae.app/Contents/MacOS/tabulae
#   Tabulae.app/Contents/Resources/Tabulae.icns
#   bin/tabulae                     a link to the program, for terminals
# The application is not signed: macOS asks before the first start.
#
# usage: bundle.sh PROGRAM
set -eu

program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
name=tabulae-$version-$(rustc -vV | sed -n 's/^host: //p')
folder=packages/$name
contents=$folder/Tabulae.app/Contents

rm -rf "$folder"
mkdir -p "$contents/MacOS" "$contents/Resources" "$folder/bin"
sed "s|VERSION|$version|" packaging/macos/Info.plist >"$contents/Info.plist"
cp "$program" "$contents/MacOS/tabulae"
ln -s ../Tabulae.app/Contents/MacOS/tabulae "$folder/bin/tabulae"
cp README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT assets/CREDITS.md \
    assets/fonts/OFL-*.txt "$folder"

# sips and iconutil belong to macOS.
icons=packages/Tabulae.iconset
mkdir -p "$icons"
for side in 16 32 128 256; do
    sips -z $side $side packaging/tabulae.png --out "$icons/icon_${side}x$side.png" >/dev/null
done
iconutil -c icns "$icons" -o "$contents/Resources/Tabulae.icns"
rm -r "$icons"

tar -C packages -czf "packages/$name.tar.gz" "$name"
rm -r "$folder"
