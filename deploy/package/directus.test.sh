#!/usr/bin/env bash
# Tests directus.sh after a run that ended between its two moves, with fake npm and Node.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$*" >&2; exit 1; }

share=$work/usr/share/almijara
mkdir -p "$share/directus/extensions/almijara-map" "$work/usr/lib/almijara" "$work/bin"
cp "$here/directus.sh" "$share"
for program in "$work/bin/npm" "$work/usr/lib/almijara/node"; do
  printf '#!/bin/sh\n' >"$program"
  chmod +x "$program"
done

folder=$work/opt/almijara-directus
mkdir -p "$folder.old/extensions/our-own" "$folder.new/extensions" "$folder.new.npm"
PATH=$work/bin:$PATH "$share/directus.sh" "$folder" 2>"$work/said" || fail "$(cat "$work/said")"
for extension in almijara-map our-own; do
  [ -d "$folder/extensions/$extension" ] || fail "$extension is lost"
done
[ -d "$folder.old/extensions/our-own" ] || fail "the one before is lost"
[ ! -e "$folder.new" ] && [ ! -e "$folder.new.npm" ] || fail "what is half done was left"
