#!/bin/sh
# Writes the data that can't be rebuilt to a new file in FOLDER, and deletes files that are older than
# KEEP_DAYS (30), except the latest seven. Usage: backup FOLDER, with COMMAND_DATABASE_URL,
# CONSOLE_DATABASE_URL and SYNC_DATABASE_URL in the environment, or each with _FILE.
set -eu

folder=${1:?usage: backup FOLDER}
keep=${KEEP_DAYS:-30}
# NATS stores erasures for 400 days: restoring an older file would bring erased visitors back.
case $keep in
  '' | *[!0-9]*) echo "backup: KEEP_DAYS is not a number of days: $keep" >&2; exit 2 ;;
esac
if [ "$keep" -lt 1 ] || [ "$keep" -gt 400 ]; then
  echo "backup: KEEP_DAYS has to be from 1 to 400: $keep" >&2
  exit 2
fi
# Enter the folder: under systemd it is a link, which find does not follow; and find returns to the folder that
# it started in, which in a container may be inaccessible to this user.
cd -P "$folder"
# Delete the incomplete files of killed runs.
find . -maxdepth 1 -type d -name 'almijara-*.unfinished' -exec rm -r {} +
almijara backup "almijara-$(date -u +%Y%m%dT%H%M%SZ).backup"
# Delete only after a new backup exists, starting with the oldest. If the clock runs ahead, all earlier files look
# old, so the latest seven stay, or fewer if KEEP_DAYS is less than seven.
latest=$((keep < 7 ? keep : 7))
oldest=$(date -u -d "$keep days ago" +%Y%m%d%H%M%S)
set -- almijara-????????T??????Z.backup
while [ $# -gt "$latest" ] && [ "$(echo "$1" | tr -cd 0-9)" -lt "$oldest" ]; do
  rm -v "$1"
  shift
done
