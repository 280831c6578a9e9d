#!/usr/bin/env bash
# Makes the compiler check every static SQL statement against a database with our tables, and stores the result
# in .sqlx/, with which all other builds check them without a database.
# Usage: deploy/checked-queries.sh   (after a change of a statement, a migration or a table)
set -euo pipefail
cd "$(dirname "$0")/.."

bin=$(compgen -G '/usr/lib/postgresql/*/bin' | sort -V | tail -1 || dirname "$(command -v postgres)")
folder=$(mktemp -d)
# Postgres refuses to run as root.
as=()
if [ "$(id -u)" = 0 ]; then chown nobody "$folder"; as=(setpriv --reuid=nobody --clear-groups); fi
trap '"${as[@]}" "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null; rm -rf "$folder"' EXIT
"${as[@]}" "$bin/initdb" -D "$folder/data" -U almijara --auth=trust --no-sync >/dev/null
"${as[@]}" "$bin/pg_ctl" -D "$folder/data" -o "-k $folder -c listen_addresses=''" -l "$folder/log" -w start >/dev/null

sql() { PGOPTIONS='-c client_min_messages=warning' psql -q -h "$folder" -U almijara -d postgres -v ON_ERROR_STOP=1 "$@"; }
files() { for file in "$@"; do printf -- '-f\n%s\n' "$file"; done; }

sql -c 'create schema ledger' -c 'create schema visitor' -c 'create schema operator' -c 'create schema read' -c 'create schema read_0001'
mapfile -t migrations < <(files services/{sync,command,console}/migrations/*.sql projections/migrations/*.sql)
sql "${migrations[@]}"
sql -c 'set search_path to read_0001' -f projections/tables.sql -f projections/views.sql

rm -rf .sqlx
mkdir .sqlx
# The compiler checks statements only in the crates that it compiles.
{ grep -rlE 'query(_as|_scalar)?!\(' services projections --include=*.rs || true; } | xargs -r touch
DATABASE_URL="postgres://almijara@localhost/postgres?host=$folder&options=-c%20search_path%3Dread_0001" \
  SQLX_OFFLINE=false SQLX_OFFLINE_DIR="$PWD/.sqlx" cargo check --workspace --all-targets
