#!/bin/sh
# Installs Router, or removes it again.
#
#   ./install.sh                  into /usr/local
#   ./install.sh --prefix DIR     into another directory
#   ./install.sh --dry-run        only prints what it would do
#   ./install.sh --uninstall      removes the files that it installed, and nothing else
#
# It checks that the libraries that the programs need are there, and names the packages of those that are missing. It installs no
# package, makes no user, and starts nothing. Your log and your settings are kept.
set -eu
umask 022

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

# Each shared library, with its package in Debian, Fedora and Alpine.
libraries() {
  cat <<'END'
@LIBRARIES@
END
}

prefix=/usr/local dry='' action=install
while [ $# -gt 0 ]; do
  case $1 in
    --prefix)
      [ $# -ge 2 ] || fail '--prefix needs a directory'
      prefix=$2
      shift
      ;;
    --prefix=*) prefix=${1#*=} ;;
    --dry-run) dry=yes ;;
    --uninstall) action=uninstall ;;
    -h | --help)
      sed -n '2,/^set/{/^#/s/^#\( \|$\)//p;}' "$0"
      exit
      ;;
    *) fail "unknown argument: $1. The options are --prefix DIR, --dry-run and --uninstall." ;;
  esac
  shift
done
case $prefix in
  /*) ;;
  *) prefix=$PWD/$prefix ;;
esac
prefix=${prefix%/}
here=$(cd "$(dirname "$0")" && pwd)
# What was installed below the prefix: "file NAME" and "directory NAME", children first.
manifest=$prefix/share/router/installed

# run COMMAND…: with --dry-run, prints it.
run() {
  if [ -n "$dry" ]; then echo "$*"; else "$@"; fi
}

# remove LIST: removes what a manifest names. A directory with other files stays.
remove() {
  printf '%s\n' "$1" | while read -r kind name; do
    case $kind in
      file) run rm -f "$prefix/$name" ;;
      directory) run rmdir "$prefix/$name" 2>/dev/null || true ;;
    esac
  done
}

# there LIBRARY: whether the linker would find it.
there() {
  for directory in /lib /usr/lib /lib64 /usr/lib64 /usr/local/lib /lib/*-linux-gnu* /usr/lib/*-linux-gnu*; do
    if [ -e "$directory/$1" ]; then return 0; fi
  done
  PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -qF "$1 "
}

check_libraries() {
  missing=$(libraries | while IFS='|' read -r library debian fedora alpine; do
    there "$library" || printf '%-20s  %-24s  %-14s  %s\n' "$library" "$debian" "$fedora" "$alpine"
  done)
  if [ -n "$missing" ]; then
    printf 'Missing libraries, and their packages:\n\n%-20s  %-24s  %-14s  %s\n%s\n\n' library Debian Fedora Alpine "$missing" >&2
    message='install the packages above, then run this again'
  elif ! message=$("$here/bin/routerctl" --version 2>&1 && "$here/bin/routerd" --version 2>&1); then
    message="the programs do not run on this machine: $message"
  else
    return 0
  fi
  if [ -z "$dry" ]; then fail "$message"; fi
  echo "error: $message" >&2
}

install_files() {
  earlier=''
  if [ -e "$manifest" ]; then earlier=$(cat "$manifest"); fi
  new=$(cd "$here" && find bin lib share -type f | LC_ALL=C sort)
  for name in $new; do
    if [ -e "$prefix/$name" ] && ! printf '%s\n' "$earlier" | grep -qxF "file $name"; then
      fail "$prefix/$name exists, and this script did not install it. Remove it, or pass --prefix."
    fi
  done
  remove "$earlier"
  directories=$(cd "$here" && find bin lib share -type d | LC_ALL=C sort | while read -r name; do
    [ -d "$prefix/$name" ] || echo "$name"
  done)
  above=''
  [ -d "$prefix" ] || above='directory '
  # The manifest comes first, so that an interrupted installation can be removed.
  list=$(
    for name in $new share/router/installed; do echo "file $name"; done
    printf '%s\n' "$directories" | sort -r | sed '/./s/^/directory /'
    echo "$above"
  )
  run mkdir -p "$prefix/share/router"
  if [ -z "$dry" ]; then printf '%s\n' "$list" >"$manifest"; fi
  for name in $directories; do run mkdir -p "$prefix/$name"; done
  for name in $new; do
    # A new file, because a running program cannot be written to.
    run cp "$here/$name" "$prefix/$name"
  done
  for unit in lib/systemd/system lib/systemd/user; do
    for file in "$here/$unit"/*; do
      name=$unit/${file##*/}
      if [ -n "$dry" ]; then continue; fi
      sed "s|/usr/local/bin/|$prefix/bin/|" "$file" >"$prefix/$name"
    done
  done
}

if [ "$action" = uninstall ]; then
  [ -e "$manifest" ] || fail "nothing is installed in $prefix: there is no $manifest"
  remove "$(cat "$manifest")"
  exit
fi
check_libraries
install_files
if [ -n "$dry" ]; then exit; fi
echo "Installed in $prefix. To remove it: $prefix/share/router/install.sh --uninstall --prefix $prefix"
case :$PATH: in
  *:"$prefix/bin":*) ;;
  *) echo "Add $prefix/bin to your PATH." ;;
esac
echo 'Next: routerctl setup'
