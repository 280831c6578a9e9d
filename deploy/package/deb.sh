#!/usr/bin/env bash
# Makes the Debian package from the build. Does not use cargo-deb, which does not handle the Node half.
# Usage: deploy/package/deb.sh [BINARY]; writes target/debian/almijara_VERSION_ARCH.deb
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
# Each commit's package has a higher version than the previous one's.
if [ -d .git ] || [ -f .git ]; then
  version+="+$(git log -1 --format=%cd --date=format:%Y%m%d%H%M%S).$(git rev-parse --short HEAD)"
fi
architecture=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root" "$root.debian"' EXIT
chmod 755 "$root"

deploy/package/stage.sh "$root" "${1:-target/release/almijara}"

mkdir -p "$root.debian/debian"
echo "Source: almijara" >"$root.debian/debian/control"
libraries=$(cd "$root.debian" && dpkg-shlibdeps -O "$root/usr/bin/almijara" "$root/usr/lib/almijara/node" 2>/dev/null | sed 's/^shlibs:Depends=//')
mkdir "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<CONTROL
Package: almijara
Version: $version
Architecture: $architecture
Maintainer: Almijara <almijara@example.com>
Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
Depends: $libraries, ca-certificates
Recommends: postgresql-client
Suggests: caddy, nats-server, postgresql
Section: web
Priority: optional
Description: website of an estate agency, and the machinery that keeps it fresh
 Editors publish in Directus, and a moment later every visitor sees it, on pages
 served from memory. This package holds every service, the renderer with the Node
 that it needs, and units for systemd; /usr/share/doc/almijara says how to begin.
CONTROL
(cd "$root" && find etc -type f -printf '/%p\n' | sort) >"$root/DEBIAN/conffiles"
install -m 755 "$here/postinst" "$here/prerm" "$here/postrm" "$root/DEBIAN/"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"

mkdir -p target/debian
package=target/debian/almijara_${version}_$architecture.deb
dpkg-deb --root-owner-group --build -Zzstd -z6 "$root" "$package"
