# Almijara. `make up` runs it and `make test` tests everything; the other targets are for development.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := up
# `make up PROFILE=release` runs the build for production, which takes twice as long to compile.
PROFILE ?= dev
ALMIJARA = target/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))/almijara
# Everything that `--all-targets` includes, and the tests that start complete stacks.
ALL_TARGETS := --lib --bins --examples --benches --test '*'
SETUP_TEST := a_directus_in_use_is_brought_up_to_date
export CONTENT ?= pack
# The frontend and Directus run on the Node versions of their lock files, which are newer than those of most
# machines.
export PATH := $(CURDIR)/frontend/node_modules/.bin:$(PATH)

.PHONY: test-programs test-tools test-parts test-setup test-frontend deploy-check deploy-tools style package image-test up down reset backup restore test check bench verify reconcile rebuild parked doctor types queries prerequisites prerequisites-test binary programs frontend directus schemathesis

# npm packages are fetched while Rust compiles.
up: prerequisites
	$(MAKE) --jobs=2 programs frontend $(if $(filter directus,$(CONTENT)),directus)
	exec $(ALMIJARA) up

# By whichever build there is, since they stop each other's processes.
down reset:
	$(firstword $(wildcard $(ALMIJARA) target/*/almijara) $(ALMIJARA)) $@

doctor: binary
	$(ALMIJARA) doctor

# Back up and restore the data that exists nowhere else: `make backup FILE=almijara.backup`, `make restore
# FILE=almijara.backup`.
backup restore: binary
	set -a; . "$${DATA_DIR:-.data}/operator.env"; exec $(ALMIJARA) $@ $(if $(REPLACE),--replace) $(if $(ALLOW_OLD),--allow-old) "$(FILE)"

verify reconcile rebuild parked: binary
	set -a; . "$${DATA_DIR:-.data}/operator.env"; exec $(ALMIJARA) $@

# Clippy's driver compiles what is tested. So the code is linted during the build, and no package is compiled
# twice.
test: export RUSTC_WORKSPACE_WRAPPER := clippy-driver
test: export CLIPPY_ARGS := -Dwarnings__CLIPPY_HACKERY__
# Nothing is compiled twice here, and incremental compilation would only slow down the first build.
test: export CARGO_INCREMENTAL := 0
# The errors of tests state what failed; backtraces would only hide that.
test: export RUST_LIB_BACKTRACE := 0
# Stacks that run in parallel are slow, so timeouts are multiplied by four. Tests that pass don't take longer
# for it: a longer timeout only delays the report of a failure.
test: export STACK_PATIENCE := 4
# `test-frontend` builds the catalogue before the journeys start, so that they have both cores.
test: export CATALOGUE_IS_BUILT := 1
test: prerequisites-test
# Fetching npm and Python packages mostly waits for the network.
	$(MAKE) --jobs=2 test-programs test-tools
	$(MAKE) --jobs=3 test-parts test-setup test-frontend
# The stacks print a lot, so failures are repeated at the end. A stack often waits for its servers, so three
# keep two cores busy.
	mkdir -p target/tmp
	RUST_TEST_THREADS=3 cargo test --workspace --locked --no-fail-fast --test journeys --test system 2>&1 | tee target/tmp/stacks.log || \
		{ grep --text --after-context=8 '^Error: \|panicked at' target/tmp/stacks.log; exit 1; }

test-programs:
	cargo test --workspace $(ALL_TARGETS) --locked --no-run

# All tests except those of complete stacks. They wait for servers more than they compute. Doctests are skipped,
# because no example in the documentation is meant to run.
test-parts:
	RUST_TEST_THREADS=8 cargo test --workspace --tests --locked --no-fail-fast -- --skip $(SETUP_TEST)

# The one test that waits for its Directus all the time runs separately, so that others don't wait for it.
test-setup:
	cargo test --workspace --locked --test setup $(SETUP_TEST)

test-frontend:
	npm --prefix frontend test
	npm --prefix frontend run test:console
	npm --prefix frontend run build:catalogue

# The checks of deploy/ start Directus too, once it is installed.
test-tools: deploy-tools directus
	$(MAKE) style schemathesis

check: prerequisites style
	cargo clippy --workspace $(ALL_TARGETS) --locked -- -D warnings
	cargo test --workspace --locked --test openapi --test layers

# The checks that don't need a Rust build.
style: frontend
	cargo fmt --all --check
	npm --prefix frontend run check
	deploy/check.sh

# Checks deploy/ with the tools that are installed on this machine, and reports the missing ones.
deploy-check: deploy-tools
	deploy/check.sh

# The Debian package for production.
package: override PROFILE := release
package: binary frontend
	deploy/package/deb.sh

# Builds the container image and runs it. Needs buildah, mmdebstrap, and Podman or Docker.
image-test: override PROFILE := release
image-test: binary frontend
	deploy/container/test.sh

prerequisites:
	@deploy/prerequisites.sh run

prerequisites-test:
	@deploy/prerequisites.sh test

binary: prerequisites
	cargo build --profile $(PROFILE) --locked --bin almijara

# The binary, the trace viewer and the mail catcher.
programs: prerequisites
	cargo build --profile $(PROFILE) --locked --bin almijara --bin trace-viewer --bin mail-catcher

frontend: frontend/build/client/.built

frontend/node_modules/.installed: frontend/package-lock.json
	npm --prefix frontend ci --no-audit --no-fund
	touch $@

# The visitors' pages and the operators' console.
frontend/build/client/.built: frontend/node_modules/.installed $(shell find frontend/app frontend/console frontend/public frontend/scripts frontend/*.ts frontend/*.js -type f 2>/dev/null)
	npm --prefix frontend run build
	touch $@

directus: deploy/directus/node_modules/.installed

deploy/directus/node_modules/.installed: deploy/directus/package-lock.json
	npm --prefix deploy/directus ci --no-audit --no-fund
	npm --prefix deploy/directus run build
	touch $@

schemathesis: target/schemathesis/.installed

target/schemathesis/.installed: services/almijara/tests/system/api-description/requirements.txt
	python3 -m venv --clear target/schemathesis
	target/schemathesis/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	touch $@

# The tools of deploy/check.sh that PyPI has.
deploy-tools: target/deploy-tools/.installed

target/deploy-tools/.installed: deploy/check-requirements.txt
	python3 -m venv --clear target/deploy-tools
	target/deploy-tools/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	touch $@

types: prerequisites
	UPDATE_OPENAPI=1 cargo test --workspace --locked --test openapi
	UPDATE_VOCABULARY=1 cargo test --workspace --locked --test vocabulary
	UPDATE_OBSERVABILITY=1 cargo test --workspace --locked --test observability made_of
	npm --prefix frontend run api:types

# Run this after changing a checked statement, a migration or a table.
queries: prerequisites
	deploy/checked-queries.sh

bench: override PROFILE := release
bench: binary frontend directus
	cargo bench --bench search
	cargo bench --bench publish
	cargo bench --bench alerts
	cargo bench --bench tracing
