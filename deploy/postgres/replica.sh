#!/bin/sh
# Runs a replica of the Postgres at HOST: makes a base backup if there is none yet, then follows. A slot at the
# primary retains what it has not sent yet, up to max_slot_wal_keep_size.
# Usage: replica.sh HOST PORT, as the user that runs Postgres; PGDATA is the data folder, PASSWORDS the folder
# with the file postgres-replica. If the settings are in another folder, as on Debian, it only makes the backup.
set -eu

host=${1:?usage: replica.sh HOST PORT}
port=${2:?usage: replica.sh HOST PORT}
data=$(realpath "${PGDATA:?PGDATA is not set}")
passwords=$(realpath "${PASSWORDS:-/run/secrets}")
# `find` fails if it can't return to its starting folder, and Postgres's user can't enter root's home.
cd /

if [ ! -s "$data/PG_VERSION" ]; then
  # Delete an incomplete copy.
  find "$data" -mindepth 1 -delete
  # --write-recovery-conf writes the password into the settings, which only Postgres can read.
  PGPASSWORD="$(cat "$passwords/postgres-replica")" PGCONNECT_TIMEOUT=10 pg_basebackup \
    --host="$host" --port="$port" --username=almijara_replica --pgdata="$data" \
    --wal-method=stream --checkpoint=fast --slot=almijara_replica --write-recovery-conf
  chmod 700 "$data"
fi
if [ ! -e "$data/postgresql.conf" ]; then
  echo "replica: the settings of $data are in another folder; start it as this machine does" >&2
  exit 0
fi
exec postgres -D "$data" -c hot_standby=on -c max_connections=200 ${LISTEN:+-c listen_addresses="$LISTEN"} ${OWN_PORT:+-c port="$OWN_PORT"}
