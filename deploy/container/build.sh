#!/usr/bin/env bash
# Builds the image without a registry: from this machine's build, on a base image that mmdebstrap makes from
# Debian's packages. Needs buildah, mmdebstrap and what deploy/package/stage.sh needs.
# Usage: deploy/container/build.sh [TAG] [BINARY]; SUITE (trixie) has to be no older than this machine.
set -euo pipefail

cd "$(dirname "$0")/../.."
tag=${1:-almijara}
binary=${2:-target/release/almijara}
suite=${SUITE:-trixie}
# Works without overlay file systems and cgroups of its own, as inside a container.
buildah=(buildah --storage-driver "${STORAGE_DRIVER:-overlay}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# image_of NAME FOLDER|ARCHIVE PLACE: makes an image that contains nothing else.
image_of() {
  local container
  container=$("${buildah[@]}" from scratch)
  "${buildah[@]}" add --quiet "$container" "$2" "$3" >/dev/null
  "${buildah[@]}" commit --quiet --rm "$container" "$1" >/dev/null
}

deploy/package/stage.sh "$work/package" "$binary"
image_of localhost/almijara-package "$work/package" /package
mmdebstrap --quiet --variant=apt "$suite" "$work/base.tar"
image_of "localhost/almijara-base:$suite" "$work/base.tar" /
mkdir "$work/nothing"
"${buildah[@]}" bud --isolation "${ISOLATION:-chroot}" --format docker \
  --build-arg BASE="localhost/almijara-base:$suite" --build-arg PACKAGE=localhost/almijara-package \
  --file deploy/container/Containerfile --tag "$tag" "$work/nothing"
