# Runs programs as the user ada of the host desk, in namespaces, so that no name or path of this machine gets into what they show.
# Sourced by other scripts, after packages.sh; not a program.

# make_stage: makes the directory $stage, which is removed at the end, with routerd and routerctl in bin; $ROUTER_BIN/… are used
# instead of built ones if it is set.
make_stage() {
  need_packages unshare=util-linux
  if [[ -z ${ROUTER_BIN:-} ]]; then
    need_swift
    need_packages "${default_libraries[@]}"
    swift build --product routerd
    swift build --product routerctl
    ROUTER_BIN=$(swift build --show-bin-path)
  fi
  stage=$(mktemp -d)
  trap 'rm -rf "$stage"' EXIT
  mkdir -p "$stage"/{bin,home/ada,pictures,tests,tmp}
  cp "$ROUTER_BIN"/router{d,ctl} "$stage/bin"
  printf 'root:x:0:0::/root:/bin/bash\nada:x:1000:1000:Ada:/home/ada:/bin/bash\n' >"$stage/passwd"
  printf 'root:x:0:\nada:x:1000:\n' >"$stage/group"
}

# In the namespaces: first as root, to mount and to name the host, and then as ada.
inside='
  set -e
  hostname desk
  mount --bind "$0/home" /home
  mount --bind "$0/bin" /usr/local/bin
  mount --bind "$0/passwd" /etc/passwd
  mount --bind "$0/group" /etc/group
  mount -t tmpfs tmpfs /run
  mount -t tmpfs tmpfs /mnt
  mkdir -p /run/user/1000/captures
  mount --bind "$0" /run/user/1000/captures
  mount --bind "$0/tmp" /tmp
  chmod 700 /run/user/1000
  chmod 1777 /tmp
  cd /home/ada
  exec unshare --user --map-user=1000 --map-group=1000 env -i HOME=/home/ada USER=ada SHELL=/bin/bash LANG=C.UTF-8 TZ=UTC \
    PATH=/usr/local/bin:/usr/bin:/bin XDG_RUNTIME_DIR=/run/user/1000 CAPTURES=/run/user/1000/captures "$@"'
# as_ada COMMAND…: $CAPTURES is the stage.
as_ada() {
  unshare --user --map-root-user --mount --uts --pid --fork --kill-child --mount-proc bash -c "$inside" "$stage" "$@"
}
