#!/usr/bin/env bash
# Copies everything that production needs into a folder, from which both the Debian package and the container
# image are made. Needs the release build and the frontend (`make binary frontend PROFILE=release`), npm
# and git.
# Usage: deploy/package/stage.sh FOLDER [BINARY]
set -euo pipefail

cd "$(dirname "$0")/../.."
root=$(realpath -m "${1:?usage: stage.sh FOLDER [BINARY]}")
binary=${2:-target/release/almijara}
frontend=$root/usr/share/almijara/frontend
documents=$root/usr/share/doc/almijara

fail() { echo "stage: $*" >&2; exit 1; }
[ -x "$binary" ] || fail "$binary is not built; \`make binary PROFILE=release\` builds it"
[ -d frontend/build/client ] || fail "frontend/build is not there; \`make frontend\` builds it"
[ -e frontend/build/console/index.html ] || fail "the console is not built; \`make frontend\` builds it"
[ -z "$(ls -A "$root" 2>/dev/null)" ] || fail "$root is not empty"

put() { install -D -m "$1" "$2" "$3"; }

put 755 "$binary" "$root/usr/bin/almijara"
# Debug information stays with the build, since it is twice the size of the program.
strip --strip-debug "$root/usr/bin/almijara"
put 755 deploy/package/backup.sh "$root/usr/lib/almijara/backup"
put 755 deploy/package/healthy.sh "$root/usr/lib/almijara/healthy"
# The Node that the frontend's lock file pins, since Debian's is too old for the frontend.
put 755 "$(realpath frontend/node_modules/node/bin/node)" "$root/usr/lib/almijara/node"

mkdir -p "$frontend/tools/api-types"
cp -R frontend/{server,settings,log}.js frontend/package.json frontend/package-lock.json frontend/build "$frontend/"
cp frontend/tools/api-types/package.json "$frontend/tools/api-types/"
npm --prefix "$frontend" ci --omit=dev --omit=peer --omit=optional --ignore-scripts --no-audit --no-fund --silent
rm -rf "$frontend/package-lock.json" "$frontend/tools" "$frontend/node_modules/.package-lock.json" \
  "$frontend/node_modules/@almijara" "$frontend/build/client/.built" "$frontend/build/console/.built"
# Keep only the runtime files of the packages: no types, source maps or dangling links.
find "$frontend/node_modules" -xtype l -delete
find "$frontend/node_modules" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

for unit in deploy/systemd/*.service deploy/systemd/*.target deploy/systemd/*.timer; do
  put 644 "$unit" "$root/usr/lib/systemd/system/$(basename "$unit")"
done
put 644 deploy/systemd/almijara-.service.d/10-hardening.conf \
  "$root/usr/lib/systemd/system/almijara-.service.d/10-hardening.conf"
put 644 deploy/systemd/tmpfiles.conf "$root/usr/lib/tmpfiles.d/almijara.conf"
for settings in deploy/package/etc/*.env; do
  put 644 "$settings" "$root/etc/almijara/$(basename "$settings")"
done
for file in postgres/roles.sql postgres/grants.sql nats/{accounts,server,cluster,jetstream,jetstream-synced}.conf caddy/Caddyfile; do
  put 644 "deploy/$file" "$root/usr/share/almijara/$file"
done
put 755 deploy/secrets.sh "$root/usr/share/almijara/secrets.sh"
put 755 deploy/tell-bounce.sh "$root/usr/share/almijara/tell-bounce.sh"
put 644 deploy/package/operator.env "$root/usr/share/almijara/operator.env"
for script in accounts replica; do
  put 755 "deploy/postgres/$script.sh" "$root/usr/share/almijara/postgres/$script.sh"
done
# The installer of Directus, which downloads packages from npm on the target machine.
put 755 deploy/package/directus.sh "$root/usr/share/almijara/directus.sh"
for file in .npmrc package.json package-lock.json build-native.mjs secrets.mjs start.mjs env.example; do
  put 644 "deploy/directus/$file" "$root/usr/share/almijara/directus/$file"
done
cp -R --no-preserve=ownership deploy/directus/extensions "$root/usr/share/almijara/directus/"
frontend/node_modules/node/bin/node deploy/package/first-content.mjs "$root/usr/share/almijara/content"
for page in deploy/docs/* deploy/mail.md CHANGELOG.md; do
  put 644 "$page" "$documents/$(basename "$page")"
done
put 644 deploy/directus/README.md "$documents/directus/README.md"
cp -R --no-preserve=ownership deploy/observability "$documents/"
# In the package the pages are beside the folders that they link to.
sed -i 's#](\.\./\(directus/\|observability/\|mail\.md\)#](\1#g; s#](docs/#](#g' "$documents"/*.md
sed -i 's#](\.\./docs/#](../#g' "$documents/directus/README.md" "$documents/observability/README.md"
sed -i 's#](\.\./\.\./docs/#](../../#g' "$documents"/observability/runbooks/*.md
sed -i 's#](deploy/docs/#](#g; s#](deploy/#](#g' "$documents/CHANGELOG.md"
while IFS=: read -r page link; do
  target=${link#](} target=${target%)}
  [ -e "$(dirname "$page")/${target%%#*}" ] || fail "$page leads to $target, which is not there"
done < <(grep -roE --include='*.md' '\]\([^):#]+(#[^)]*)?\)' "$documents")
put 644 LICENSE-MIT "$documents/copyright"
# The fonts of pages and of sharing pictures have their own licences.
cat LICENSE-APACHE services/shared/pictures/fonts/LICENSE-*.txt >>"$documents/copyright"

# Software bills of materials for scanners: of the frontend by npm, of the program if cargo-cyclonedx is installed.
sbom=$root/usr/share/almijara/sbom
mkdir -p "$sbom"
npm --prefix frontend sbom --sbom-format cyclonedx --omit dev --package-lock-only >"$sbom/frontend.cdx.json" ||
  fail "npm $(npm --version) can't list what the pages are made of; npm 10 or newer can"
if command -v cargo-cyclonedx >/dev/null; then
  cargo cyclonedx --manifest-path services/almijara/Cargo.toml --format json --override-filename almijara-program --quiet
  install -D -m 644 services/almijara/almijara-program.json "$sbom/almijara.cdx.json"
  find . -name almijara-program.json -not -path './target/*' -delete
else
  echo "stage: cargo-cyclonedx is not installed: no list of the program's parts" >&2
fi
