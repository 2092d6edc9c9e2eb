# make up [ARGS="--port 8123 --data DIR"]   the whole platform on this machine
# make test [ARGS="-k rotation"]            every behavior once, from a bare machine
# make test-all [ARGS=tests/web]            the same and everything long: both databases, chaos, all page states
# make check [ARGS=--strict]                ruff, mypy, import contracts, names, bandit, examples of the docs, known vulnerabilities
# make bench [ARGS="--only engine"]         speed, as ratios measured side by side
# make evidence [ARGS="--games 100"]        that the games are fair; ARGS=--write renews benchmarks/results/fairness.md
# make house [ARGS="--blocks 10"]           how strong the house bots are; ARGS=--write renews benchmarks/results/house-bots.md
# make analysis-tables [ARGS=gang-of-dice]  learn anew what positions are worth, hours of CPU
# make golden                               write the golden games anew, to review their diff
# make random-play [ARGS=50000]             so many random games at all tables, counted die by die
# make contract                             the contract suite with many more examples
# make hostile                              every hostile bot, by a referee that was root and by one that never was
# make stores [ARGS="-k quarantine"]        the site's tests, each of them on both databases
# make mistakes                             every typical mistake, as file, page, API and submit tell it
# make soak [ARGS="--matches 10000"]        so many matches in a row, and what they leave behind
# make chaos [ARGS="--short"]               matches while everything is killed, stopped and wiped: none lost, none doubled
# make chaos-tables [ARGS="--kills 40"]     persons' tables while worker, web and broker are killed: each the same game
# make compose-test [ARGS="--port 8123"]    docker-compose.yml on a real engine: every service killed, none of the matches lost
# make hosts [ARGS="--short"]               several worker hosts in network namespaces: what they play, and one cut off
# make platform-rate [ARGS="--seats 2"]     what the whole platform keeps of the jailed referee's own rate
# make load [ARGS="--pollers 100"]          the whole site with people on it while bots play; ARGS="--soak 3600" sees what grows
# make fuzz [ARGS="--cases 5000 --seed 2"]  files that nobody should send, to everything that takes files
# make words-fuzz [ARGS="--cases 5000"]     bots that say whatever a bot can say, played and recorded
# make api-fuzz [ARGS=40]                   calls of the API that nobody thought of, each answer held to its document
# make load-jails                           what busy neighbours do to honest bots
# make mutate [ARGS="--only gate"]          mutants of what matters most, and which the tests leave alive
# make pages [ARGS="-k replay"]             the browser's tests, every state of a page in every way
# make screenshots [ARGS=replay]            a picture of every page and state, in build/screenshots
# make screen-day [ARGS="--items 100"]      a day of /tv on a fast clock: what browser and server keep
# make release                              wheel and source archive into dist/: built twice, compared, with checksums
# make release-check [ARGS=--final]         builds, installs, runs and stops the release on a machine as clean as can be
SHELL := /bin/bash
PYTHON ?=
export PYTHON
WORKERS ?= 3
SOURCES = engine sandbox bots platform tests benchmarks

.DEFAULT_GOAL := help
.PHONY: help venv system test-system up test test-all check format bench evidence house analysis-tables golden random-play contract hostile stores mistakes soak chaos chaos-tables hosts fuzz words-fuzz load-jails \
	api-fuzz compose-test load platform-rate mutate pages screenshots screen-day \
	release release-check lock clean

help:
	@sed -n 's/^# make/make/p' Makefile

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
	.venv/bin/python -m gangland_ladder.analysis.training $(ARGS)

golden: venv
	@.venv/bin/python -m tests.golden

random-play: venv
	@.venv/bin/python -m tests.contract.campaign $(ARGS)

contract: venv
	GANGLAND_HYPOTHESIS=long .venv/bin/python -m pytest -n $(WORKERS) tests/contract $(ARGS)

hostile: test-system venv
	GANGLAND_HOSTILE=long .venv/bin/python -m pytest -n $(WORKERS) tests/sandbox/test_hostile_bots.py $(ARGS)

stores: test-system venv
	GANGLAND_STORES=long .venv/bin/python -m pytest -n $(WORKERS) tests/web $(ARGS)

mistakes: test-system venv
	GANGLAND_MISTAKES=long .venv/bin/python -m pytest tests/flow/test_mistakes.py $(ARGS)

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

pages: test-system venv
	GANGLAND_BROWSER=long .venv/bin/python -m pytest -n $(WORKERS) tests/browser $(ARGS)

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
