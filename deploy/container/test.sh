#!/usr/bin/env bash
# Builds the image with build.sh and runs it as production does: read-only, without capabilities. Every role
# prints its help and refuses a wrong setting; a site with its renderer becomes healthy and serves the site's icon.
# Needs Podman or Docker, and what build.sh needs. Where systemd does not run, Podman can't time health checks:
# RUN_OPTIONS=--no-healthcheck. Inside a machine without cgroups and overlay file systems:
#   STORAGE_DRIVER=vfs ENGINE="podman --runtime runc --cgroup-manager cgroupfs --storage-driver vfs" \
#     RUN_OPTIONS="--no-healthcheck --ulimit nofile=20000:20000 --ulimit nproc=4096:4096" deploy/container/test.sh
# Usage: deploy/container/test.sh [BINARY]
set -euo pipefail

here=$(dirname "$0")
tag=localhost/almijara:test
default=podman
command -v podman >/dev/null || default=docker
read -ra engine <<<"${ENGINE:-$default}"
read -ra options <<<"${RUN_OPTIONS:-}"
# The data are in a volume, as in deploy/compose: it gets the owner of the image's folder, which a tmpfs does not.
options+=(--read-only --cap-drop all --security-opt no-new-privileges --tmpfs /tmp --volume /var/lib/almijara)
node=/usr/lib/almijara/node
renderer=/usr/share/almijara/frontend/server.js
work=$(mktemp -d)
started=()
cleanup() {
  # One by one, the last first: it is in the network of another, and one that never started removes no other.
  for ((i = ${#started[@]} - 1; i >= 0; i--)); do
    "${engine[@]}" rm --force --volumes "${started[i]}" >/dev/null 2>&1 || true
  done
  rm -rf "$work"
}
trap cleanup EXIT
fail() { echo "image: $*" >&2; exit 1; }
command -v "${engine[0]}" >/dev/null || fail "${engine[0]} is not installed"

"$here/build.sh" "$tag" "$@"
case "${engine[0]##*/}" in
  docker) buildah --storage-driver "${STORAGE_DRIVER:-overlay}" push --quiet "$tag" "docker-daemon:$tag" ;;
esac

# once [OPTION…] -- ARGUMENT…: runs a container until it ends, with its output in $work/output; sets $code.
once() {
  local own=()
  while [ "$1" != -- ]; do own+=("$1"); shift; done
  shift
  code=0
  "${engine[@]}" run --rm "${options[@]}" "${own[@]}" "$tag" "$@" >"$work/output" 2>&1 || code=$?
}
# expect CODE TEXT WHAT: checks how the last container ended and what it wrote.
expect() {
  if [ "$code" = "$1" ] && grep --quiet --fixed-strings -- "$2" "$work/output"; then
    echo "ok  $3"
    return
  fi
  cat "$work/output" >&2
  fail "$3: exit status $code instead of $1, or no word of $2"
}

for role in sync projections query command site preview console; do
  once -- "$role" --help
  expect 0 HEALTH_PORT "$role prints its help"
  once --env HEALTH_PORT=none -- "$role"
  expect 2 health-port "$role refuses a wrong setting"
done
once --entrypoint "$node" --env RENDERERS=none -- "$renderer"
expect 2 RENDERERS "the renderer refuses a wrong setting"
once --entrypoint /usr/bin/id -- -u
expect 0 10001 "it runs as user 10001"

# start NAME [OPTION…] -- ARGUMENT…: starts a container in the background.
start() {
  local name=$1 own=()
  shift
  while [ "$1" != -- ]; do own+=("$1"); shift; done
  shift
  started+=("$name")
  "${engine[@]}" run --detach --name "$name" "${options[@]}" "${own[@]}" "$tag" "$@" >/dev/null
}
# healthy NAME: waits a minute for it.
healthy() {
  local deadline=$((SECONDS + 60))
  until "${engine[@]}" exec "$1" /usr/lib/almijara/healthy 2>/dev/null; do
    if [ $SECONDS -ge $deadline ]; then
      "${engine[@]}" logs "$1" >&2 || true
      fail "$1 does not become healthy"
    fi
    sleep 0.2
  done
  echo "ok  $1 is healthy"
}

site=almijara-image-test-site
nobody=http://127.0.0.1:9
start $site --env QUERY_URL=$nobody --env COMMAND_URL=$nobody --env CONTENT_URL=$nobody --env CONTENT_TOKEN=none \
  --env RENDERER_URL=http://127.0.0.1:8082 -- site
# In the site's network, so that they reach each other.
start $site-renderer --network "container:$site" --entrypoint "$node" --env PORT=8082 --env HEALTH_PORT=8082 \
  --env RENDERERS=1 --env QUERY_URL=$nobody -- "$renderer"
healthy $site
healthy $site-renderer
"${engine[@]}" exec $site "$node" --eval \
  'fetch("http://127.0.0.1:8080/favicon.svg").then(({ status }) => process.exit(status === 200 ? 0 : 1))' ||
  fail "the site does not serve its icon"
echo "ok  the site serves its files"
