# Start here:
#   make up    [ARGS="--port 8123 --data DIR"]   run the whole platform on this machine
#   make test  [ARGS="-k rotation"]              test every behavior once; 10 to 20 minutes on two cores
#   make check [ARGS=--strict]                   ruff, mypy, import contracts, names, bandit, docs, vulnerabilities
#   make format                                  format the code
#
# More tests:
#   make test-all [ARGS=tests/web]               make test and everything long: both databases, chaos, all page states
#   make contract                                the contract tests of the games with many more examples
#   make random-play [ARGS=50000]                random games with all seats, options and characters; no die may be lost
#   make golden                                  write the golden games; review their diff
#   make mutate [ARGS="--only gate"]             change the rules, ratings, gate and limits; list changes no test notices
#   make fuzz [ARGS="--cases 5000 --seed 2"]     malformed files, sent to everything that reads files
#   make words-fuzz [ARGS="--cases 5000"]        bots that send anything a bot can send, played and recorded
#   make api-fuzz [ARGS=40]                      random API calls, compared with the API document
#   make screenshots [ARGS=replay]               a picture of every page and state, in build/screenshots
#   make screen-day [ARGS="--items 100"]         a day of /tv on a fast clock: memory of browser and server
#
# Failures and load:
#   make chaos [ARGS=--short]                    kill, stop and wipe everything during matches; none lost, none doubled
#   make chaos-tables [ARGS="--kills 40"]        kill worker, web and broker during people's games
#   make hosts [ARGS=--short]                    several worker hosts in network namespaces, one of them cut off
#   make compose-test [ARGS="--port 8123"]       docker-compose.yml on a real engine; every service killed
#   make soak [ARGS="--matches 10000"]           many matches in a row, and what they leave behind
#   make load [ARGS="--pollers 100"]             the whole site with visitors while bots play; ARGS="--soak 3600" for an hour
#   make load-jails                              what busy neighbors do to honest bots
#
# Measurements:
#   make bench [ARGS="--only engine"]            speed, as ratios measured side by side
#   make platform-rate [ARGS="--seats 2"]        matches a minute of the platform against the jailed referee alone
#   make evidence [ARGS="--games 100"]           fairness of the games; ARGS=--write renews benchmarks/results/fairness.md
#   make house [ARGS="--blocks 10"]              strength of house bots; ARGS=--write renews benchmarks/results/house-bots.md
#   make analysis-tables [ARGS=gang-of-dice]     learn what positions are worth; hours of CPU
#
# Set-up and release:
#   make venv | system | test-system             the virtual environment; system packages to run; to test
#   make lock [ARGS=--upgrade]                   compile requirements/ from pyproject.toml
#   make release                                 wheel and source archive in dist/, built twice and compared
#   make release-check [ARGS=--final]            build, install, run and stop the release on a clean machine
#   make clean                                   delete everything that make has built
#
# PYTHON=/path/to/python3.13 picks the Python of the virtual environment. WORKERS=2 sets the number of test processes.
SHELL := /bin/bash
PYTHON ?=
export PYTHON
WORKERS ?= 3
SOURCES = engine sandbox bots platform tests benchmarks

.DEFAULT_GOAL := help
.PHONY: help venv system test-system up test test-all check format bench evidence house analysis-tables golden \
	random-play contract soak chaos chaos-tables hosts fuzz words-fuzz api-fuzz load load-jails compose-test \
	platform-rate mutate screenshots screen-day release release-check lock clean

help:
	@sed -n '/^[^#]/q; s/^# \{0,1\}//p' Makefile

venv:
	@scripts/setup venv

system:
	@scripts/setup system

test-system:
	@scripts/setup tests

# The wheel is what the site serves at /download.
up: system
	@scripts/setup run
	@.venv/bin/python -m hatchling build --target wheel --directory .venv/share/gangland/download >/dev/null
	@exec .venv/bin/gangland up $(ARGS)

test: test-system venv
	@exec .venv/bin/python -m pytest -n $(WORKERS) $(ARGS)

test-all: test-system venv
	@exec .venv/bin/python -m pytest -n $(WORKERS) --long $(ARGS)

check: venv
	.venv/bin/ruff check
	.venv/bin/ruff format --check
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/bandit -q -ll -c pyproject.toml -r engine sandbox platform bots docker scripts
	.venv/bin/python -m pytest -q tests/test_docs.py tests/test_supply.py tests/test_words.py
	.venv/bin/python scripts/audit.py $(ARGS)

format: venv
	.venv/bin/ruff check --fix
	.venv/bin/ruff format

bench: system venv
	@scripts/setup peers || true
	@.venv/bin/python -m benchmarks $(ARGS)

evidence: venv
	@.venv/bin/python -m benchmarks.evidence $(ARGS)

house: system venv
	@.venv/bin/python -m benchmarks.house $(ARGS)

analysis-tables: venv
	.venv/bin/python -m benchmarks.training $(ARGS)

golden: venv
	@.venv/bin/python -m tests.golden

random-play: venv
	@.venv/bin/python -m tests.contract.campaign $(ARGS)

contract: venv
	GANGLAND_HYPOTHESIS=long .venv/bin/python -m pytest -n $(WORKERS) tests/contract $(ARGS)

soak: system venv
	@.venv/bin/python -m benchmarks.soak $(ARGS)

chaos: test-system venv
	@.venv/bin/python -m tests.chaos $(ARGS)

chaos-tables: test-system venv
	@.venv/bin/python -m tests.chaos.tables $(ARGS)

compose-test: venv
	@.venv/bin/python -m tests.compose $(ARGS)

hosts: test-system venv
	@.venv/bin/python -m tests.hosts $(ARGS)

fuzz: venv
	@.venv/bin/python -m tests.fuzz $(ARGS)

words-fuzz: venv
	@.venv/bin/python -m tests.fuzz.words $(ARGS)

api-fuzz: venv
	@.venv/bin/python -m tests.kits.api_fuzz $(ARGS)

platform-rate: system venv
	@.venv/bin/python -m benchmarks.platform_rate $(ARGS)

load: system venv
	@.venv/bin/python -m benchmarks.traffic $(ARGS)

load-jails: system venv
	@.venv/bin/python -m benchmarks.load $(ARGS)

screenshots: test-system venv
	@.venv/bin/python -m tests.browser $(ARGS)

screen-day: test-system venv
	@.venv/bin/python -m tests.browser.screens $(ARGS)

mutate: venv
	@.venv/bin/python scripts/mutate.py $(ARGS)

release: venv
	@.venv/bin/python scripts/release.py $(ARGS)

release-check: system venv
	@.venv/bin/python scripts/release_check.py $(ARGS)

lock:
	scripts/lock $(ARGS)

clean:
	rm -rf .venv .venv-bench build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find $(wildcard $(SOURCES)) -name __pycache__ -type d -prune -exec rm -rf {} +
