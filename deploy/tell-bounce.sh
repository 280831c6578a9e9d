#!/bin/sh
# Reports a bounced mail to the write side: the mail server that receives it pipes the report here (mail.md).
# Usage: tell-bounce.sh ADDRESS <REPORT, with the address that it was sent to; in the environment:
#   BOUNCES_HEADER (/etc/almijara/bounces-header): the file with "Authorization: Bearer …", on no command line
#   BOUNCES_URL (http://127.0.0.1:8082/webhooks/bounces)
# Exit status 75 requests another try.
set -eu

to=${1:?usage: tell-bounce.sh ADDRESS <REPORT}
case $to in
  # Not an address of ours.
  *[!A-Za-z0-9.@+_-]*) exit 0 ;;
esac
# The first status, from a part of the report or from the mail that it is about.
status=$(sed -n 's/^[Ss]tatus: *\([245]\.[0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
[ -n "$status" ] || exit 0
answer=$(curl --silent --max-time 20 --output /dev/null --write-out '%{http_code}' \
  --header "@${BOUNCES_HEADER:-/etc/almijara/bounces-header}" --header 'Content-Type: application/json' \
  --data "{\"to\":\"$to\",\"status\":\"$status\"}" "${BOUNCES_URL:-http://127.0.0.1:8082/webhooks/bounces}") || exit 75
case $answer in
  # 422: not an address of ours.
  2?? | 422) ;;
  *) exit 75 ;;
esac
