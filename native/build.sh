#!/bin/sh
# Builds the native keeper: sh native/build.sh OUTFILE
# CC, CFLAGS and LDFLAGS are respected (CFLAGS=-fsanitize=... LDFLAGS= for a checked build).
set -eu

out=${1:?usage: sh native/build.sh OUTFILE}
here=$(cd "$(dirname "$0")" && pwd)
cc=${CC:-cc}

if [ "$(uname -s)" != Linux ]; then
    echo "orca-keep: the native keeper is for Linux; here the sh keeper is used" >&2
    exit 1
fi
# CC may be a command with arguments, so it is split on purpose, here and below.
# shellcheck disable=SC2086
if ! command -v ${cc%% *} >/dev/null 2>&1; then
    echo "orca-keep: no C compiler ($cc) on PATH; install gcc (Debian: apt-get install gcc libc6-dev), or go on with the sh keeper" >&2
    exit 1
fi

temporary="$out.$$.tmp"
trap 'rm -f "$temporary"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$(dirname "$out")"

compile() {
    # shellcheck disable=SC2086
    $cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror ${CFLAGS-} "$here"/*.c -o "$temporary" "$@"
}

if [ -n "${LDFLAGS+set}" ]; then
    # shellcheck disable=SC2086
    compile $LDFLAGS
elif ! compile -static -s 2>/dev/null; then
    compile # without a static C library
fi
mv -f "$temporary" "$out"
