# Every target has a ## sentence; bare `make` prints them.
PYTHON ?= python3
CARDS ?= examples/a2a-hybrid.card.json
PORT ?= 4000
SPEC ?=
BIN := .venv/bin
READY := .venv/.ready

.DEFAULT_GOAL := help
.PHONY: help setup run serve test test-services check lint types generate check-generated conformance fix-table fuzz js-peer old-sdk-peer bench schemas spec-drift requirements tck clean

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

run: $(READY) ## Start the gateway with four example agents on PORT=4000; / lists them for your browser
	@$(BIN)/python examples/gateway/run.py $(PORT)

serve: $(READY) ## Serve an example card, or CARDS=path, on PORT=4000, also as a page for your browser
	@$(BIN)/cardwright serve --watch --port $(PORT) $(CARDS)

test: $(READY) ## Run the whole test suite
	$(BIN)/python -m pytest -n 2

test-services: $(READY) ## Run the tests that need PostgreSQL and Redis, found or started for them
	$(BIN)/python -m tests.services $(BIN)/python -m pytest tests/store tests/gateway/cluster -q

check: $(READY) lint check-generated types test ## Everything CI asks: style, types, generated code, tests
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

check-generated: $(READY) ## Fail with a diff if generated/ is not what schemas/ give
	$(BIN)/python -m codegen --check

conformance: $(READY) ## Run the conformance cases, and real cards and published schemas where they are at hand
	$(BIN)/python -m pytest tests/conformance tests/oracles -q

fix-table: $(READY) ## Print what mending does to real cards, by rule, where they are at hand
	$(BIN)/python -m tests.oracles.fix_table

fuzz: $(READY) ## Look for faults with many random documents, some minutes long
	HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest tests/properties tests/oracles -q -p no:cacheprovider -n 2

js-peer: ## Install what tests stand beside in JavaScript, by the hashes of its lock
	npm ci --silent --prefix tests/oracles/js

old-sdk-peer: .venv-a2a-0.3/.ready ## Install a2a-sdk 0.3 for tests, in an environment of its own

.venv-a2a-0.3/.ready: tests/gateway/old_sdk/requirements.txt | $(READY)
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python .venv-a2a-0.3
	VIRTUAL_ENV=$(CURDIR)/.venv-a2a-0.3 $(BIN)/uv pip install --quiet --require-hashes -r tests/gateway/old_sdk/requirements.txt
	@touch $@

bench: $(READY) ## Measure against peers side by side and print the tables
	$(BIN)/python -m benchmarks

schemas: $(READY) ## Build dist/schemas, the schemas as artifacts
	$(BIN)/python -m codegen.artifacts

spec-drift: $(READY) ## Compare SPEC=path (a .proto or an upstream JSON Schema) with our schema
	@test -n "$(SPEC)" || { echo "name the upstream file: make spec-drift SPEC=path/to/a2a.proto" >&2; exit 2; }
	@$(BIN)/python -m codegen.drift "$(SPEC)" $(if $(DIALECT),--dialect $(DIALECT))

requirements: $(READY) ## Resolve the pinned requirements again
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-header pyproject.toml -o requirements/runtime.txt
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-header pyproject.toml --all-extras --group pyproject.toml:dev -o requirements/dev.txt
	$(BIN)/uv pip compile --quiet --universal --upgrade --python-version 3.11 --no-emit-index-url --generate-hashes --no-header tests/gateway/old_sdk/requirements.in -o tests/gateway/old_sdk/requirements.txt

tck: $(READY) ## Run the A2A compatibility kit at TCK=path before the gateway (WRITE=1 writes docs/compatibility-kit.md)
	@test -n "$(TCK)" || { echo "name a checkout of a2aproject/a2a-tck: make tck TCK=path" >&2; exit 2; }
	@$(BIN)/python -m tests.tck.run "$(TCK)" $(if $(PYTHON_TCK),--python "$(PYTHON_TCK)") $(if $(WRITE),--write)

clean: ## Remove everything that can be made again, but generated/
	rm -rf .venv .venv-a2a-0.3 tests/oracles/js/node_modules dist build .hypothesis .mypy_cache .ruff_cache .pytest_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
