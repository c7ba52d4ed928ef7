# `make` prints the targets with their ## sentences.
PYTHON ?= python3
CARDS ?= examples/a2a-hybrid.card.json
SECONDS ?= 1800
PORT ?= 4000
SPEC ?=
WORKERS ?= auto
COVERED ?= 85
BIN := .venv/bin
READY := .venv/.ready
# Environment for `make run` and `make serve`: .venv if it is ready, else .venv-run without the development tools.
RUN := $(if $(wildcard $(READY)),.venv,.venv-run)
RUN_READY := $(RUN)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup run serve test test-all test-slow test-cluster test-properties coverage check check-installs check-deploy dist lint types generate check-generated conformance fix-table fuzz hostile js-peer old-sdk-peer interop interop-peers conformance-peers conformance-results seeds bench docs docs-outputs schemas kit npm site spec-drift requirements tck clean

help: ## Print the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 20

setup: $(READY) ## Create .venv with the project, the development tools and the test dependencies

$(READY): requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "cardwright requires Python 3.11 or later. Select one: make $(or $(MAKECMDGOALS),setup) PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.venv-run/.ready: requirements/run.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "cardwright requires Python 3.11 or later. Select one: make $(or $(MAKECMDGOALS),run) PYTHON=python3.11" >&2; exit 1; }
	@echo "Installing the gateway and the card server into .venv-run (once) ..."
	@started=$$(date +%s) && $(PYTHON) -m venv .venv-run \
	  && .venv-run/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements/run.txt \
	  && .venv-run/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . \
	  && echo "Installed $$(du -sm .venv-run | cut -f1) MB in $$(($$(date +%s) - started)) s"
	@touch $@

run: $(RUN_READY) ## Start the gateway with four example agents on PORT=4000; open / in a browser
	@$(RUN)/bin/python examples/gateway/run.py $(PORT)

serve: $(RUN_READY) ## Serve an example card, or CARDS=path, on PORT=4000, as JSON and as an HTML page
	@$(RUN)/bin/cardwright serve --watch --port $(PORT) $(CARDS)

# pytest caches rewritten assertions even if the environment disables compiled files.
test test-all test-slow test-cluster test-properties coverage conformance fuzz hostile: export PYTHONDONTWRITEBYTECODE =

test: $(READY) ## Run the fast tests; they need no other process, browser or database server
	$(BIN)/python -m pytest -p no:schemathesis --tier fast -n $(WORKERS) -q --durations 10 --durations-min 1

test-all: $(READY) ## Run all tests except the cluster tests; find or start PostgreSQL and Redis
	$(BIN)/python -m tests.services $(BIN)/python -m pytest --tier all -n $(WORKERS) -q

test-slow: $(READY) ## Run the tests of test-all that are not in test
	$(BIN)/python -m tests.services $(BIN)/python -m pytest --tier slow -n $(WORKERS) -q

test-cluster: $(READY) ## Run the cluster tests, which kill and restart processes, with PostgreSQL and Redis
	$(BIN)/python -m tests.services $(BIN)/python -m pytest --tier cluster -q

test-properties: $(READY) ## Run the property tests of the fast tier with 200 documents each
	HYPOTHESIS_PROFILE=ci $(BIN)/python -m pytest -p no:schemathesis --tier fast -m hypothesis -n $(WORKERS) -q

coverage: $(READY) ## Run the fast tests; fail if they cover less than COVERED % of the statements in src
	HYPOTHESIS_PROFILE=coverage $(BIN)/python -m pytest -p no:schemathesis --tier fast -n $(WORKERS) -q --cov=src --cov-report=term:skip-covered --cov-fail-under=$(COVERED)

check-installs: $(READY) ## Build the wheel; test the base install and every extra in separate environments
	$(BIN)/python -m tests.installs

.venv-deploy/.ready: requirements/deploy.txt
	$(PYTHON) -m venv .venv-deploy
	.venv-deploy/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/deploy.txt
	@touch $@

check-deploy: $(READY) .venv-deploy/.ready ## Lint the Dockerfile, validate the Kubernetes manifests, and run the commands of the Dockerfile
	$(BIN)/python -m tests.deploy.checked

dist: $(READY) ## Build the wheel and the source distribution twice, check them, and write checksums and a bill of materials
	$(BIN)/python -m tests.distribution

check: $(READY) lint check-generated docs types coverage test-properties test-slow test-cluster check-installs check-deploy dist ## Run everything that CI runs: style, types, generated code, all test tiers, all installs
	@echo "all checks passed"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(READY)
	$(BIN)/mypy
	$(BIN)/pyright

generate: $(READY) ## Generate generated/ from schemas/
	$(BIN)/python -m codegen --pin
	$(BIN)/python -m docs.sitegen reference

check-generated: $(READY) ## Fail with a diff if generated/ is not up to date with schemas/
	$(BIN)/python -m codegen --check
	$(BIN)/python -m codegen.artifacts.published
	$(BIN)/python -m docs.sitegen reference --check

conformance: $(READY) ## Run the conformance cases; also real cards and published schemas if present
	$(BIN)/python -m pytest tests/conformance tests/oracles -q

fix-table: $(READY) ## Print the effect of fixes on real cards, by rule, if the cards are present
	$(BIN)/python -m tests.oracles.fix_table

fuzz: $(READY) ## Test with many random documents, for some minutes
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest tests/properties tests/oracles -q -p no:cacheprovider -n $(WORKERS)

hostile: $(READY) ## Send random hostile requests to a gateway for SECONDS (30 minutes)
	CARDWRIGHT_HOSTILE_SEED=0 CARDWRIGHT_HOSTILE_SECONDS=$(SECONDS) $(BIN)/python -m pytest --tier cluster tests/cluster/hostile -q -s

js-peer: ## Install the JavaScript test dependencies, with hashes from package-lock.json
	npm ci --silent --prefix tests/oracles/js
	npm ci --silent --prefix npm

old-sdk-peer: .venv-a2a-0.3/.ready ## Install a2a-sdk 0.3 for tests, in a separate environment

.venv-a2a-0.3/.ready: tests/gateway/a2a_sdk_0_3/requirements.txt | $(READY)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-a2a-0.3
	VIRTUAL_ENV=$(CURDIR)/.venv-a2a-0.3 $(BIN)/uv pip install --quiet --require-hashes -r tests/gateway/a2a_sdk_0_3/requirements.txt
	@touch $@

ADAPTERS := $(basename $(notdir $(wildcard conformance/adapters/requirements/*.txt)))

conformance-peers: $(ADAPTERS:%=.venv-conformance/%/.ready) ## Install the implementations that `make conformance-results` runs, each in a separate environment
	npm ci --silent --ignore-scripts --prefix conformance/adapters

.venv-conformance/%/.ready: conformance/adapters/requirements/%.txt | $(READY)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-conformance/$*
	VIRTUAL_ENV=$(CURDIR)/.venv-conformance/$* $(BIN)/uv pip install --quiet --require-hashes -r $<
	@touch $@

conformance-results: $(READY) ## Run the conformance kit through the installed implementations and compare with the documentation (WRITE=1 writes docs/pages/explanation/conformance-results.md)
	@$(BIN)/python -m conformance.results $(if $(WRITE),--write)

PEERS := $(basename $(notdir $(wildcard tests/interop/requirements/*.txt)))

interop-peers: $(PEERS:%=.venv-interop/%/.ready) ## Install the SDKs that `make interop` runs, each in a separate environment
	npm ci --silent --ignore-scripts --prefix tests/interop/peers/js

.venv-interop/%/.ready: tests/interop/requirements/%.txt | $(READY)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-interop/$*
	VIRTUAL_ENV=$(CURDIR)/.venv-interop/$* $(BIN)/uv pip install --quiet --require-hashes -r $<
	@touch $@

interop: $(READY) ## Run cardwright with the installed SDKs and compare with the documentation (WRITE=1 writes docs/pages/explanation/interoperability.md)
	@$(BIN)/python -m tests.interop.run $(if $(WRITE),--write)

seeds: $(READY) ## Run what shows each requirement of the five documents (ROW=B7 runs one row, WRITE=1 writes docs/pages/explanation/documents.md)
	@$(BIN)/python -m tests.seeds $(ROW) $(if $(WRITE),--write)

bench: $(READY) ## Run the benchmarks and print the tables
	$(BIN)/python -m benchmarks

docs: $(READY) ## Build the documentation site into dist/site, offline; a warning or a broken link is an error
	$(BIN)/python -m docs.sitegen site

site: $(READY) ## Build dist/public, one static tree for any host: documentation, schemas at the paths of their $$ids, conformance kit
	@$(BIN)/python -m docs.sitegen public

docs-outputs: $(READY) ## Run the commands that README.md and docs/pages show, and write their real output into the pages
	$(BIN)/python -m tests.docs.update README.md SKILL.md $(shell find docs/pages -name '*.md' -not -path '*/reference/*' | sort)

schemas: $(READY) ## Build dist/schemas, the schemas as publishable files
	$(BIN)/python -m codegen.artifacts

kit: $(READY) ## Build dist/cardwright-conformance-VERSION.tar.gz, the conformance kit for other implementations
	@$(BIN)/python -m conformance.build

npm: $(READY) ## Build dist/npm and its archive, the npm package cardwright-schemas: schemas, types and validators for JavaScript
	@test -d npm/node_modules || npm ci --silent --prefix npm
	@$(BIN)/python -m codegen.npm_source dist/npm-source
	@node npm/build.mjs $$($(BIN)/python -c 'from cardwright import __version__; print(__version__)') dist/npm-source dist/npm
	@cd dist/npm && npm pack --silent --pack-destination ..

spec-drift: $(READY) ## Compare SPEC=path (a .proto or an upstream JSON Schema) with the schema here (WRITE=1 edits the schema)
	@test -n "$(SPEC)" || { echo "SPEC is missing: make spec-drift SPEC=path/to/a2a.proto" >&2; exit 2; }
	@$(BIN)/python -m codegen.drift "$(SPEC)" $(if $(DIALECT),--dialect $(DIALECT)) $(if $(WRITE),--write)

requirements: $(READY) ## Update the pinned requirements
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-strip-extras --no-header pyproject.toml --extra gateway --group pyproject.toml:build -o requirements/run.txt
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-strip-extras --no-header pyproject.toml --all-extras --group pyproject.toml:dev -o requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --generate-hashes --no-strip-extras --no-header -c requirements/dev.txt pyproject.toml --extra gateway --extra fast --extra grpc --extra postgresql --extra redis -o requirements/image.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --generate-hashes --no-strip-extras --no-header -c requirements/dev.txt --group pyproject.toml:build -o requirements/build.txt
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-strip-extras --no-header requirements/deploy.in -o requirements/deploy.txt
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-strip-extras --no-header tests/gateway/a2a_sdk_0_3/requirements.in -o tests/gateway/a2a_sdk_0_3/requirements.txt
	for peer in $(ADAPTERS); do $(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-strip-extras --no-header conformance/adapters/requirements/$$peer.in -o conformance/adapters/requirements/$$peer.txt || exit 1; done
	for peer in $(PEERS); do $(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-strip-extras --no-header tests/interop/requirements/$$peer.in -o tests/interop/requirements/$$peer.txt || exit 1; done

tck: $(READY) ## Run the A2A compatibility kit at TCK=path against the gateway (WRITE=1 writes docs/pages/explanation/compatibility-kit.md)
	@test -n "$(TCK)" || { echo "TCK is missing; use a checkout of a2aproject/a2a-tck: make tck TCK=path" >&2; exit 2; }
	@$(BIN)/python -m tests.tck.run "$(TCK)" $(if $(PYTHON_TCK),--python "$(PYTHON_TCK)") $(if $(WRITE),--write)

clean: ## Remove all build products and environments, except generated/
	rm -rf .venv .venv-run .venv-deploy .venv-a2a-0.3 .venv-interop .venv-conformance conformance/adapters/node_modules tests/oracles/js/node_modules tests/interop/peers/js/node_modules npm/node_modules dist build .hypothesis .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
