#!/bin/sh
# pack.sh [restore]: what `npm pack` runs before and after. Before: a build, a static keeper for this platform, and a
# package.json without the dependencies, which are all in the build. After: package.json as it was.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 120
cd "$root" || exit 120
kept=dist/.package.json
if [ -f "$kept" ]; then mv -f "$kept" package.json || exit 120; fi
[ "${1:-}" != restore ] || exit 0

sh tools/set-up.sh "$root" "$root" run || exit
. tools/fit.sh
fit "$root" || [ -x "$node" ] || exit 120
platform=$("$node" -p 'process.platform + "-" + process.arch') || exit 120
rm -rf native/prebuilt
if [ "$(uname -s)" = Linux ]; then
  mkdir -p "native/prebuilt/$platform"
  cp native/build/orca-keep "native/prebuilt/$platform/orca-keep" || {
    echo "orca: the package needs a keeper for this platform, and it could not be compiled." >&2
    exit 120
  }
fi
hash=$("$node" tools/build.ts --package) || exit 120
cp -p package.json "$kept" && "$node" tools/published-manifest.ts "$hash"
