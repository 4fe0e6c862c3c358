#!/bin/sh
# set-up.sh ROOT WORK KIND: makes the checkout ROOT ready to run, in WORK (ROOT itself, or a folder of the user's cache).
# KIND is `run` (what ./orca needs) or `dev` (also the packages of the tests). Steps, each only if it is needed:
# a fit Node, the packages, the keeper, dist/, and last the stamp that ./orca looks at. One line a step, on standard error.
set -u
root=$1 work=$2 kind=$3
minimum=24
tools=$root/tools
. "$tools/fit.sh"
. "$tools/set-up-lock.sh"
. "$tools/set-up-node.sh"

say() { printf 'orca: %s\n' "$*" >&2; }
refuse() {
  say "$*"
  exit 120
}

# What an outer npm (`npm test`, `npm pack`) says about itself must not steer the npm that is called here.
unset npm_config_dry_run npm_config_global npm_config_prefix npm_config_local_prefix npm_config_omit npm_config_include

mkdir -p "$work/dist" "$work/native/build" 2>/dev/null || refuse "$work cannot be written: give it to this user, or set XDG_CACHE_HOME to a folder that can be."
root=$(cd "$root" && pwd -P) && work=$(cd "$work" && pwd -P) || exit 120
# The caller's own folder may be gone, and node and npm need one.
cd "$root" || exit 120
tools=$root/tools
log=$work/dist/set-up.log
take_lock "$work/dist/.lock"

packages_fit() {
  [ "$work/node_modules/.package-lock.json" -nt "$work/package-lock.json" ] || return 1
  [ "$kind" = run ] || [ -d "$work/node_modules/typescript" ]
}
# Another set-up, which this one has waited for, may have done it all.
if fit "$work" && { [ "$kind" = run ] || packages_fit; }; then exit 0; fi

# Whatever changes from here on is newer than this file, and so than the stamp, which takes its time.
: >"$work/dist/.begun" || refuse "$work/dist cannot be written."

# Outside the checkout: the sources are copied, and the rest is as in it. native/build stays, a keeper may run from it.
if [ "$work" != "$root" ]; then
  for item in src tools package.json package-lock.json .npmrc; do
    rm -rf "${work:?}/$item"
    cp -Rp "$root/$item" "$work/$item" || refuse "$root/$item could not be copied to $work."
  done
  for item in "$root"/native/*; do
    if [ "$item" = "$root/native/build" ] || [ ! -e "$item" ]; then continue; fi
    cp -Rp "$item" "$work/native/" || refuse "$item could not be copied to $work."
  done
  chmod -R u+w "$work/src" "$work/tools" "$work/native" "$work/package.json" "$work/package-lock.json" "$work/.npmrc"
fi

# npm_ci FOLDER ARGUMENT…: runs `npm ci` there. Few and quick retries: without a network the answer comes in seconds.
npm_ci() {
  folder=$1
  shift
  if [ ! -w "${HOME:-/nonexistent}" ]; then
    npm_config_cache=${npm_config_cache:-$work/dist/.npm-cache}
    export npm_config_cache
  fi
  (
    cd "$folder" && PATH=${node:+${node%/*}:}$PATH npm_config_fetch_retries=${npm_config_fetch_retries:-2} \
      npm_config_fetch_retry_factor=3 npm_config_fetch_retry_mintimeout=1000 \
      npm ci "$@" --ignore-scripts --no-audit --no-fund --prefer-offline --no-progress --no-update-notifier --loglevel=error
  ) >"$log" 2>&1 </dev/null && return 0
  if grep -Eq 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH' "$log"; then
    refuse "npm could not reach its registry (see $log): connect this machine to the network, or set npm's registry and proxy, and try again."
  fi
  refuse "npm ci failed: $(grep -m1 -i 'error' "$log" || tail -n 1 "$log") (all of it: $log)"
}

find_node || install_node

if ! packages_fit; then
  command -v npm >/dev/null 2>&1 || refuse "npm is needed once, to install the packages, and is not on PATH: install npm and try again."
  # Development packages that are there stay there.
  if [ "$kind" = dev ] || [ -d "$work/node_modules/typescript" ]; then
    say "installing the packages, those of development too"
    npm_ci "$work" --include=dev
  else
    say "installing the packages"
    npm_ci "$work" --omit=dev
  fi
fi

# build_keeper: sets `keeper`, what became of it. build.sh renames it into place: keepers that run keep their file.
build_keeper() {
  compiler=${CC:-cc}
  binary=$work/native/build/orca-keep
  if [ -x "$binary" ] && [ -z "$(find "$work/native" -path "$work/native/build" -prune -o -type f -newer "$binary" -print)" ]; then
    keeper=native
  elif [ "$(uname -s)" != Linux ]; then
    keeper=sh
  elif ! command -v "${compiler%% *}" >/dev/null 2>&1; then
    keeper=no-cc
    rm -f "$binary"
    say "there is no C compiler, so runs are kept by a shell script, which cannot measure all: install gcc and libc6-dev (or the like) for the native keeper"
  elif say "compiling the keeper" && sh "$work/native/build.sh" "$binary" >"$log" 2>&1; then
    keeper=native
  else
    keeper=failed
    rm -f "$binary"
    mv -f "$log" "$work/dist/keeper.log"
    say "the keeper could not be compiled (see $work/dist/keeper.log), so runs are kept by a shell script, which cannot measure all"
  fi
}
build_keeper

say "building dist"
if ! "$node" "$work/tools/build.ts" >"$log" 2>&1; then
  cat "$log" >&2
  refuse "dist could not be built."
fi

printf '%s\n' "$node" "$keeper" >"$work/dist/.set-up.$$" && touch -r "$work/dist/.begun" "$work/dist/.set-up.$$" &&
  mv -f "$work/dist/.set-up.$$" "$work/dist/.set-up" || refuse "the stamp $work/dist/.set-up could not be written."
