# `make` prints the targets with their ## sentences. What is called rarely is a line `python -m …` in CONTRIBUTING.md.
PYTHON ?= python3
CARDS ?= examples/a2a-hybrid.card.json
SECONDS ?= 1800
PORT ?= 4000
SPEC ?=
WORKERS ?= auto
OPTIONS ?=
BIN := .venv/bin
READY := .venv/.ready
# An environment for one purpose, unless .venv, which has everything, is there: `make run` takes .venv or .venv-run.
env = $(if $(wildcard $(READY)),.venv,.venv-$(1))
ready = $(call env,$(1))/.ready
ADAPTERS := $(basename $(notdir $(wildcard conformance/adapters/requirements/*.txt)))
PEERS := $(basename $(notdir $(wildcard tests/interop/requirements/*.txt)))

.DEFAULT_GOAL := help
.PHONY: help setup run serve test test-all check nightly lint lowest generate check-generated docs schemas npm bench seeds interop tck conformance-results statements hostile peers js-peers spec-drift requirements clean

help: ## Print the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 16

# Environments

.venv/.ready: requirements/dev.txt pyproject.toml
.venv-run/.ready: requirements/run.txt pyproject.toml
.venv-test/.ready: requirements/test.txt pyproject.toml
.venv-generate/.ready: requirements/generate.txt pyproject.toml
.venv-docs/.ready: requirements/docs.txt pyproject.toml

# The distributions of this repository beside the models, which an editable install of the first has.
OWN := . src/cardwright_beach src/cardwright_gateway
install = $(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r $(1)
# uv does not read pip's settings: where only those name the index, pip installs everything.
fast-install = $(call install,requirements/installer.txt) && $(@D)/bin/uv pip install --quiet --python $(@D)/bin/python --require-hashes -r $<

.venv/.ready .venv-run/.ready .venv-test/.ready .venv-generate/.ready .venv-docs/.ready:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "cardwright requires Python 3.11 or later. Select one: make $(or $(MAKECMDGOALS),setup) PYTHON=python3.11" >&2; exit 1; }
	@echo "Installing $< into $(@D) (once) ..."
	@started=$$(date +%s) && $(PYTHON) -m venv $(@D) \
	  && $(if $(filter .venv,$(@D)),{ $(call fast-install) || $(call install,$<); },$(call install,$<)) \
	  && $(@D)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation $(OWN:%=--editable %) \
	  && echo "Installed $$(du -sm $(@D) | cut -f1) MB in $$(($$(date +%s) - started)) s"
	@touch $@

setup: $(READY) ## Create .venv, which has everything, and install the hook that checks the subjects of commits
	@git rev-parse --git-dir > /dev/null 2>&1 && git config core.hooksPath .githooks || true

.venv-deploy/.ready: requirements/deploy.txt
	$(PYTHON) -m venv .venv-deploy
	.venv-deploy/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/deploy.txt
	@touch $@

# Implementations that tests compare with, each in an environment of its own.
.venv-a2a-0.3/.ready: tests/gateway/a2a_sdk_0_3/requirements.txt
.venv-interop/%/.ready: tests/interop/requirements/%.txt
.venv-conformance/%/.ready: conformance/adapters/requirements/%.txt

define install-peer
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(@D)
	VIRTUAL_ENV=$(CURDIR)/$(@D) $(BIN)/uv pip install --quiet --require-hashes -r $<
	@touch $@
endef
.venv-a2a-0.3/.ready: | $(READY)
	$(install-peer)
.venv-interop/%/.ready: tests/interop/requirements/%.txt | $(READY)
	$(install-peer)
.venv-conformance/%/.ready: conformance/adapters/requirements/%.txt | $(READY)
	$(install-peer)

js-peers:
	npm ci --silent --prefix tests/oracles/js
	npm ci --silent --prefix npm

peers: .venv-a2a-0.3/.ready $(if $(shell command -v node),js-peers) ## Install the SDKs that the slow tests compare with: a2a-sdk 0.3 and, with node, @a2a-js/sdk

# Use

run: $(call ready,run) ## Start the gateway with four example agents on PORT=4000; open / in a browser
	@$(call env,run)/bin/python examples/gateway/run.py $(PORT)

serve: $(call ready,run) ## Serve an example card, or CARDS=path, on PORT=4000, as JSON and as an HTML page
	@$(call env,run)/bin/cardwright serve --watch --port $(PORT) $(CARDS)

# Tests

# pytest caches rewritten assertions even if the environment disables compiled files.
test test-all check nightly hostile: export PYTHONDONTWRITEBYTECODE =

test: $(call ready,test) ## Run the fast tests; they need no other process, browser or database server
	$(call env,test)/bin/python -m pytest -p no:schemathesis --tier fast -n $(WORKERS) --dist worksteal -q $(OPTIONS)

test-all: $(READY) ## Run all tests except the cluster tests; find or start PostgreSQL and Redis
	$(BIN)/python -m tests.services $(BIN)/python -m pytest --tier all -n $(WORKERS) -q

check: $(READY) .venv-deploy/.ready ## Run everything that CI runs (STAGES="fast slow": only these stages); a flaky test gives the exit status 3
	@WORKERS=$(WORKERS) $(BIN)/python -m checks.stages check $(STAGES)

nightly: $(READY) .venv-deploy/.ready ## Run what only a longer run finds: every extra, many generated documents, peers, half an hour of hostile requests, streams and files
	@WORKERS=$(WORKERS) $(BIN)/python -m checks.stages nightly $(STAGES)

lint: $(READY) ## Check style, layers, words and the budgets of lines
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m checks.plain_words
	$(BIN)/python -m checks.budgets

# The lowest versions that pyproject.toml admits. The one test that is left out has a sentence of orjson 3.12.
lowest: export PYTHONDONTWRITEBYTECODE =
lowest: $(READY)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-lowest
	VIRTUAL_ENV=$(CURDIR)/.venv-lowest $(BIN)/uv pip install --quiet --resolution lowest-direct -e generated -e '.[all]' 'pytest>=9' 'pytest-xdist>=3.8'
	.venv-lowest/bin/python -m pytest -p no:schemathesis -W ignore::DeprecationWarning --tier fast -n $(WORKERS) -q --deselect tests/cli/reports/test_reports.py::test_piped_text_is_a_line_a_document_and_a_line_a_violation tests/cli tests/signing tests/testing tests/discovery/calling tests/gateway/api/grpc

hostile: $(READY)
	CARDWRIGHT_HOSTILE_SEED=0 CARDWRIGHT_HOSTILE_SECONDS=$(SECONDS) $(BIN)/python -m pytest --tier cluster tests/cluster/hostile -q -s

conformance-results: $(READY) $(ADAPTERS:%=.venv-conformance/%/.ready)
	npm ci --silent --ignore-scripts --prefix conformance/adapters
	@$(BIN)/python -m conformance.results $(if $(WRITE),--write)

# What is stated about others: what was read more than 90 days ago, and newer versions.
statements: $(READY)
	@$(BIN)/python -m conformance.statements

interop: $(READY) $(PEERS:%=.venv-interop/%/.ready) ## Run cardwright with the SDKs of others and compare with the documentation (WRITE=1 writes docs/pages/explanation/interoperability.md)
	npm ci --silent --ignore-scripts --prefix tests/interop/peers/js
	@$(BIN)/python -m tests.interop.run $(if $(WRITE),--write)

# KIT is a checkout of a2aproject/a2a-tck, branch 0.3.x or 1.0-dev, with its own .venv.
tck: $(READY) .venv-a2a-0.3/.ready
	@$(BIN)/python -m tests.tck.run $(KIT) $(if $(WRITE),--write)

seeds: $(READY) ## Run what shows each requirement of the five documents (ROW=B7 runs one row, WRITE=1 writes docs/pages/explanation/documents.md)
	@$(BIN)/python -m tests.seeds $(ROW) $(if $(WRITE),--write)

bench: $(READY) ## Run the benchmarks and print the tables
	$(BIN)/python -m benchmarks

# What is generated

generate: $(call ready,generate) ## Generate generated/ from schemas/, and the pictures of the documentation
	$(call env,generate)/bin/python -m codegen --pin
	$(call env,generate)/bin/python -m docs.sitegen pictures

check-generated: $(call ready,generate)
	$(call env,generate)/bin/python -m codegen --check
	$(call env,generate)/bin/python -m codegen.artifacts.published
	$(call env,generate)/bin/python -m docs.sitegen pictures --check

docs: $(call ready,docs) ## Write the reference pages and build the site into dist/site, offline; a warning or a broken link is an error
	$(call env,docs)/bin/python -m docs.sitegen site

schemas: $(call ready,generate) ## Build dist/schemas, the schemas as publishable files
	$(call env,generate)/bin/python -m codegen.artifacts

npm: $(call ready,generate) ## Build dist/npm and its archive, the npm package cardwright-schemas: schemas, types and validators for JavaScript
	@test -d npm/node_modules || npm ci --silent --prefix npm
	@$(call env,generate)/bin/python -m codegen.npm_source dist/npm-source
	@$(call env,generate)/bin/python -m conformance.npm_readme dist/npm-source
	@node npm/build.mjs $$($(call env,generate)/bin/python -c 'from cardwright import __version__; print(__version__)') dist/npm-source dist/npm
	@cd dist/npm && npm pack --silent --pack-destination ..

spec-drift: $(READY) ## Compare SPEC=path (a .proto or an upstream JSON Schema) with the schema here (WRITE=1 edits the schema)
	@test -n "$(SPEC)" || { echo "SPEC is missing: make spec-drift SPEC=path/to/a2a.proto" >&2; exit 2; }
	@$(BIN)/python -m codegen.drift "$(SPEC)" $(if $(DIALECT),--dialect $(DIALECT)) $(if $(WRITE),--write)

COMPILE := CARDWRIGHT_RELEASE=pin $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-emit-package cardwright-models --generate-hashes --no-strip-extras --no-header
PINNED := $(COMPILE) -c requirements/dev.txt
GROUP := --group pyproject.toml

requirements: $(READY) ## Update the pinned requirements
	$(COMPILE) --upgrade pyproject.toml --all-extras $(GROUP):dev -o requirements/dev.txt
	$(PINNED) pyproject.toml --extra gateway $(GROUP):build -o requirements/run.txt
	$(PINNED) pyproject.toml --all-extras $(GROUP):test -o requirements/test.txt
	$(PINNED) pyproject.toml $(GROUP):build $(GROUP):codegen -o requirements/generate.txt
	$(PINNED) pyproject.toml --extra gateway --extra grpc --extra telemetry --extra anthropic $(GROUP):build $(GROUP):codegen $(GROUP):docs -o requirements/docs.txt
	$(PINNED) pyproject.toml --extra gateway --extra fast --extra grpc --extra postgresql --extra redis -o requirements/image.txt
	$(PINNED) $(GROUP):build -o requirements/build.txt
	$(PINNED) $(GROUP):installer -o requirements/installer.txt
	$(COMPILE) --upgrade requirements/deploy.in -o requirements/deploy.txt
	for file in tests/gateway/a2a_sdk_0_3/requirements $(ADAPTERS:%=conformance/adapters/requirements/%) $(PEERS:%=tests/interop/requirements/%); do $(COMPILE) --upgrade $$file.in -o $$file.txt || exit 1; done

clean: ## Remove all build products and environments, except generated/
	rm -rf .venv .venv-* dist build docs/pages/reference .hypothesis .mypy_cache .ruff_cache .pytest_cache
	rm -rf conformance/adapters/node_modules tests/oracles/js/node_modules tests/interop/peers/js/node_modules npm/node_modules
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
