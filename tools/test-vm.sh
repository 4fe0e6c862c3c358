#!/bin/sh
# test-vm.sh [NAME…]: the tests that need a real kernel with cgroup v2, in a virtual machine, or directly where this machine
# is such a one. NAME is a part of a test's name; then only those tests run.
tools=$(cd "$(dirname "$0")" && pwd -P) || exit 120
exec sh "$tools/node.sh" "$tools/test-vm.ts" "$@"
