#!/usr/bin/env bash
# Checks for the programs that `make` needs, and as root on Debian or Ubuntu installs what is missing.
# Usage: deploy/prerequisites.sh run|test
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A package=(
  [postgres]=postgresql [nats-server]=nats-server [protoc]=protobuf-compiler [nasm]=nasm
  [cc]=build-essential [chromium]=chromium [chromium-headless-shell]=chromium-headless-shell
  [python3]=python3 [g++]=g++ [setpriv]=util-linux [venv]=python3-venv [firefox-esr]=firefox-esr
)
mode=${1:-run}
needed=(cc g++ protoc nasm postgres nats-server python3 setpriv)
if [ "$mode" = test ]; then
  needed+=(firefox-esr venv)
  # If it is available, the headless shell runs the same journeys in less time.
  if apt-cache show chromium-headless-shell >/dev/null 2>&1; then
    needed+=(chromium-headless-shell)
  else
    needed+=(chromium)
  fi
fi

found() {
  case "$1" in
    postgres) compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || command -v postgres >/dev/null ;;
    venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    nats-server) command -v nats-server >/dev/null || [ -x /usr/sbin/nats-server ] ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# The minimum Node for npm, which installs the Node that frontend/package.json requires.
least_node=20
for tool in cargo node npm; do
  command -v "$tool" >/dev/null || { echo "almijara: $tool is not installed; install Rust (rustup) and Node $least_node or newer first" >&2; exit 1; }
done
node=$(node --version)
node_major=${node#v}
if [ "${node_major%%.*}" -lt "$least_node" ]; then
  echo "almijara: Node $node is too old; install Node $least_node or newer first (Debian 12 has 18: take it from nodejs.org or nodesource.com)" >&2
  exit 1
fi

missing=()
for tool in "${needed[@]}"; do
  found "$tool" || missing+=("${package[$tool]}")
done

# Extracts a program for tests from its Debian package, since installing the package would start a server.
# fetch NAME PROGRAM, with the program's path in the package.
fetch() {
  local name=$1 program=$2 folder
  if [ "$mode" != test ] || command -v "$(basename "$program")" >/dev/null || [ -x "target/$name/$program" ]; then
    return 0
  fi
  folder=$(mktemp -d)
  # apt's own user has to be able to write there.
  chmod 777 "$folder"
  if ! (
    cd "$folder"
    apt-get download -qq "$name" 2>/dev/null || { apt-get update -qq && apt-get download -qq "$name"; }
  ) >/dev/null; then
    rm -rf "$folder"
    echo "almijara: $(basename "$program") is missing, and the package $name can't be fetched; install it" >&2
    exit 1
  fi
  mkdir -p "target/$name"
  dpkg-deb --fsys-tarfile "$folder/$name"_*.deb | tar -x -C "target/$name" "./$program"
  rm -rf "$folder"
}
fetch_programs() {
  # Checks the Prometheus rules.
  fetch prometheus usr/bin/promtool
  # The reverse proxy before two sites.
  fetch caddy usr/bin/caddy
}
if [ ${#missing[@]} -eq 0 ]; then
  fetch_programs
  exit 0
fi

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "almijara: missing: ${missing[*]}. As root: apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "almijara: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
# Debian's default cluster is not needed: `up` and the tests make their own.
if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
  mkdir -p /etc/postgresql-common
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
fi
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fetch_programs
