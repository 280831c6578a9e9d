#!/usr/bin/env bash
# Checks the files under deploy/ with the tools installed on this machine, and lists what it could not check.
# `make deploy-tools` installs the tools that PyPI has.
# Fails if a check fails, and with --all also if something could not be checked.
# Usage: deploy/check.sh [--all]
set -uo pipefail
shopt -s extglob

cd "$(dirname "$0")" || exit
# The tools that `make` installs, and Debian's folder of servers.
target=$PWD/../target
PATH=$target/deploy-tools/bin:$target/caddy/usr/bin:$target/prometheus/usr/bin:$PATH:/usr/sbin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
unchecked=()

# check WHAT COMMAND…: runs the command, and shows its output if it fails.
check() {
  local what=$1
  shift
  if "$@" >"$work/output" 2>&1; then
    echo "ok         $what"
  else
    echo "WRONG      $what"
    sed 's/^/           /' "$work/output"
    wrong=1
  fi
}

# having TOOL WHAT: whether TOOL is installed; if not, reports WHAT as unchecked.
having() {
  command -v "$1" >/dev/null && return
  echo "unchecked  $2: $1 is not installed"
  unchecked+=("$2")
  return 1
}

# A copy of everything that kustomize and compose read, with dummy secrets.
cp -RL compose kubernetes nats postgres caddy "$work"
MODE=444 ./secrets.sh "$work/secrets" 2>/dev/null
echo smtps://user:password@mail.example.com >"$work/secrets/smtp-url"

check "systemd starts a role again however often it has ended" \
  grep --quiet --line-regexp StartLimitIntervalSec=0 systemd/almijara-.service.d/10-hardening.conf
if having systemd-analyze "the units' exposure"; then
  for unit in systemd/almijara-*.service; do
    check "$unit is exposed below 2.0" systemd-analyze security --offline=true --threshold=20 "$unit"
  done
fi

if having nats-server "NATS's configuration"; then
  cp "$work/secrets/nats-passwords.conf" "$work/nats/passwords.conf"
  sed -i "s#/var/lib/nats#$work/streams#" "$work"/nats/jetstream*.conf
  for configuration in server cluster; do
    check "nats/$configuration.conf" nats-server -t -c "$work/nats/$configuration.conf" --name check
  done
  if [[ $(nats-server --version) =~ v2\.[0-9]\. ]]; then
    echo "unchecked  nats/jetstream-synced.conf: nats-server is older than 2.10"
    unchecked+=("nats/jetstream-synced.conf")
  else
    cp "$work/nats/jetstream-synced.conf" "$work/nats/jetstream.conf"
    check nats/jetstream-synced.conf nats-server -t -c "$work/nats/server.conf"
  fi
fi

if having caddy "the Caddyfile"; then
  check caddy/Caddyfile env SITE_HOST=www.example.com STUDIO_HOST=studio.example.com \
    caddy validate --adapter caddyfile --config caddy/Caddyfile
fi

if having haproxy "HAProxy's configuration"; then
  check postgres/haproxy.cfg haproxy -c -f postgres/haproxy.cfg
fi

# One of these tools parses the files; podman-compose only needs Podman to report a version.
compose=()
if docker compose version >/dev/null 2>&1; then
  compose=(docker compose)
elif command -v podman-compose >/dev/null; then
  compose=(podman-compose)
  if ! command -v podman >/dev/null; then
    mkdir "$work/podman"
    printf '#!/bin/sh\necho podman version 4.3.1\n' >"$work/podman/podman"
    chmod +x "$work/podman/podman"
    compose=(env PATH="$work/podman:$PATH" podman-compose)
  fi
fi
if [ ${#compose[@]} -gt 0 ] || having podman-compose "the compose files"; then
  every=(--profile observability --profile setup --profile backup --profile restore --profile operator --profile import config)
  check compose/compose.yaml "${compose[@]}" --env-file "$work/compose/env.example" \
    -f "$work/compose/compose.yaml" "${every[@]}"
  check compose/several.yaml "${compose[@]}" --env-file "$work/compose/env.example" \
    -f "$work/compose/compose.yaml" -f "$work/compose/several.yaml" "${every[@]}"
  check compose/bounces.yaml env BOUNCE_ADDRESS=bounce@mail.example.com "${compose[@]}" \
    --env-file "$work/compose/env.example" -f "$work/compose/compose.yaml" -f "$work/compose/bounces.yaml" "${every[@]}"
  # Without IPv6 inside, all visitors over IPv6 would count as one.
  visitors_keep_their_addresses() {
    "${compose[@]}" --env-file "$work/compose/env.example" -f "$work/compose/compose.yaml" config |
      grep "enable_ipv6: true"
  }
  check "compose/compose.yaml lets visitors over IPv6 keep their addresses" visitors_keep_their_addresses
  # The office opens enquiries at this address; the program's default is a host name inside Docker.
  the_office_finds_the_studio() {
    "${compose[@]}" --env-file "$work/compose/env.example" -f "$work/compose/compose.yaml" config |
      sed -n '/^  command:$/,/^  [a-z]/p' | grep "STUDIO_URL: https://studio.example.com$"
  }
  check "compose/compose.yaml has mails lead to the Studio" the_office_finds_the_studio
fi

if having promtool "Prometheus's configuration"; then
  # Laid out as compose mounts it in the container.
  mkdir "$work/prometheus"
  cp compose/observability/prometheus.yaml "$work/prometheus/prometheus.yml"
  cp -R observability/rules "$work/prometheus/rules"
  check compose/observability/prometheus.yaml promtool check config "$work/prometheus/prometheus.yml"
fi

if having kubectl "the Kustomize base"; then
  # A copy of the example, made by the commands in the documentation.
  mkdir "$work/deploy" && cp -R "$work/kubernetes" "$work/deploy"
  as_the_page_says() (
    cd "$work" || exit
    eval "$(sed -n '/^ *cp -R deploy/p; /^ *sed -i /p' "$OLDPWD/docs/kubernetes.md")"
    cp -R "$work/secrets" . && kubectl kustomize . --output "$work/kubernetes.yaml"
  )
  check "kubernetes/example builds as docs/kubernetes.md says" as_the_page_says
  # Also with the commented-out options enabled.
  with_what_is_in_comments() {
    sed -i 's/^\( *\)# \([- ]\|patches:\)/\1\2/' "$work/my-site/kustomization.yaml"
    kubectl kustomize "$work/my-site" --output "$work/kubernetes-with-all.yaml"
  }
  check "kubernetes/example builds with what it has in comments" with_what_is_in_comments
fi
if having kubernetes-validate "Kubernetes's objects"; then
  # The output of kustomize; without it, the source files except the patches for every role and job.
  objects=("$work"/kubernetes*.yaml)
  [ -e "$work/kubernetes.yaml" ] || objects=(kubernetes/*/!(kustomization|every-role|every-job).yaml)
  check "Kubernetes's objects are valid" kubernetes-validate --strict "${objects[@]}"
fi

check "a second run of secrets.sh changes nothing" ./secrets.test.sh
check "tell-bounce.sh tells the write side, and no secret to others" ./tell-bounce.test.sh
check "package/backup.sh" package/backup.test.sh
check "an upgrade of the package ends no role that could not start again" package/postinst.test.sh
check "package/directus.sh goes on where it was ended" package/directus.test.sh

# A unit does not start unless every secret that it names exists.
each_secret_is_made() {
  local secret
  while read -r secret; do
    [ -s "$work/secrets/${secret##*/}" ] || { echo "secrets.sh makes no ${secret##*/}"; return 1; }
  done < <(grep --no-filename --only-matching '/etc/almijara/secrets/[a-z-]*' systemd/*.service package/operator.env)
}
check "the secrets that the package names are made by secrets.sh" each_secret_is_made

# lacks SERVICES FILE…: lists variables that compose sets for one of SERVICES and that no file has.
lacks() {
  local name names
  names=$(sed -nE "/^  ($1):\$/,/^    (volumes|secrets):/s/^      ([A-Z_]+):.*/\1/p" compose/compose.yaml | sort -u)
  [ -n "$names" ] || echo "compose tells $1 nothing that is found"
  for name in $names; do
    grep -qE "(^|[ =])$name=" "${@:2}" || echo "$name is told in compose alone"
  done
}
tells_as_much() {
  { lacks directus systemd/almijara-directus.service package/etc/directus.env
    lacks "directus-setup|backup|restore|operator|import" package/operator.env package/etc/backup.env; } >"$work/lacking"
  cat "$work/lacking"
  [ ! -s "$work/lacking" ]
}
check "the package tells Directus and operators' commands the same variables as compose" tells_as_much

if having node "the first content"; then
  the_first_content() {
    node package/first-content.mjs "$work/content" || return
    grep --quiet '"slug": "privacy"' "$work/content/pages.json" || { echo "there is no page about privacy"; return 1; }
    [ ! -e "$work/content/properties.json" ] || { echo "there are homes of the sample"; return 1; }
    ! grep --recursive --files-with-matches borrador-secreto "$work/content" || { echo "there are drafts"; return 1; }
  }
  check "a site begins with pages and without homes" the_first_content
fi

# Directus exits because its database address is closed, and prints that address.
if having directus/node_modules/.bin/node "what Directus is told"; then
  believes_the_environment() (
    directus=$PWD/directus
    mkdir "$work/beside" && cd "$work/beside" || exit
    echo DB_CONNECTION_STRING=postgres://directus@127.0.0.1:1/directus >.env
    export DB_CONNECTION_STRING=postgres://directus@127.0.0.1:2/directus SECRET=a-secret-of-forty-characters-for-sessions
    export ADMIN_EMAIL=admin@example.com ADMIN_PASSWORD=none WEBHOOK_URL=http://127.0.0.1:9/ WEBHOOK_SECRET=none
    grep "ECONNREFUSED 127.0.0.1:2" <("$directus/node_modules/.bin/node" "$directus/start.mjs" 2>&1)
  )
  check "Directus believes its environment, and no .env of its folder" believes_the_environment
fi

# What git ignores as local to a site is in no image: settings, secrets, backups, uploads.
without_a_site_s_own() {
  local name
  while read -r name; do
    grep -qxE "(deploy/compose|[*][*])/${name%/}" ../.containerignore || { echo "lacks deploy/compose/$name"; return 1; }
  done <compose/.gitignore
  while read -r name; do
    grep -qxF "${name%/}" directus/.containerignore || { echo "lacks deploy/directus/$name"; return 1; }
  done <directus/.gitignore
  while read -r name; do
    grep -qxE "([*][*]/)?${name%/}" ../.containerignore || { echo "lacks $name"; return 1; }
  done <../.gitignore
}
check "the images are made without what is a site's own" without_a_site_s_own

# A rollback needs images with a tag of their own for each version.
images_of_this_version() {
  local version
  version=$(sed -n 's/^version = "\(.*\)"/\1/p' ../Cargo.toml | head -1)
  grep --quiet --line-regexp "ALMIJARA_IMAGE=almijara:$version" compose/env.example &&
    grep --quiet --line-regexp "DIRECTUS_IMAGE=almijara-directus:$version" compose/env.example
}
check "compose/env.example names the images of this version" images_of_this_version

if having shellcheck "the shell scripts"; then
  check "shell scripts" shellcheck ./*.sh package/*.sh package/post* package/prerm postgres/*.sh container/*.sh
fi

[ $wrong = 0 ] || exit 1
if [ "${1:-}" = --all ] && [ ${#unchecked[@]} -gt 0 ]; then exit 1; fi
