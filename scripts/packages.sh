# Installs missing packages on Debian and Ubuntu. Sourced by the other scripts; not a program.

# need_packages WHAT=PACKAGE…: installs the package of each missing WHAT, a command or a file's path.
need_packages() {
  local need what missing=()
  for need in "$@"; do
    what=${need%%=*}
    if [[ $what == /* ]]; then
      [[ -e $what ]] || missing+=("${need#*=}")
    else
      command -v "$what" >/dev/null || missing+=("${need#*=}")
    fi
  done
  ((${#missing[@]})) || return 0
  if ! command -v apt-get >/dev/null; then
    echo "cannot go on: install what these packages of Debian have: ${missing[*]}" >&2
    return 1
  fi
  local as_root=()
  ((EUID == 0)) || as_root=(sudo)
  echo "installing with apt-get: ${missing[*]}" >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
}

# The libraries that a build needs; the traits of the builds in .build, which are built again with any others, and their libraries.
# shellcheck disable=SC2034
default_libraries=(
  /usr/include/sqlite3.h=libsqlite3-dev /usr/include/openssl/evp.h=libssl-dev /usr/include/yaml.h=libyaml-dev
) traits=(--traits default,PostgreSQL)
libraries=("${default_libraries[@]}" /usr/include/postgresql/libpq-fe.h=libpq-dev)

# Sets ROUTER_BIN to the directory of routerd and routerctl, after building them, unless it names the directory of other builds.
need_programs() {
  local program
  if [[ -z ${ROUTER_BIN:-} ]]; then
    for program in routerd routerctl; do swift build "${traits[@]}" --product "$program" >&2; done
    ROUTER_BIN=$(swift build "${traits[@]}" --show-bin-path)
  fi
  export ROUTER_BIN PYTHONDONTWRITEBYTECODE=1
}

# Sets CLAUDE and CODEX to Claude Code's and Codex's own binaries, after downloading them: 310 MB, under their vendors' terms.
need_agents() {
  local packages=.build/agents-claude-0.2.187-codex-0.163.0
  need_packages /usr/bin/python3=python3 /usr/lib/python3/dist-packages/pip=python3-pip
  if [[ ! -e $packages/codex_cli_bin ]]; then
    /usr/bin/python3 -m pip install --quiet --target "$packages" claude-agent-sdk==0.2.187 openai-codex-cli-bin==0.163.0
  fi
  CLAUDE=$PWD/$packages/claude_agent_sdk/_bundled/claude
  CODEX=$PWD/$packages/codex_cli_bin/bin/codex
  export CLAUDE CODEX
}

# Prints where to get Swift if it is missing.
need_swift() {
  command -v swift >/dev/null && return
  echo "cannot go on: there is no Swift toolchain in the PATH; https://www.swift.org/install has it (6.3 or later)" >&2
  return 1
}

# temporary_key DIRECTORY: makes a keyring in a new directory, with a key that signs apt repositories.
temporary_key() {
  export GNUPGHOME=$1 ROUTER_SIGNING_KEY=test@router.invalid
  mkdir -m 700 "$GNUPGHOME"
  gpg --batch --quiet --passphrase '' --quick-generate-key "$ROUTER_SIGNING_KEY" ed25519 sign never
}
