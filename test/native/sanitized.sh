#!/bin/sh
# Runs the native keeper's tests against a build with the address and undefined-behaviour sanitizers.
# Node is taken from PATH. Fails when a test does, and when any process wrote a sanitizer's report.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all'
# shellcheck disable=SC2086
if ! echo 'int main(void) { return 0; }' | ${CC:-cc} $sanitizers -x c - -o "$work/probe" 2>/dev/null || ! "$work/probe"; then
    case ",${ORCA_TEST_REQUIRE-}," in
    *,native,*) echo 'there is no C compiler with sanitizers here, and ORCA_TEST_REQUIRE asks for native' >&2 && exit 1 ;;
    esac
    echo 'skipped: there is no C compiler with sanitizers here'
    exit 0
fi

CFLAGS='-g -fno-omit-frame-pointer '"$sanitizers" LDFLAGS='' \
    sh "$here/../../native/build.sh" "$work/orca-keep"

# Keepers and commands are forked and killed all the time: each process writes a report of its own. Leaks are not looked
# for: the keeper ends by _exit with its memory in use, on purpose.
export ORCA_TEST_KEEP="$work/orca-keep"
export ASAN_OPTIONS="log_path=$work/report:detect_leaks=0:abort_on_error=1"
export UBSAN_OPTIONS="log_path=$work/report:print_stacktrace=1"
status=0
node --test --test-concurrency=2 "$here"/framing.test.ts "$here"/start.test.ts "$here"/time-limit.test.ts "$here"/ctl.test.ts \
    "$here"/tree.test.ts "$here"/keeper-death.test.ts "$here"/kill.test.ts "$here"/daemon.test.ts "$here"/cgroup.test.ts "$here"/full-disk.test.ts \
    "$here"/init.test.ts ||
    status=$?
for report in "$work"/report.*; do
    [ -e "$report" ] || continue
    cat "$report"
    status=1
done
exit "$status"
