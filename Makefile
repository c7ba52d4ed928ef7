# Every target has a ## sentence; bare `make` prints them.
PYTHON ?= python3
CARDS ?= examples/a2a-hybrid.card.json
PORT ?= 4000
SPEC ?=
WORKERS ?= auto
COVERED ?= 85
BIN := .venv/bin
READY := .venv/.ready
# What runs the project without its tools: .venv where that is ready, else an environment of its own.
RUN := $(if $(wildcard $(READY)),.venv,.venv-run)
RUN_READY := $(RUN)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup run serve test test-all test-slow test-cluster coverage check check-installs lint types generate check-generated conformance fix-table fuzz js-peer old-sdk-peer bench docs docs-outputs schemas spec-drift requirements tck clean

help: ## Print what there is to make
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  \1\t\2/' | expand -t 20

setup: $(READY) ## Make .venv with the project, its tools and its test peers

$(READY): requirements/dev.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "cardwright needs Python 3.11 or later; name one: make $(or $(MAKECMDGOALS),setup) PYTHON=python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

.venv-run/.ready: requirements/run.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "cardwright needs Python 3.11 or later; name one: make $(or $(MAKECMDGOALS),run) PYTHON=python3.11" >&2; exit 1; }
	@echo "Installing what the gateway and the server need into .venv-run (once) ..."
	@started=$$(date +%s) && $(PYTHON) -m venv .venv-run \
	  && .venv-run/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r requirements/run.txt \
	  && .venv-run/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . \
	  && echo "Installed $$(du -sm .venv-run | cut -f1) MB in $$(($$(date +%s) - started)) s"
	@touch $@

run: $(RUN_READY) ## Start the gateway with four example agents on PORT=4000; / lists them for your browser
	@$(RUN)/bin/python examples/gateway/run.py $(PORT)

serve: $(RUN_READY) ## Serve an example card, or CARDS=path, on PORT=4000, also as a page for your browser
	@$(RUN)/bin/cardwright serve --watch --port $(PORT) $(CARDS)

# Assertions are rewritten once for all runs, wherever Python is told to keep no compiled files.
test test-all test-slow test-cluster coverage conformance fuzz: export PYTHONDONTWRITEBYTECODE =

test: $(READY) ## Run the fast tests: no process, browser or database beside them
	$(BIN)/python -m pytest -p no:schemathesis --tier fast -n $(WORKERS) -q

test-all: $(READY) ## Run all tests but those that kill machines, with PostgreSQL and Redis found or started for them
	$(BIN)/python -m tests.services $(BIN)/python -m pytest --tier all -n $(WORKERS) -q

test-slow: $(READY) ## Run the tests of test-all that are not in test
	$(BIN)/python -m tests.services $(BIN)/python -m pytest --tier slow -n $(WORKERS) -q

test-cluster: $(READY) ## Run the tests that kill and restart several processes, with PostgreSQL and Redis
	$(BIN)/python -m tests.services $(BIN)/python -m pytest --tier cluster -q

coverage: $(READY) ## Run the fast tests, and fail where they run less than COVERED % of the statements of src
	$(BIN)/python -m pytest -p no:schemathesis --tier fast -n $(WORKERS) -q --cov=src --cov-report=term:skip-covered --cov-fail-under=$(COVERED)

check-installs: $(READY) ## Build the wheel, and try the base install and every extra in environments of their own
	$(BIN)/python -m tests.installs

check: $(READY) lint check-generated docs types coverage test-slow test-cluster check-installs ## Everything CI asks: style, types, generated code, every tier of the tests, every install
	@echo "all is well"

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache

types: $(READY)
	$(BIN)/mypy
	$(BIN)/pyright

generate: $(READY) ## Print generated/ again from schemas/
	$(BIN)/python -m codegen --pin
	$(BIN)/python -m docs.sitegen reference

check-generated: $(READY) ## Fail with a diff if generated/ is not what schemas/ give
	$(BIN)/python -m codegen --check
	$(BIN)/python -m docs.sitegen reference --check

conformance: $(READY) ## Run the conformance cases, and real cards and published schemas where they are at hand
	$(BIN)/python -m pytest tests/conformance tests/oracles -q

fix-table: $(READY) ## Print what mending does to real cards, by rule, where they are at hand
	$(BIN)/python -m tests.oracles.fix_table

fuzz: $(READY) ## Look for faults with many random documents, some minutes long
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest tests/properties tests/oracles -q -p no:cacheprovider -n $(WORKERS)

js-peer: ## Install what tests stand beside in JavaScript, by the hashes of its lock
	npm ci --silent --prefix tests/oracles/js

old-sdk-peer: .venv-a2a-0.3/.ready ## Install a2a-sdk 0.3 for tests, in an environment of its own

.venv-a2a-0.3/.ready: tests/gateway/old_sdk/requirements.txt | $(READY)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-a2a-0.3
	VIRTUAL_ENV=$(CURDIR)/.venv-a2a-0.3 $(BIN)/uv pip install --quiet --require-hashes -r tests/gateway/old_sdk/requirements.txt
	@touch $@

bench: $(READY) ## Measure against peers side by side and print the tables
	$(BIN)/python -m benchmarks

docs: $(READY) ## Build the documentation site into dist/site, offline; a warning or a broken link is an error
	$(BIN)/python -m docs.sitegen site

docs-outputs: $(READY) ## Run the commands that README.md and docs/pages show, and write their real output into the pages
	$(BIN)/python -m tests.docs.update README.md $(shell find docs/pages -name '*.md' -not -path '*/reference/*' | sort)

schemas: $(READY) ## Build dist/schemas, the schemas as artifacts
	$(BIN)/python -m codegen.artifacts

spec-drift: $(READY) ## Compare SPEC=path (a .proto or an upstream JSON Schema) with our schema
	@test -n "$(SPEC)" || { echo "name the upstream file: make spec-drift SPEC=path/to/a2a.proto" >&2; exit 2; }
	@$(BIN)/python -m codegen.drift "$(SPEC)" $(if $(DIALECT),--dialect $(DIALECT))

requirements: $(READY) ## Resolve the pinned requirements again
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-header pyproject.toml --extra gateway --group pyproject.toml:build -o requirements/run.txt
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-header pyproject.toml --all-extras --group pyproject.toml:dev -o requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-header tests/gateway/old_sdk/requirements.in -o tests/gateway/old_sdk/requirements.txt

tck: $(READY) ## Run the A2A compatibility kit at TCK=path before the gateway (WRITE=1 writes docs/pages/explanation/compatibility-kit.md)
	@test -n "$(TCK)" || { echo "name a checkout of a2aproject/a2a-tck: make tck TCK=path" >&2; exit 2; }
	@$(BIN)/python -m tests.tck.run "$(TCK)" $(if $(PYTHON_TCK),--python "$(PYTHON_TCK)") $(if $(WRITE),--write)

clean: ## Remove everything that can be made again, but generated/
	rm -rf .venv .venv-run .venv-a2a-0.3 tests/oracles/js/node_modules dist build .hypothesis .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
