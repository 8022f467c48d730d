# Two commands on a fresh machine: `make demo` and `make test`. They need Python >= 3.11 and make;
# everything else goes into .venv. No Docker, Java or Maven.

PYTHON ?= python3
EMBEDDER ?= st
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
PYTEST_ARGS ?=
# Processes; each starts servers of its own where tests may break them.
WORKERS ?= 2
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist loadscope --no-loadscope-reorder
# What was installed last, by which list: a changed pyproject.toml installs again.
STAMPS := $(VENV)/.stamps

.DELETE_ON_ERROR:
.PHONY: help demo test unit lint format wheel clean

help:
	@echo 'make demo [EMBEDDER=lite]   a guided tour on a private Neo4j; lite needs no torch'
	@echo 'make test                   every test, on a private Neo4j'
	@echo 'make unit                   the tests that need no server'
	@echo 'make lint                   style, types, layers'
	@echo 'make format                 let the formatter write'
	@echo 'make wheel                  dist/*.whl and dist/*.tar.gz'
	@echo 'make clean                  remove .venv, dist and caches'

demo: $(STAMPS)/demo-$(EMBEDDER)
	@$(BIN)/mapgraph demo --embedder $(EMBEDDER)

test: $(STAMPS)/test
	@$(PYTEST) $(PYTEST_ARGS)

unit: $(STAMPS)/test
	@$(PYTEST) tests/unit $(PYTEST_ARGS)

lint: $(STAMPS)/lint $(STAMPS)/test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pyright --pythonpath $(BIN)/python
	@$(BIN)/lint-imports --no-cache

format: $(STAMPS)/lint
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

wheel: $(STAMPS)/test
	@rm -rf dist
	@$(BIN)/python -m hatchling build -d dist

clean:
	rm -rf $(VENV) dist .pytest_cache .ruff_cache .hypothesis .coverage .coverage.*
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(STAMPS)/venv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo 'Python 3.11 or newer is needed; name one with make PYTHON=...' >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade 'pip>=25.1'
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/demo-%: $(STAMPS)/venv pyproject.toml
	@echo 'installing mapgraph-neo[local,$*,viz] into $(VENV) (once) ...' >&2
	@$(PIP) install --editable '.[local,$*,viz]'
	@touch $@

$(STAMPS)/test: $(STAMPS)/venv pyproject.toml
	@echo 'installing mapgraph-neo[local,st,lite,viz] and the test tools into $(VENV) (once) ...' >&2
	@$(PIP) install --editable '.[local,st,lite,viz]' --group test
	@touch $@

$(STAMPS)/lint: $(STAMPS)/venv pyproject.toml
	@echo 'installing the lint tools into $(VENV) (once) ...' >&2
	@$(PIP) install --group lint
	@touch $@
