#!/usr/bin/env bash
# Tests tell-bounce.sh as Postfix runs it, as the user nobody if permitted, with a fake curl.
set -euo pipefail

script=$(cd "$(dirname "$0")" && pwd)/tell-bounce.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

chmod 755 "$work"
cp "$script" "$work/tell-bounce.sh"
mkdir -m 777 "$work/said"
cat >"$work/curl" <<CURL
#!/bin/sh
echo "\$*" >$work/said/asked
for word in "\$@"; do case \$word in @*) cat "\${word#@}" >$work/said/header ;; esac; done
printf '%s' "\$ANSWER"
[ "\$ANSWER" != 000 ]
CURL
chmod 755 "$work/curl"
# As mail.md describes.
(umask 077 && echo "Authorization: Bearer never-on-a-command-line" >"$work/header")
as=()
if [ "$(id -u)" = 0 ]; then
  chown nobody "$work/header"
  as=(setpriv --reuid=nobody --regid=nogroup --clear-groups)
fi

report=$'Reporting-MTA: dns; relay.example\n\nFinal-Recipient: rfc822; ann@x.example\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550'
to=bounce+0198b3f2c1d87d3f9a60b1c2d3e4f506@mail.almijara.example
# tells ANSWER [ADDRESS [REPORT]]: prints the exit status.
tells() {
  rm -f "$work"/said/*
  local status=0
  "${as[@]}" env PATH="$work:$PATH" ANSWER="$1" BOUNCES_HEADER="$work/header" \
    "$work/tell-bounce.sh" "${2-$to}" <<<"${3-$report}" || status=$?
  echo $status
}

[ "$(tells 204)" = 0 ] || fail "what was taken is told again"
grep -qF "{\"to\":\"$to\",\"status\":\"5.1.1\"}" "$work/said/asked" || fail "it said $(cat "$work/said/asked")"
grep -qF never-on-a-command-line "$work/said/header" || fail "the secret was not said"
! grep -qF never-on-a-command-line "$work/said/asked" || fail "everybody sees the secret"
[ "$(tells 422)" = 0 ] || fail "what is none of ours is told again for days"
for answer in 000 401 500; do
  [ "$(tells $answer)" = 75 ] || fail "after $answer nobody is told of it"
done
[ "$(tells 204 "$to" "Out of office")" = 0 ] && [ ! -e "$work/said/asked" ] || fail "an answer was taken for a report"
[ "$(tells 204 'a"b@x.example')" = 0 ] && [ ! -e "$work/said/asked" ] || fail "a word that is no address was sent"
