#!/bin/sh
# Writes what exists nowhere else to a new file in FOLDER and deletes the files that are older than
# KEEP_DAYS (30), but for the latest seven. Usage: backup FOLDER, with COMMAND_DATABASE_URL,
# CONSOLE_DATABASE_URL and SYNC_DATABASE_URL in the environment, or each with _FILE.
set -eu

folder=${1:?usage: backup FOLDER}
keep=${KEEP_DAYS:-30}
# NATS remembers for 400 days who was erased: an older file would bring them back.
case $keep in
  '' | *[!0-9]*) echo "backup: KEEP_DAYS is not a number of days: $keep" >&2; exit 2 ;;
esac
if [ "$keep" -lt 1 ] || [ "$keep" -gt 400 ]; then
  echo "backup: KEEP_DAYS has to be from 1 to 400: $keep" >&2
  exit 2
fi
# From within: under systemd the folder is a link, which find does not follow, and it goes back to where it
# began, which in a container may be a folder that whoever runs this can't enter.
cd -P "$folder"
# What one that was killed left half written.
find . -maxdepth 1 -type d -name 'almijara-*.unfinished' -exec rm -r {} +
almijara backup "almijara-$(date -u +%Y%m%dT%H%M%SZ).backup"
# Only once there is a new one, from the oldest on. A clock that runs ahead takes all that were made before
# for old, so the latest seven stay, or fewer where files are kept for fewer days.
latest=$((keep < 7 ? keep : 7))
oldest=$(date -u -d "$keep days ago" +%Y%m%d%H%M%S)
set -- almijara-????????T??????Z.backup
while [ $# -gt "$latest" ] && [ "$(echo "$1" | tr -cd 0-9)" -lt "$oldest" ]; do
  rm -v "$1"
  shift
done
