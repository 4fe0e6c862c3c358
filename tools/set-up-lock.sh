# Sourced by set-up.sh. One set-up of a folder at a time; who comes second says so in one line and waits.

# take_lock FILE: held until this shell ends. With flock the kernel frees it, however the shell ends; elsewhere
# (macOS) it is a folder with its holder's pid, taken over when that process is gone.
take_lock() {
  if command -v flock >/dev/null 2>&1; then
    exec 9>"$1" || refuse "$1 cannot be written."
    flock -n 9 && return 0
    say "another first run is setting orca up: waiting for it"
    flock 9
    return
  fi
  lock=$1.d
  told=
  nameless=0
  until mkdir "$lock" 2>/dev/null; do
    holder=$(cat "$lock/pid" 2>/dev/null)
    if [ -z "$holder" ]; then nameless=$((nameless + 1)); else nameless=0; fi
    if [ "$nameless" -gt 5 ] || { [ -n "$holder" ] && ! kill -0 "$holder" 2>/dev/null; }; then
      mv "$lock" "$lock.stale.$$" 2>/dev/null && rm -rf "$lock.stale.$$"
      nameless=0
      continue
    fi
    [ -n "$told" ] || say "another first run is setting orca up: waiting for it"
    told=1
    sleep 1
  done
  trap 'rm -rf "$lock"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  echo $$ >"$lock/pid"
}
