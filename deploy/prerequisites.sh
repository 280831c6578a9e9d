#!/usr/bin/env bash
# Finds what `make` needs from the machine, and as root on Debian or Ubuntu installs what is missing.
# Usage: deploy/prerequisites.sh run|test
set -euo pipefail

declare -A package=(
  [postgres]=postgresql [nats-server]=nats-server [protoc]=protobuf-compiler [nasm]=nasm
  [cc]=build-essential [chromium]=chromium [chromium-headless-shell]=chromium-headless-shell
  [python3]=python3 [g++]=g++ [setpriv]=util-linux [venv]=python3-venv [firefox-esr]=firefox-esr
)
needed=(cc g++ protoc nasm postgres nats-server python3 setpriv)
if [ "${1:-run}" = test ]; then
  needed+=(firefox-esr venv)
  # Where there is one, the shell makes the same journeys in less time.
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

for tool in cargo node npm; do
  command -v "$tool" >/dev/null || { echo "almijara: $tool is not installed; install Rust (rustup) and Node 20 or newer first" >&2; exit 1; }
done

missing=()
for tool in "${needed[@]}"; do
  found "$tool" || missing+=("${package[$tool]}")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "almijara: missing: ${missing[*]}. As root: apt-get install ${missing[*]}" >&2
  exit 1
fi
echo "almijara: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
# Debian's own cluster is not wanted: up and the tests make theirs.
if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
  mkdir -p /etc/postgresql-common
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
fi
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
