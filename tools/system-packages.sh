#!/bin/sh
# Installs the system libraries for building and playing on Debian, Ubuntu,
# Fedora and Arch. Does nothing if all are installed, and on other systems.
#
# usage: system-packages.sh play|test
#   test also installs what the window tests use: a virtual display, a software
#   renderer and synthetic clicks.
set -eu

purpose=${1:-play}
[ "$(uname -s)" = Linux ] || exit 0

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "Please install as root: $*" >&2
        exit 1
    fi
}

if command -v dpkg-query >/dev/null 2>&1; then
    wanted="gcc libc6-dev pkg-config libasound2-dev libudev-dev libwayland-dev libxkbcommon-dev
        libxkbcommon-x11-0 libx11-6 libx11-xcb1 libxcursor1 libxi6 libxrandr2
        libvulkan1 mesa-vulkan-drivers"
    [ "$purpose" = test ] && wanted="$wanted xvfb xdotool xauth"
    installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }
    install() {
        as_root env DEBIAN_FRONTEND=noninteractive sh -c '
            apt-get update -qq && apt-get install -y -qq --no-install-recommends "$@"' sh "$@"
    }
elif command -v rpm >/dev/null 2>&1 && command -v dnf >/dev/null 2>&1; then
    wanted="gcc pkgconf-pkg-config alsa-lib-devel systemd-devel wayland-devel libxkbcommon-devel
        libxkbcommon-x11 libX11 libX11-xcb libXcursor libXi libXrandr
        vulkan-loader mesa-vulkan-drivers"
    [ "$purpose" = test ] && wanted="$wanted xorg-x11-server-Xvfb xdotool"
    installed() { rpm -q "$1" >/dev/null 2>&1; }
    install() { as_root dnf install -y -q "$@"; }
elif command -v pacman >/dev/null 2>&1; then
    wanted="gcc pkgconf alsa-lib systemd-libs wayland libxkbcommon libxkbcommon-x11 libx11
        libxcursor libxi libxrandr vulkan-icd-loader vulkan-swrast"
    [ "$purpose" = test ] && wanted="$wanted xorg-server-xvfb xdotool"
    installed() { pacman -Qq "$1" >/dev/null 2>&1; }
    install() { as_root pacman -Sy --needed --noconfirm "$@"; }
else
    exit 0
fi

missing=""
for package in $wanted; do
    installed "$package" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "Installing:$missing"
# shellcheck disable=SC2086 # a list of names
install $missing
