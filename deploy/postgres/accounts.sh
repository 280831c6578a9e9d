#!/bin/sh
# Creates the database `almijara` and its roles, and sets their passwords; run it again after a password has
# changed. Connects as psql does (PGHOST, PGUSER, …), as a user who may create roles and databases. The
# official Postgres image runs it automatically from /docker-entrypoint-initdb.d.
# Usage: accounts.sh [FOLDER], with a file for each password:
#   FOLDER/postgres-sync, postgres-projections, postgres-query, postgres-command, postgres-console
#   and optionally postgres-directus: creates a separate database `directus`; postgres-replica: creates a
#   role for replication (replica.sh), which needs a line in pg_hba.conf
set -eu

passwords=$(realpath "${1:-${PASSWORDS:-/run/secrets}}")
here=$(realpath "${ACCOUNTS_SQL:-$(dirname "$0")}")
# Otherwise each psql would warn that its user can't enter root's home.
cd /
database=postgres
ask() { psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --dbname="$database" "$@"; }

# $1: a role. $2: the file with its password, which is never on a command line.
password() {
  [ -s "$2" ] || { echo "accounts: $2 is missing or empty" >&2; exit 1; }
  secret="$(cat "$2")" ask --set=role="$1" <<'SQL'
\getenv secret secret
set log_statement = 'none';
alter role :"role" password :'secret';
SQL
}

# $1: a database.
database() {
  [ "$(echo "select 1 from pg_database where datname = :'name'" | ask --set=name="$1")" = 1 ] ||
    echo 'create database :"name"' | ask --set=name="$1"
}

ask --file="$here/roles.sql"
for role in sync projections query command console; do
  password "almijara_$role" "$passwords/postgres-$role"
done
database almijara
ask --file="$here/grants.sql"

if [ -e "$passwords/postgres-directus" ]; then
  [ "$(ask --command="select 1 from pg_roles where rolname = 'directus'")" = 1 ] ||
    ask --command='create role directus login'
  password directus "$passwords/postgres-directus"
  database directus
  ask --command='revoke all on database directus from public; alter database directus owner to directus'
fi

if [ -e "$passwords/postgres-replica" ]; then
  [ "$(ask --command="select 1 from pg_roles where rolname = 'almijara_replica'")" = 1 ] ||
    ask --command='create role almijara_replica login replication'
  password almijara_replica "$passwords/postgres-replica"
  ask --command="select pg_create_physical_replication_slot('almijara_replica')
    where not exists (select from pg_replication_slots where slot_name = 'almijara_replica')" >/dev/null
  # Without a limit, this server would keep all changes for an absent replica until its disk is full.
  [ "$(ask --command='show max_slot_wal_keep_size')" != -1 ] ||
    ask --command="alter system set max_slot_wal_keep_size = '8GB'" --command='select pg_reload_conf()' >/dev/null
  # While the official image initialises its cluster, this script may write the file.
  if [ -n "${POSTGRES_INITDB_ARGS+set}" ]; then
    echo 'host replication almijara_replica all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  fi
fi
