#!/bin/sh
# Tests the .deb of `make dist` in a bare Debian 12: installs it with apt, checks
# that the program finds its libraries, runs a command, opens a table on a virtual
# display, removes the package and looks for traces.
#
# Requires root, debootstrap, Xvfb and a Debian mirror. The display is a server
# outside the bare system, so that only the package's own dependencies are inside.
#
# usage: test-packages.sh [PACKAGE.deb]
#   CARGO_TARGET_DIR sets the build folder (default: target/), MIRROR the mirror.
set -eu

say() { echo "test-packages: $*"; }
fail() {
    echo "test-packages: $*" >&2
    exit 1
}

# How long a software renderer may take to show a table, in seconds.
patience=180

# Inside namespaces of its own: mounts and processes end with it.
if [ "${1:-}" = --inside ]; then
    root=$2
    display=$3
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mkdir -p "$root/tmp/.X11-unix" "$root/dev/shm"
    mount -t tmpfs tmpfs "$root/dev/shm"
    mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
    environment="env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C
        DEBIAN_FRONTEND=noninteractive DISPLAY=$display TABULAE_HOME=/tmp/home
        XDG_RUNTIME_DIR=/tmp/run"
    # shellcheck disable=SC2086 # a list of words
    bare() { chroot "$root" $environment "$@"; }
    traces() { bare find / -xdev -path /tmp -prune -o -iname '*tabulae*' -print; }
    [ -z "$(traces)" ] || fail "the bare system is not bare: $(traces)"
    mkdir -m 700 "$root/tmp/run"

    say "installing"
    bare apt-get update -qq
    bare apt-get install -y -qq /tmp/tabulae.deb >"$root/tmp/install.log" 2>&1 || {
        tail -n 20 "$root/tmp/install.log" >&2
        fail "apt cannot install the package"
    }
    missing=$(bare ldd /usr/bin/tabulae | grep 'not found' || true)
    [ -z "$missing" ] || fail "libraries are missing: $missing"
    for file in applications/org.tabulae.Tabulae.desktop \
        icons/hicolor/scalable/apps/org.tabulae.Tabulae.svg \
        metainfo/org.tabulae.Tabulae.metainfo.xml \
        mime/packages/org.tabulae.Tabulae.xml; do
        [ -f "$root/usr/share/$file" ] || fail "/usr/share/$file is not installed"
    done
    bare tabulae --version
    bare tabulae rules tablan >/dev/null

    say "opening a table"
    # Not by `bare`, so that $! is the program's own timeout.
    # shellcheck disable=SC2086 # a list of words
    chroot "$root" $environment timeout -k 5 $patience \
        tabulae --report --rules tablut/ashton >"$root/tmp/report" 2>"$root/tmp/errors" &
    program=$!
    until grep -q '^settled' "$root/tmp/report"; do
        kill -0 $program 2>/dev/null || {
            tail -n 20 "$root/tmp/report" "$root/tmp/errors" >&2
            fail "no table: the program ended, or took longer than $patience s"
        }
        sleep 1
    done
    kill $program 2>/dev/null || true
    wait $program || true
    [ -s "$root/tmp/errors" ] && sed 's/^/    /' "$root/tmp/errors"

    say "removing"
    bare apt-get purge -y -qq --autoremove tabulae >"$root/tmp/remove.log" 2>&1 || {
        tail -n 20 "$root/tmp/remove.log" >&2
        fail "apt cannot remove the package"
    }
    [ -z "$(traces)" ] || fail "left behind: $(traces)"
    say "passed"
    exit 0
fi

cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || fail "needs root, to make a bare Debian and to install in it"
for program in debootstrap Xvfb unshare chroot; do
    command -v $program >/dev/null 2>&1 ||
        fail "$program is not installed (apt-get install debootstrap xvfb)"
done
package=${1:-$(ls packages/*.deb 2>/dev/null || true)}
[ -f "$package" ] || fail "no package: run make dist first, or name one .deb"

base=${CARGO_TARGET_DIR:-target}
mkdir -p "$base"
root=$(mktemp -d "$(cd "$base" && pwd)/test-packages.XXXXXX")
# apt downloads as a user of its own.
chmod 755 "$root"
server=
finish() {
    [ -z "$server" ] || kill $server 2>/dev/null || true
    rm -rf --one-file-system "$root"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

say "making a bare Debian 12"
# Without MIRROR, debootstrap's own default.
debootstrap --variant=minbase bookworm "$root" ${MIRROR:+"$MIRROR"} \
    >"$root.log" 2>&1 || {
    tail -n 20 "$root.log" >&2
    rm "$root.log"
    fail "debootstrap failed"
}
rm "$root.log"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/tmp/tabulae.deb"

mkdir -p /tmp/.X11-unix
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset -ac \
    3>"$root/tmp/display" >/dev/null 2>&1 &
server=$!
until [ -s "$root/tmp/display" ]; do
    kill -0 $server 2>/dev/null || fail "Xvfb did not start"
    sleep 1
done
unshare --mount --pid --fork --kill-child sh "$0" --inside "$root" ":$(cat "$root/tmp/display")"
