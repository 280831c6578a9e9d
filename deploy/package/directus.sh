#!/bin/sh
# Installs the Directus that the lock file beside this script pins, and its Node, next to FOLDER, and replaces FOLDER
# once the installation is complete. Downloads packages from npm; needs npm, g++, make and python3.
# Usage: directus.sh [FOLDER]; almijara-directus.service expects /opt/almijara-directus
set -eu

folder=${1:-/opt/almijara-directus}
here=$(cd "$(dirname "$0")" && pwd)
new=$folder.new
umask 022
# Recover from a run that ended between the two moves.
[ -e "$folder" ] || [ ! -e "$folder.old" ] || mv "$folder.old" "$folder"
rm -rf "$new" "$new.npm"
trap 'rm -rf "$new.npm"' EXIT
cp -R "$here/directus" "$new"
# Keep the site's own extensions.
for extension in "$folder"/extensions/*; do
  [ ! -e "$extension" ] || [ -e "$new/extensions/${extension##*/}" ] || cp -R "$extension" "$new/extensions/"
done
# isolated-vm has to be built by the Node that will load it. Debian's node-gyp works only with Debian's Node, so a
# separate npm with its own node-gyp is installed.
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
