#!/bin/sh
# Runs a replica of the Postgres at HOST: takes a copy where there is none yet, then follows. What the
# first has not sent yet, a slot there keeps for it, up to max_slot_wal_keep_size.
# Usage: replica.sh HOST PORT, as the user that Postgres runs as; PGDATA says where its data goes,
# PASSWORDS where the file postgres-replica is. Where settings are kept elsewhere, as by Debian, it only takes the copy.
set -eu

host=${1:?usage: replica.sh HOST PORT}
port=${2:?usage: replica.sh HOST PORT}
data=$(realpath "${PGDATA:?PGDATA is not set}")
passwords=$(realpath "${PASSWORDS:-/run/secrets}")
# `find` fails where it can't come back to, and root's home can't be entered by Postgres's user.
cd /

if [ ! -s "$data/PG_VERSION" ]; then
  # Half a copy is no copy.
  find "$data" -mindepth 1 -delete
  # The password ends in the settings that --write-recovery-conf makes, which Postgres alone can read.
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
