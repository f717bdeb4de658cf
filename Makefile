# Everything that a developer or CI does has a target; `make help` lists them.

PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
# Bytecode is made of what is imported, when it is: all of it would take longer than the installation.
PIP    := $(PY) -m pip install -qq --no-compile --disable-pip-version-check -c constraints.txt
JOBS   ?= 2
GAME   ?= shogun
ENV    := $(VENV)/bin/shogun-env
DEMO    = demo/$(GAME)
# Each process begins with a stretch of the list of its own, so that few of them import torch and load the same kernels.
PYTEST := $(PY) -m pytest -n $(JOBS) --dist worksteal
SPHINX := $(PY) -m sphinx -W --keep-going -q -c docs -d out/doctrees

# What an installation depends on.
SPEC   := pyproject.toml setup.py constraints.txt

MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup demo test test-fast test-slow test-clients kernels check format debug docs docs-check notebooks pictures gallery bench book signature golden clean

help: ## show this list
	@echo "make TARGET, where TARGET is one of"
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do \
	  printf '  %-12s %s\n' "$$name" "$$text"; done
	@echo "Variables: PYTHON=python3.12 (the Python that creates $(VENV)), JOBS=4 (test processes), GAME=shitenno (for demo, bench, signature)"

# ------------------------------------------------------------------------------------------------------- installation
# One stamp each, so that `make demo` does not wait for the tools of developers; the first one made installs torch.

$(PY):
	@command -v $(PYTHON) >/dev/null || { echo "make: there is no '$(PYTHON)' here; name a Python with: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $$($(PYTHON) --version) is too old, 3.11 or newer is needed; name one with: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "make: could not create $(VENV) (on Debian and Ubuntu: install python3-venv)" >&2; exit 1; }

$(VENV)/.installed-demo: EXTRAS := rl,viz,play
$(VENV)/.installed-dev: EXTRAS := rl,viz,dev
$(VENV)/.installed-docs: EXTRAS := rl,viz,dev,docs
$(VENV)/.installed-%: $(SPEC) | $(PY)
	@echo "installing shogun-env with [$(EXTRAS)] into $(VENV): about 2 GB, mostly torch; takes a minute or two"
	@$(PIP) -e ".[$(EXTRAS)]"
	@touch $@ $(VENV)/.installed-demo $(if $(findstring docs,$@),$(VENV)/.installed-dev)

setup: $(VENV)/.installed-dev ## create .venv and install everything a developer needs

# --------------------------------------------------------------------------------------------------------------- use

demo: $(VENV)/.installed-demo ## train a small bot, play a tournament with it, write report and replay, say how to play against it (minutes)
	rm -rf $(DEMO)
	$(ENV) selfplay --game $(GAME) --config quick --fair --out $(DEMO)/run
	$(ENV) tournament --game $(GAME) --fair --agents ppo:$(DEMO)/run,random,scripted,champion --games 400 --out $(DEMO)/tournament
	$(ENV) record --game $(GAME) --fair --agents ppo:$(DEMO)/run,scripted,random,scripted --seed 7 --out $(DEMO)
	$(ENV) view $(DEMO)/7.$(GAME).jsonl --out $(DEMO)/replay.html
	@printf '\nopen in a browser:\n  %s/tournament/report.html\n  %s/replay.html\n' $(CURDIR)/$(DEMO) $(CURDIR)/$(DEMO)
	@printf 'and to play against what you just trained, the address that this prints:\n  %s\n' \
	  "$(ENV) play --game $(GAME) --against ppo:$(DEMO)/run"

# -------------------------------------------------------------------------------------------------------------- tests

test: setup ## the gates, all tests but the slow ones, and the notebooks
	@$(MAKE) -j $(JOBS) check kernels
	$(PYTEST) -m "not slow" --durations=20 --nbmake --nbmake-timeout=180 notebooks tests

test-fast: setup ## the quick tests, within a minute once the kernels are compiled
	@$(MAKE) -j $(JOBS) kernels
	$(PYTEST) -q -m "not slow and not full"

# One slow test after the other, to whoever is free: neighbours that train for a quarter of an hour run side by side.
test-slow: $(VENV)/.installed-docs ## bounds-checked kernels, long runs, version floors, Ray
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -m "not slow and not full" -W error::pytest.PytestUnraisableExceptionWarning --ignore=tests/meta --ignore=tests/docs
	$(PYTEST) --dist load --maxschedchunk 1 -m "slow and not ray"
	$(PYTEST) -m "hypothesis and not slow" --hypothesis-profile=thorough
	.ci/floors
	.ci/ray

# The largest game first. Test processes would wait for each other's kernels.
kernels: kernels-shogun kernels-shitenno kernels-coins ## compile what the tests need; nothing if it is in the cache
kernels-%: setup
	$(PY) -m tests.kernels $*

test-clients: setup ## other libraries that use the environments, each in a virtual environment with its newest version
	$(PY) -m clients

check: setup ## format, lint, types, import layers; JavaScript and style sheets where there is npm
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports --no-logo
	.ci/pages/check

format: setup ## rewrite the code in the house style
	$(PY) -m ruff format .
	$(PY) -m ruff check --fix .

debug: setup ## whole games without compilation, every field checked after each step
	NUMBA_DISABLE_JIT=1 $(PY) -m tests.debug_games

# ------------------------------------------------------------------------------------------------------ documentation

docs: $(VENV)/.installed-docs ## build the site of the documents and the API reference, in out/docs
	$(SPHINX) . out/docs
	@echo out/docs/index.html

docs-check: $(VENV)/.installed-docs ## read all of it and follow its links, but write nothing: half the time
	$(SPHINX) -b dummy . out/docs

pictures: setup ## draw the pictures of the README again, in docs/pictures; PROGRESS=FILE: the learning curve of another run
	$(PY) docs/pictures.py $(if $(PROGRESS),--progress $(PROGRESS))

notebooks: setup ## run the notebooks again and keep their outputs; NAME=01_tour: one of them
	$(PY) docs/notebooks.py $(NAME)

gallery: setup ## play and review the games in docs/gallery again; minutes
	$(PY) docs/gallery.py

# ------------------------------------------------------------------------------------------------------------ figures

bench: setup ## measure the speed
	@mkdir -p out
	$(ENV) speed --game $(GAME) --json out/speed-$(GAME).json

signature: setup ## the hashes of 1,000 seeded games of random play and of bots, for the last line of a commit
	@$(PY) .ci/signature $(GAME)

book: setup ## write the generated tables of the documents; ADD=FILE: first add the figures that strength, speed or tournament wrote by --json
	$(PY) -m shogun_env.benchmarks.book $(if $(ADD),--add $(ADD))

golden: setup ## rewrite the golden playthroughs; read the diff before you commit it
	$(PY) -m tests.golden.playthrough

clean: ## remove what the tools left behind; .venv, runs/ and out/ stay
	rm -rf build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -path './.venv*' -prune -o -name __pycache__ -type d -exec rm -rf {} +
