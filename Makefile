# From a fresh clone with Python >= 3.11 and make alone: every target sets up what it needs in .venv first.
# Paths are relative on purpose: the checkout may lie in a folder whose name has spaces.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The first that runs, is new enough and can make a virtual environment (a name on PATH may be a dead shim).
FITS := import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3 python; do \
	if $$p -c '$(FITS)' >/dev/null 2>&1; then echo $$p; break; fi; done)

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip --disable-pip-version-check --no-input
INSTALL := $(PIP) install -qq --constraint constraints.txt

# A copied or moved folder would go on running the code of the old place: set up anew there.
MOVED := $(shell test ! -f $(VENV)/.place || test "$$(cat $(VENV)/.place)" = "$$(pwd)" || rm -f $(VENV)/.stamp-*)

.PHONY: help demo test lint format review bench lab scribe-double constraints clean

help:
	@echo "make demo         cut the sample footage with the first-cut notebook and say where everything is"
	@echo "make lab          open the same notebook in JupyterLab"
	@echo "make test         run the tests (make test ARGS='-k edl' for some)"
	@echo "make lint         ruff, mypy and the import lines between rooms; biome and tsc where npm is"
	@echo "make format       let ruff put the code in order"
	@echo "make review       join the review's view anew for the notebook (needs Node 20 and npm)"
	@echo "make bench        ratios side by side"
	@echo "make scribe-double  a stand-in for Scribe on this machine: try that engine without an account"
	@echo "make constraints  resolve every dependency anew into constraints.txt"
	@echo "make clean        remove what the other targets made, .venv included"

demo: $(VENV)/.stamp-demo
	@$(PY) tools/demo.py $(ARGS)

lab: $(VENV)/.stamp-demo
	@$(PY) -m jupyterlab notebooks/first_cut.ipynb $(ARGS)

test: $(VENV)/.stamp-dev
	@$(PY) -m pytest -n 2 --dist loadfile $(ARGS)

lint: $(VENV)/.stamp-dev
	@failed=0; \
	$(PY) -m ruff check --output-format concise . || failed=1; \
	$(PY) -m ruff format --check --output-format concise . || failed=1; \
	$(PY) -m mypy || failed=1; \
	$(PY) $(VENV)/bin/lint-imports --no-cache --no-logo || failed=1; \
	if command -v npm >/dev/null 2>&1; then \
		$(MAKE) --no-print-directory $(VIEW)/node_modules/.stamp && cd $(VIEW) && npm run --silent lint \
			&& npm run --silent check || failed=1; \
	else echo "The review's view is not linted: there is no npm here"; fi; \
	exit $$failed

format: $(VENV)/.stamp-dev
	@$(PY) -m ruff check --fix-only --quiet .
	@$(PY) -m ruff format .

# Building and testing the view need Node; using cutbook does not.
VIEW := extension/review
review: $(VIEW)/node_modules/.stamp
	@cd $(VIEW) && npm run --silent build

$(VIEW)/node_modules/.stamp: $(VIEW)/package.json
	@command -v npm >/dev/null 2>&1 || { echo "the view is built with Node 20 or newer and npm: install them" >&2; exit 1; }
	@echo "Installing what builds and tests the review's view (once)"
	@cd $(VIEW) && npm install --silent
	@touch $@

bench: $(VENV)/.stamp-demo
	@$(PY) -m benchmarks $(ARGS)

scribe-double: $(VENV)/.stamp-demo
	@$(PY) -m tests.scribe_double $(ARGS)

# One set of versions for all these Pythons; those that are not there are left out, with a word.
PYTHONS ?= python3.11 python3.12 python3.13
constraints: $(VENV)/.stamp-venv
	@$(PY) tools/constraints.py $(PYTHONS)

$(VENV)/.stamp-venv:
	@test -n "$(PYTHON)" && "$(PYTHON)" -c '$(FITS)' 2>/dev/null || { \
		echo "cutbook needs Python 3.11 or newer with its venv module$(if $(PYTHON), ($(PYTHON) is not that)):" \
			"install one (on Debian python3 and python3-venv), or name it: make demo PYTHON=/path/to/python3" >&2; \
		exit 1; }
	@echo "Making .venv with $$("$(PYTHON)" --version)"
	@"$(PYTHON)" -m venv $(VENV)
	@pwd > $(VENV)/.place
	@touch $@

$(VENV)/.stamp-demo: pyproject.toml constraints.txt $(VENV)/.stamp-venv
	@echo "Installing cutbook, its speech model and JupyterLab into .venv (once; a few minutes)"
	@$(INSTALL) --editable '.[local,lab]'
	@touch $@

# pip reads dependency groups from 25.1 on.
$(VENV)/.stamp-dev: pyproject.toml constraints.txt $(VENV)/.stamp-venv
	@echo "Installing cutbook and what its tests need into .venv (once; a few minutes)"
	@$(INSTALL) --upgrade 'pip>=25.1'
	@$(INSTALL) --group dev --editable '.[local,lab]'
	@touch $(VENV)/.stamp-demo $@

clean:
	rm -rf $(VENV) sample_media/edit build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -rf $(VIEW)/node_modules $(VIEW)/page
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
