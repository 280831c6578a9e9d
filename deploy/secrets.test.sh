#!/usr/bin/env bash
# Tests repeated runs of secrets.sh, as in an upgrade and a rotation.
set -euo pipefail

script=$(cd "$(dirname "$0")" && pwd)/secrets.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

secrets=$work/secrets
# as_they_are: prints every file with its mode and content.
as_they_are() { (cd "$secrets" && stat -c '%n %a' ./* && grep -r . . | sort); }
# leads FILE SERVERS: fails unless the address in FILE is of SERVERS.
leads() { [[ $(cat "$secrets/$1") == *"@$2" ]] || fail "$1 is $(cat "$secrets/$1"), and not at $2"; }

mkdir "$secrets"
echo smtps://user:password@mail.example.com >"$secrets/smtp-url"

"$script" "$secrets"
leads sync-database-url 127.0.0.1:5432/almijara
leads command-nats-url 127.0.0.1:4222
# The secret for reporting bounced mails: the write side refuses less than 16 characters.
[ "$(wc -c <"$secrets/bounces-secret")" -ge 16 ] || fail "nobody can tell of mails that come back"
[ "$(stat -c %a "$secrets/smtp-url")" = 600 ] || fail "others may read what the mail server asks for"

POSTGRES=postgres:5432 POSTGRES_READ=replica:5432 NATS=nats:4222,nats-2:4222 MODE=444 "$script" "$secrets"
before=$(as_they_are)
"$script" "$secrets"
[ "$(as_they_are)" = "$before" ] || fail "a second run has changed $(diff <(echo "$before") <(as_they_are))"

rm "$secrets/postgres-query" "$secrets/nats-query"
"$script" "$secrets"
leads query-database-url replica:5432/almijara
leads query-nats-url nats:4222,nats://nats-2:4222
[ "$(as_they_are)" != "$before" ] || fail "no password was made anew"

POSTGRES=elsewhere:5432 "$script" "$secrets"
leads sync-database-url elsewhere:5432/almijara
leads directus-database-url elsewhere:5432/directus
leads query-database-url replica:5432/almijara

# If reads go to the primary, they still do after it has moved.
POSTGRES_READ=elsewhere:5432 "$script" "$secrets"
POSTGRES=new:5432 "$script" "$secrets"
leads query-database-url new:5432/almijara

# An operator enables TLS by editing the addresses.
tls='?sslmode=verify-full&sslrootcert=/etc/almijara/ca@office.pem'
for address in "$secrets"/*-database-url; do printf '%s' "$tls" >>"$address"; done
sed -i 's#nats://#tls://#g' "$secrets"/*-nats-url
before=$(as_they_are)
"$script" "$secrets"
[ "$(as_they_are)" = "$before" ] || fail "a second run has changed $(diff <(echo "$before") <(as_they_are))"
rm "$secrets/postgres-query" "$secrets/nats-query"
POSTGRES=newer:5432 "$script" "$secrets"
leads query-database-url "newer:5432/almijara$tls"
leads directus-database-url "newer:5432/directus$tls"
leads query-nats-url nats:4222,tls://nats-2:4222
[[ $(cat "$secrets/query-nats-url") == tls://* ]] || fail "NATS is spoken to without TLS"
