#!/bin/bash
# Checks by the health port whether this container's role is alive: for HEALTHCHECK, without curl.
# Usage: healthy [PATH]; /readyz also checks whether it is ready to serve.
set -euo pipefail

exec 3<>"/dev/tcp/127.0.0.1/${HEALTH_PORT:-$PORT}"
printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "${1:-/healthz}" >&3
read -r -t 2 _ status _ <&3
[ "$status" = 200 ]
