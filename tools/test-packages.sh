#!/bin/sh
# Tests the packages of `make dist` in a bare Debian 12, and says how long each step
# takes:
# - the .deb: installs it with apt, checks that the program finds its libraries, runs a
#   command, opens a table on a virtual display, removes the package and looks for traces;
# - the .rpm, where rpm is installed: the same with rpm. Debian has no packages for what
#   it requires, so each library that it requires is looked up among those that the .deb
#   brought.
#
# Requires root, debootstrap, Xvfb and a Debian mirror. The display is a server
# outside the bare system, so that only the package's own dependencies are inside.
#
# usage: test-packages.sh [PACKAGE.deb [PACKAGE.rpm]]
#   CARGO_TARGET_DIR sets the build folder (default: target/), MIRROR the mirror.
set -eu

say() { echo "test-packages: $*"; }
fail() {
    echo "test-packages: $*" >&2
    exit 1
}

# How long a software renderer may take to show a table, in seconds.
patience=600

# timed WHAT COMMAND: says how long it took.
timed() {
    what=$1
    begin=$(date +%s)
    shift
    "$@"
    say "$what took $(($(date +%s) - begin)) s"
}

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
    no_traces() { [ -z "$(traces)" ] || fail "$1: $(traces)"; }
    mkdir -m 700 "$root/tmp/run"

    install_deb() {
        bare apt-get update -qq
        bare apt-get install -y -qq /tmp/tabulae.deb >"$root/tmp/install.log" 2>&1 || {
            tail -n 20 "$root/tmp/install.log" >&2
            fail "apt cannot install the package"
        }
    }

    # The installed program and its files.
    installed() {
        missing=$(bare ldd /usr/bin/tabulae | grep 'not found' || true)
        [ -z "$missing" ] || fail "libraries are missing: $missing"
        for file in applications/org.tabulae.Tabulae.desktop \
            icons/hicolor/scalable/apps/org.tabulae.Tabulae.svg \
            man/man1/tabulae.1 metainfo/org.tabulae.Tabulae.metainfo.xml \
            mime/packages/org.tabulae.Tabulae.xml; do
            [ -f "$root/usr/share/$file" ] || [ -f "$root/usr/share/$file.gz" ] ||
                fail "/usr/share/$file is not installed"
        done
        bare tabulae --version
        bare tabulae rules tablan >/dev/null
    }

    # Opens a table on the display, for the first time in an empty home.
    open_table() {
        rm -rf "$root/tmp/home"
        : >"$root/tmp/report"
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
        [ ! -s "$root/tmp/errors" ] || sed 's/^/    /' "$root/tmp/errors"
    }

    # Each library that the .rpm requires is in the system. ldd checks their versions.
    libraries() {
        rpm -qp --requires "$root/tmp/tabulae.rpm" | grep '()(64bit)$' >"$root/tmp/requires" ||
            fail "the .rpm requires no libraries"
        bare ldconfig -p >"$root/tmp/libraries"
        while read -r library; do
            name=${library%%(*}
            grep -qF "	$name (" "$root/tmp/libraries" || fail "no package has $name"
        done <"$root/tmp/requires"
        say "the .rpm requires $(wc -l <"$root/tmp/requires") libraries; all are there"
    }

    no_traces "the bare system is not bare"
    timed "installing the .deb" install_deb
    installed
    timed "opening a table" open_table

    if [ -f "$root/tmp/tabulae.rpm" ]; then
        libraries
        bare dpkg --remove tabulae >"$root/tmp/remove.log" 2>&1
        no_traces "left behind by the .deb"
        # From outside: the bare system has no rpm. Its list of packages is empty, hence
        # --nodeps.
        rpm -K --nosignature "$root/tmp/tabulae.rpm" >/dev/null || fail "the .rpm is damaged"
        rpm --root "$root" --initdb
        timed "installing the .rpm" rpm --root "$root" -i --nodeps "$root/tmp/tabulae.rpm"
        installed
        timed "opening a table" open_table
        rpm --root "$root" -e tabulae
        no_traces "left behind by the .rpm"
        bare apt-get install -y -qq /tmp/tabulae.deb >"$root/tmp/install.log" 2>&1
    else
        say "no .rpm, or rpm is not installed: not tested"
    fi

    say "removing"
    bare apt-get purge -y -qq --autoremove tabulae >"$root/tmp/remove.log" 2>&1 || {
        tail -n 20 "$root/tmp/remove.log" >&2
        fail "apt cannot remove the package"
    }
    no_traces "left behind by the .deb"
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
other=${2:-$(ls packages/*.rpm 2>/dev/null || true)}

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
if [ -f "$other" ] && command -v rpm >/dev/null 2>&1; then
    cp "$other" "$root/tmp/tabulae.rpm"
fi

mkdir -p /tmp/.X11-unix
Xvfb -displayfd 3 -screen 0 1280x800x24 -nolisten tcp -noreset -ac \
    3>"$root/tmp/display" >/dev/null 2>&1 &
server=$!
until [ -s "$root/tmp/display" ]; do
    kill -0 $server 2>/dev/null || fail "Xvfb did not start"
    sleep 1
done
unshare --mount --pid --fork --kill-child sh "$0" --inside "$root" ":$(cat "$root/tmp/display")"
