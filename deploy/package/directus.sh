#!/bin/sh
# Installs the Directus that the lock file beside this pins, and the Node that runs it, into FOLDER, beside the one
# that is there; it takes its place once it is whole. Fetches npm's packages; needs npm, g++, make and python3.
# Usage: directus.sh [FOLDER], which almijara-directus.service looks for in /opt/almijara-directus
set -eu

folder=${1:-/opt/almijara-directus}
here=$(cd "$(dirname "$0")" && pwd)
new=$folder.new
umask 022
# A run that ended between the two moves.
[ -e "$folder" ] || [ ! -e "$folder.old" ] || mv "$folder.old" "$folder"
rm -rf "$new" "$new.npm"
trap 'rm -rf "$new.npm"' EXIT
cp -R "$here/directus" "$new"
# Extensions of one's own stay.
for extension in "$folder"/extensions/*; do
  [ ! -e "$extension" ] || [ -e "$new/extensions/${extension##*/}" ] || cp -R "$extension" "$new/extensions/"
done
# What builds isolated-vm runs on the Node that will load it, and Debian's node-gyp finds its parts by Debian's own alone:
# an npm of npm's brings another.
npm install --loglevel=error --no-audit --no-fund --prefix "$new.npm" npm@11
cd "$new"
for task in ci "run build"; do
  # shellcheck disable=SC2086
  "$here/../../lib/almijara/node" "$new.npm/node_modules/npm/bin/npm-cli.js" $task
done
rm -rf "$folder.old"
[ ! -e "$folder" ] || mv "$folder" "$folder.old"
mv "$new" "$folder"
echo "Directus is in $folder; systemctl restart almijara-directus runs it" >&2
