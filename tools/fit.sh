# Sourced by ./orca and by the scripts in tools/. Takes: root, the checkout. Everything here is on the path of every
# `./orca`, so it forks as little as it can: one `find`, and only in a git checkout.

# fit FOLDER: the set-up that lies in FOLDER serves the checkout as it is now. Sets `node`, the program to run it with.
fit() {
  [ -f "$1/dist/.set-up" ] && [ -f "$1/dist/current/main.js" ] || return 1
  { IFS= read -r node && IFS= read -r keeper; } <"$1/dist/.set-up" || return 1
  [ -x "$node" ] || return 1
  # A compiler has come since: the keeper can be built now.
  [ "$keeper" != no-cc ] || ! command -v cc >/dev/null 2>&1 || return 1
  [ -e "$root/.git" ] || return 0
  [ -z "$(find "$root/src" "$root/native" "$root/tools/build.ts" "$root/tools/node" "$root/package.json" \
    "$root/package-lock.json" -path "$root/native/build" -prune -o -newer "$1/dist/.set-up" -print 2>/dev/null)" ]
}

# work_folder: sets `work`, where the set-up of this checkout lies or shall lie: the checkout itself, or a folder of the
# user's cache when the checkout is not theirs to write and nobody has set it up for them.
work_folder() {
  work=$root
  if fit "$root"; then return 0; fi
  if [ -w "$root" ] && { [ ! -e "$root/dist" ] || [ -w "$root/dist" ]; }; then return 1; fi
  cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
  if [ -z "$cache" ]; then
    echo "orca: $root cannot be written and neither XDG_CACHE_HOME nor HOME is set: set one, so that orca can be built there." >&2
    exit 120
  fi
  root=$(cd "$root" && pwd -P) || exit 120
  set -- $(printf %s "$root" | cksum)
  work=$cache/orca/$1-$2
  fit "$work"
}
