# Almijara. `make up` runs it, `make test` proves it; the rest is for those who work on it.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := up
# `make up PROFILE=release` runs what production runs; to compile that takes twice as long.
PROFILE ?= dev
ALMIJARA = target/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))/almijara
# `--all-targets`, and the tests that start whole stacks.
ALL_TARGETS := --lib --bins --examples --benches --test '*'
SETUP_TEST := a_directus_in_use_is_brought_up_to_date
export CONTENT ?= pack
# The frontend and Directus run on the Node of their own lock files, which is newer than most machines'.
export PATH := $(CURDIR)/frontend/node_modules/.bin:$(PATH)

.PHONY: test-programs test-tools test-parts test-setup test-frontend deploy-check deploy-tools style package up down reset backup restore test check bench verify reconcile rebuild parked doctor types queries prerequisites prerequisites-test binary programs frontend directus schemathesis

# Packages are fetched while the compiler works.
up: prerequisites
	$(MAKE) --jobs=2 programs frontend $(if $(filter directus,$(CONTENT)),directus)
	exec $(ALMIJARA) up

down reset:
	$(ALMIJARA) $@

doctor: binary
	$(ALMIJARA) doctor

# Of what exists nowhere else: `make backup FILE=almijara.backup`, `make restore FILE=almijara.backup`.
backup restore: binary
	set -a; . "$${DATA_DIR:-.data}/operator.env"; exec $(ALMIJARA) $@ $(if $(REPLACE),--replace) $(if $(ALLOW_OLD),--allow-old) "$(FILE)"

verify reconcile rebuild parked: binary
	set -a; . "$${DATA_DIR:-.data}/operator.env"; exec $(ALMIJARA) $@

# Clippy's driver builds what is tested: it is linted on the way, and no package is compiled a second time.
test: export RUSTC_WORKSPACE_WRAPPER := clippy-driver
test: export CLIPPY_ARGS := -Dwarnings__CLIPPY_HACKERY__
# Nothing is compiled a second time: what would make that faster would only make the first time slower.
test: export CARGO_INCREMENTAL := 0
# A test's error says what failed; where in the runtime it was made would only bury it.
test: export RUST_LIB_BACKTRACE := 0
# Stacks side by side are slow. What a test waits for ends the wait: only what never comes is told later.
test: export STACK_PATIENCE := 4
# The stage before the journeys builds it, so that they have both cores.
test: export CATALOGUE_IS_BUILT := 1
test: prerequisites-test
# What is fetched and built for npm and Python waits for the network much of the time.
	$(MAKE) --jobs=2 test-programs test-tools
	$(MAKE) --jobs=3 test-parts test-setup test-frontend
# The stacks print much: what failed is said once more at the end.
	mkdir -p target/tmp
	cargo test --workspace --locked --no-fail-fast --test journeys --test system 2>&1 | tee target/tmp/stacks.log || \
		{ grep --text --after-context=8 '^Error: \|panicked at' target/tmp/stacks.log; exit 1; }

test-programs:
	cargo test --workspace $(ALL_TARGETS) --locked --no-run

# All but whole stacks. These tests wait for servers more than they compute. No example in the documentation
# is there to be run.
test-parts:
	RUST_TEST_THREADS=8 cargo test --workspace --tests --locked --no-fail-fast -- --skip $(SETUP_TEST)

# One test that waits for its Directus all along: the others need not wait for it.
test-setup:
	cargo test --workspace --locked --test setup $(SETUP_TEST)

test-frontend:
	npm --prefix frontend test
	npm --prefix frontend run test:console
	npm --prefix frontend run build:catalogue

# What is looked at in deploy/ starts Directus too, once that is whole.
test-tools: deploy-tools directus
	$(MAKE) style schemathesis

check: prerequisites style
	cargo clippy --workspace $(ALL_TARGETS) --locked -- -D warnings
	cargo test --workspace --locked --test openapi --test layers

# What can be seen without building Rust.
style: frontend
	cargo fmt --all --check
	npm --prefix frontend run check
	deploy/check.sh

# What is under deploy/, with the tools that this machine has; it says which it lacks.
deploy-check: deploy-tools
	deploy/check.sh

# The Debian package of what runs in production.
package: override PROFILE := release
package: binary frontend
	deploy/package/deb.sh

prerequisites:
	@deploy/prerequisites.sh run

prerequisites-test:
	@deploy/prerequisites.sh test

binary: prerequisites
	cargo build --profile $(PROFILE) --locked --bin almijara

# With the trace viewer and the mail catcher, which production does not have.
programs: prerequisites
	cargo build --profile $(PROFILE) --locked --bin almijara --bin trace-viewer --bin mail-catcher

frontend: frontend/build/client/.built

frontend/node_modules/.installed: frontend/package-lock.json
	npm --prefix frontend ci --no-audit --no-fund
	touch $@

# The visitors' pages, and the operators' console beside them.
frontend/build/client/.built: frontend/node_modules/.installed $(shell find frontend/app frontend/console frontend/public frontend/*.ts frontend/*.js -type f 2>/dev/null)
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

# What PyPI has of the tools of deploy/check.sh.
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

# After a change of a checked statement, a migration or a table.
queries: prerequisites
	deploy/checked-queries.sh

bench: override PROFILE := release
bench: binary frontend directus
	cargo bench --bench search
	cargo bench --bench publish
	cargo bench --bench alerts
	cargo bench --bench tracing
