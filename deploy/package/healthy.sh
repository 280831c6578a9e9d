#!/bin/bash
# Whether the role of this container is alive, by its health port: for HEALTHCHECK, where no curl is.
# Usage: healthy [PATH]; /readyz asks whether it can serve, too.
set -euo pipefail

exec 3<>"/dev/tcp/127.0.0.1/${HEALTH_PORT:-$PORT}"
printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "${1:-/healthz}" >&3
read -r -t 2 _ status _ <&3
[ "$status" = 200 ]
