#!/bin/sh
# test.sh [WHAT…]: the whole check of this checkout, with all its own set-up. WHAT names folders below test/ or test/unit/
# (`npm test -- store`), or files; then only those tests run. Without WHAT the suite on a real kernel runs too, where this
# machine can: `vm` in ORCA_TEST_REQUIRE makes it a failure that it cannot. Node's own closing lines come last on standard output.
set -u
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 120
sh "$root/tools/set-up.sh" "$root" "$root" dev || exit
. "$root/tools/fit.sh"
fit "$root" || [ -x "$node" ] || exit 120
PATH=${node%/*}:$PATH
export PATH
cd "$root" || exit 120

failed=
if [ $# -eq 0 ]; then
  sh tools/check.sh || failed="$failed check"
  if [ -f test/native/sanitized.sh ]; then
    echo '== the keeper under its sanitizers'
    sh test/native/sanitized.sh || failed="$failed sanitized"
  fi
  echo '== a real kernel'
  node tools/test-vm.ts
  case $?:,${ORCA_TEST_REQUIRE-}, in
  0:*) ;;
  120:*,vm,*) failed="$failed vm" ;;
  120:*) echo 'skipped: the tests that need a real kernel' ;;
  *) failed="$failed vm" ;;
  esac
  set -- 'test/**/*.test.ts'
else
  for what in "$@"; do
    shift
    if [ -f "$what" ]; then
      set -- "$@" "$what"
    elif [ -f "test/$what" ]; then
      set -- "$@" "test/$what"
    elif [ -d "test/$what" ] || [ -d "test/unit/$what" ]; then
      [ ! -d "test/$what" ] || set -- "$@" "test/$what/**/*.test.ts"
      [ ! -d "test/unit/$what" ] || set -- "$@" "test/unit/$what/**/*.test.ts"
    else
      echo "There are no tests called $what: name a folder below test/ or test/unit/, or a file." >&2
      exit 120
    fi
  done
fi

echo '== tests'
node --test --test-concurrency="${ORCA_TEST_CONCURRENCY:-2}" --test-reporter=spec "$@" || failed="$failed tests"
[ -z "$failed" ] || {
  echo "failed:$failed" >&2
  exit 1
}
