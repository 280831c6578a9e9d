#!/usr/bin/env bash
# Runs backup.sh as systemd and compose do, with an `almijara` that writes a line.
set -euo pipefail

script=$(cd "$(dirname "$0")" && pwd)/backup.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

mkdir "$work/bin"
cat >"$work/bin/almijara" <<'SCRIPT'
#!/bin/sh
echo whole >"$2"
SCRIPT
chmod 755 "$work" "$work/bin" "$work/bin/almijara"
PATH=$work/bin:$PATH

# state FOLDER: makes it, with a backup of forty days ago, one of yesterday, and what a killed one left.
state() {
  mkdir -p "$1/almijara-killed.unfinished"
  touch -d '40 days ago' "$1/almijara-old.backup"
  touch -d yesterday "$1/almijara-yesterday.backup" "$1/of-somebody-else.backup"
}

# holds FOLDER: a new one, yesterday's, and what is none of ours.
holds() {
  local found
  found=$(cd "$1" && echo *)
  [[ $found =~ ^almijara-[0-9]+T[0-9]+Z.backup\ almijara-yesterday.backup\ of-somebody-else.backup$ ]] ||
    fail "$1 holds $found"
}

# Under systemd the folder is a link into another that is closed.
state "$work/private"
ln -s private "$work/linked"
"$script" "$work/linked" >/dev/null
holds "$work/private"

# In a container it is begun in a folder of another user's, without the rights of root.
state "$work/mounted"
mkdir "$work/closed"
(
  cd "$work/closed"
  if [ "$(id -u)" = 0 ]; then
    chown 10001 . && chmod 700 .
    exec setpriv --bounding-set=-all --inh-caps=-all "$script" "$work/mounted"
  fi
  chmod 000 .
  exec "$script" "$work/mounted"
) >/dev/null
holds "$work/mounted"

for days in 0 401 all; do
  ! KEEP_DAYS=$days "$script" "$work/mounted" 2>/dev/null || fail "KEEP_DAYS=$days was taken"
done
