#!/bin/sh
# Creates every secret of Almijara in FOLDER, one file each, with random content; existing files stay. Files
# derived from them (addresses with passwords, NATS's configuration) are rewritten each time; so to rotate a
# password, delete its file and run this again (docs/rotate-secrets.md).
# Usage: secrets.sh FOLDER, with the addresses of the servers in the environment:
#   POSTGRES (127.0.0.1:5432), POSTGRES_READ (the same), NATS (127.0.0.1:4222; several: a:4222,b:4222),
#   MODE (600: of the files; only the owner can enter the folder)
# Without a variable, the value in the existing files stays; so do TLS options in an address: what follows the
# question mark for Postgres (?sslmode=…), and tls:// for NATS.
set -eu

folder=${1:?usage: secrets.sh FOLDER}
umask 077
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

# servers FILE: prints the servers of the addresses in FILE.
servers() { [ ! -s "$1" ] || sed 's#^[^@]*@##; s#,[a-z]*://#,#g; s#/.*##' "$1"; }
# options FILE: prints the question mark of the address in FILE, and what follows.
options() { [ ! -s "$1" ] || sed 's#^[^?]*##' "$1"; }
# scheme FILE: prints the scheme of the NATS addresses in FILE.
scheme() { if [ -s "$1" ]; then sed 's#:.*##' "$1"; else echo nats; fi; }
postgres_before=$(servers sync-database-url)
read_before=$(servers query-database-url)
# If reads went to the primary, they still do after the primary has moved.
[ "$read_before" != "$postgres_before" ] || read_before=
nats_before=$(servers sync-nats-url)
postgres=${POSTGRES:-${postgres_before:-127.0.0.1:5432}}
postgres_read=${POSTGRES_READ:-${read_before:-$postgres}}
nats=${NATS:-${nats_before:-127.0.0.1:4222}}
mode=${MODE:-$(stat -c %a sync-database-url 2>/dev/null || echo 600)}

# Writes a temporary file and renames it, so that readers see either the old or the new content, complete.
put() {
  cat >".$1.new"
  chmod "$mode" ".$1.new"
  mv ".$1.new" "$1"
}
random() { [ -s "$1" ] || od -An -N24 -tx1 /dev/urandom | tr -d ' \n' | put "$1"; }

# Its name when only sync had such a token.
if [ -s admin-token ] && ! [ -s sync-admin-token ]; then mv admin-token sync-admin-token; fi

for name in postgres-admin postgres-replica postgres-sync postgres-projections postgres-query \
  postgres-command postgres-console postgres-directus nats-sync nats-projections nats-query nats-command \
  content-token webhook-secret enquiries-token enquiries-erase-token enquiries-secret bounces-secret \
  sync-admin-token projections-admin-token query-admin-token command-admin-token site-admin-token \
  live-status-token preview-secret preview-token console-content-token \
  directus-secret directus-admin-password directus-admin-token; do
  random "$name"
done

for role in sync projections query command console; do
  at=$postgres
  [ "$role" = query ] && at=$postgres_read
  printf 'postgres://almijara_%s:%s@%s/almijara%s' "$role" "$(cat "postgres-$role")" "$at" \
    "$(options "$role-database-url")" | put "$role-database-url"
done
for role in sync projections query command; do
  scheme=$(scheme "$role-nats-url")
  printf '%s://almijara_%s:%s@%s' "$scheme" "$role" "$(cat "nats-$role")" "$nats" |
    sed "s#,#,$scheme://#g" | put "$role-nats-url"
done
printf 'postgres://directus:%s@%s/directus%s' "$(cat postgres-directus)" "$postgres" \
  "$(options directus-database-url)" | put directus-database-url
for role in sync projections query command; do
  printf 'ALMIJARA_%s_PASSWORD: "%s"\n' "$(echo $role | tr '[:lower:]' '[:upper:]')" "$(cat "nats-$role")"
done | put nats-passwords.conf

if ! [ -s smtp-url ]; then
  echo "secrets: $folder/smtp-url is missing; write it yourself: smtps://user:password@host, or" \
    "smtp://user:password@host:587?tls=required" >&2
  exit 1
fi
# Also for files that already existed.
chmod "$mode" ./*
