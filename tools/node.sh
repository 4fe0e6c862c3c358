#!/bin/sh
# node.sh ARGUMENT…: runs the Node that the checkout uses, with the packages of development installed.
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 120
sh "$root/tools/set-up.sh" "$root" "$root" dev || exit
. "$root/tools/fit.sh"
fit "$root" || [ -x "$node" ] || exit 120
PATH=${node%/*}:$root/node_modules/.bin:$PATH
export PATH
exec node "$@"
