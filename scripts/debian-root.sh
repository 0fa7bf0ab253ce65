# A clean Debian root, made with debootstrap, for scripts that install packages in it. Sourced by them, after packages.sh, in a mount
# namespace and as root; not a program.

need_packages debootstrap=debootstrap

# make_root SUITE: makes $root, which is removed at the end. The base that it is a copy of is kept in .build-packages.
make_root() {
  local base=$PWD/.build-packages/debian-$1
  if [[ ! -e $base/done ]]; then
    rm -rf "$base"
    debootstrap --variant=minbase "$1" "$base" >&2
    touch "$base/done"
  fi
  root=$(mktemp -d)
  trap remove_root EXIT
  cp -a "$base/." "$root"
  rm "$root/done"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  # As an installer writes it. Without it, netbase would.
  echo '127.0.0.1 localhost' >"$root/etc/hosts"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  # Ends with this namespace, and is not seen outside of it.
  mount -t tmpfs tmpfs "$root/run"
}
remove_root() {
  umount -qRl "$root/proc" "$root/dev" "$root/run" || true
  rm -rf --one-file-system "$root"
}

in_root() { chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
as() { in_root setpriv --reuid "$1" --regid "$1" --clear-groups "${@:2}"; }
apt() { in_root apt-get -qq -o Dpkg::Use-Pty=0 "$@" >&2; }
step() { echo "== $*"; }
fail() { echo "FAIL: $*" >&2 && exit 1; }
# check COMMAND…: it must succeed. refuse COMMAND…: it must not.
check() { "$@" || fail "$*"; }
refuse() { if "$@"; then fail "it succeeded: $*"; fi; }
# expect TEXT COMMAND…: what it prints has the text.
expect() {
  local output
  output=$("${@:2}" 2>&1) || fail "${*:2}: $output"
  [[ $output == *"$1"* ]] || fail "${*:2}: no \"$1\" in: $output"
}

# daemon USER VARIABLE=VALUE…: starts a daemon as a user, and waits until it answers.
daemon() {
  as "$1" env "${@:2}" sh -c 'echo $$ >/tmp/pid-$(id -u); exec routerd' 2>"$root/tmp/routerd-$1.log" &
  for _ in {1..200}; do
    if as "$1" env "${@:2}" routerctl queue >/dev/null 2>&1; then return; fi
    sleep 0.1
  done
  fail "routerd of $1: $(cat "$root/tmp/routerd-$1.log")"
}
stop() {
  cat "$root"/tmp/pid-* | xargs kill
  rm "$root"/tmp/pid-*
  wait
}

# ask USER TITLE VARIABLE=VALUE…: a program asks, and a presenter's command says yes.
ask() {
  as "$1" env "${@:3}" routerctl present --once --exec 'echo yes' &
  check as "$1" env "${@:3}" routerctl confirm "$2"
  wait $!
}
