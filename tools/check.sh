#!/bin/sh
# check.sh: format, lint, types, unused code, import directions. All of them run, whatever the first says.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 120
sh "$root/tools/set-up.sh" "$root" "$root" dev || exit
. "$root/tools/fit.sh"
fit "$root" || [ -x "$node" ] || exit 120
PATH=${node%/*}:$root/node_modules/.bin:$PATH
export PATH
cd "$root" || exit 120

status=0
step() {
  echo "== $1"
  shift
  "$@" || status=1
}
step format prettier --check --log-level warn --no-error-on-unmatched-pattern src test tools bench '*.json' '.*.json'
step lint oxlint --type-aware --deny-warnings --quiet
step types tsc -p .
step unused knip --no-progress
step imports node tools/check-imports.ts
exit $status
