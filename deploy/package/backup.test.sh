#!/usr/bin/env bash
# Tests backup.sh as systemd and compose run it, with a fake `almijara` that writes a line.
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

now=$(date +%s)
# named DAYS: prints the name of a backup from DAYS days ago.
named() { date -u -d "@$((now - $1 * 86400))" +almijara-%Y%m%dT%H%M%SZ.backup; }

# made FOLDER DAYS…: makes a backup in FOLDER for each number of days ago.
made() {
  local folder=$1 days
  shift
  for days in "$@"; do touch "$folder/$(named "$days")"; done
}

# state FOLDER: makes FOLDER with old and recent backups, and with the remains of a killed run.
state() {
  mkdir -p "$1/almijara-killed.unfinished"
  made "$1" 1 2 3 4 5 6 7 40 41
  touch "$1/of-somebody-else.backup"
}

# holds FOLDER DAYS…: checks that FOLDER has exactly these backups and the new one.
holds() {
  local folder=$1 days found expected
  shift
  found=$(cd "$folder" && printf '%s\n' almijara-*)
  expected=$(for days in "$@"; do named "$days"; done)
  [ "$(head -n -1 <<<"$found")" = "$expected" ] || fail "$folder holds $found, and should $expected and a new one"
}

# Under systemd the folder is a link into a closed folder.
state "$work/private"
ln -s private "$work/linked"
"$script" "$work/linked" >/dev/null
holds "$work/private" 7 6 5 4 3 2 1
[ -e "$work/private/of-somebody-else.backup" ] || fail "what is none of ours is gone"

# In a container it starts in another user's folder, without root's capabilities.
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
holds "$work/mounted" 7 6 5 4 3 2 1

# If the clock has run ahead all are old, and the latest stay: KEEP_DAYS of them, or seven.
mkdir "$work/ahead" "$work/ahead-of-few"
made "$work/ahead" 60 61 62 63 64 65 66 67 68 69
"$script" "$work/ahead" >/dev/null
holds "$work/ahead" 65 64 63 62 61 60
made "$work/ahead-of-few" 60 61 62
KEEP_DAYS=2 "$script" "$work/ahead-of-few" >/dev/null
holds "$work/ahead-of-few" 60

# The maximum is the retention of the stream VISITOR.
visitor=$(dirname "$script")/../../services/shared/event-log/src/visitor.rs
remembered=$(sed -n 's/^pub const VISITOR_RETENTION: .*from_hours(\([0-9]*\) \* 24);/\1/p' "$visitor")
KEEP_DAYS=$remembered "$script" "$work/mounted" >/dev/null || fail "KEEP_DAYS=$remembered was refused"
for days in 0 $((remembered + 1)) all; do
  ! KEEP_DAYS=$days "$script" "$work/mounted" 2>/dev/null || fail "KEEP_DAYS=$days was taken"
done
