#!/usr/bin/env bash
# Tests postinst as in an upgrade, with a fake systemctl.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

mkdir -p "$work/bin" "$work/units" "$work/secrets" "$work/running"
cat >"$work/bin/systemctl" <<STUB
#!/bin/sh
case "\$*" in
"is-active --quiet almijara-preview.service") exit 3 ;;
is-active*) ;;
*) echo "\$*" >>$work/asked ;;
esac
STUB
chmod +x "$work/bin/systemctl"
for unit in "$here"/../systemd/*.service; do
  sed "s#/etc/almijara/secrets#$work/secrets#" "$unit" >"$work/units/$(basename "$unit")"
done
sed "s#/usr/lib/systemd/system#$work/units#; s#/run/systemd/system#$work/running#" "$here/postinst" >"$work/postinst"
# Nothing is created in the machine's own folders.
printf '#!/bin/sh\n' >"$work/bin/systemd-tmpfiles"
chmod +x "$work/bin/systemd-tmpfiles"
upgrade() { : >"$work/asked"; PATH=$work/bin:$PATH sh "$work/postinst" configure 0.0.9 >"$work/said"; }

echo smtps://user:password@mail.example.com >"$work/secrets/smtp-url"
"$here/../secrets.sh" "$work/secrets"
upgrade
restarted=$(sed -n 's/^restart almijara-\(.*\)\.service/\1/p' "$work/asked" | tr '\n' ' ')
[ "$restarted" = "projections sync query command renderer site console " ] || fail "restarted: $restarted, $(cat "$work/said")"

# Nothing is done for a role that does not run on this machine (preview).
rm "$work/secrets/preview-token"
upgrade
grep -q 'restart almijara-site' "$work/asked" || fail "$(cat "$work/said")"

rm "$work/secrets/preview-secret"
upgrade
! grep -q restart "$work/asked" || fail "some were replaced, and others not: $(cat "$work/asked")"
grep -q "goes on as it was, for it lacks: $work/secrets/preview-secret" "$work/said" || fail "$(cat "$work/said")"

: >"$work/asked"
PATH=$work/bin:$PATH sh "$work/postinst" configure ''
! grep -q restart "$work/asked" || fail "an installation has restarted something"
