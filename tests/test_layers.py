"""The contracts of imports hold, and each turns red when one import is added against it."""

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.api import read_configuration
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract

PACKAGES = ("gangland", "gangland_sandbox", "gangland_bots", "gangland_ladder", "gangland_web")
TYPES: dict[str, Any] = {
    "layers": LayersContract, "forbidden": ForbiddenContract, "acyclic_siblings": AcyclicSiblingsContract,
}  # fmt: skip
ADDED = {
    "layers": [
        ("gangland_sandbox.jail", "gangland_ladder.matches.match_jobs"),
        ("gangland.game", "gangland_sandbox.jail"),
    ],
    "bots": [("gangland_bots.gang_of_dice.bold_gang", "gangland_ladder.matches.match_jobs")],
    "no-bots": [("gangland.game", "gangland_bots.gang_of_dice.bold_gang")],
    "pure-engine": [("gangland.game", "time")], "pure-ladder": [("gangland_ladder.matches.match_jobs", "flask")],
    "plain-services": [("gangland_web.services.worker_hosts", "flask"), ("gangland_web.models.database", "celery")],
    "ladder-layers": [
        ("gangland_ladder.matches.match_jobs", "gangland_ladder.rating.updater"),
        ("gangland_ladder.rating.updater", "gangland_ladder.pairing.round_robin"),
        ("gangland_ladder.viewer.timeline", "gangland_ladder.checking.check"),
        ("gangland_ladder.viewer.timeline", "gangland_ladder.playing.table_state"),
        ("gangland_ladder.playing.table_state", "gangland_ladder.local.single_games"),
        ("gangland_ladder.common.texts", "gangland_ladder.analysis.luck"),
    ],
    "web-layers": [
        ("gangland_web.api.routes", "gangland_web.site.home"),
        ("gangland_web.site.home", "gangland_web.api.routes"),
        ("gangland_web.workers.records", "gangland_web.ops.prepare"),
        ("gangland_web.queries.status", "gangland_web.web.sessions"),
        ("gangland_web.models.database", "gangland_web.services.worker_hosts"),
        ("gangland_web.base.formats", "gangland_web.settings"),
    ],
    "no-circles": [
        ("gangland_web.services.ratings", "gangland_web.services.results"),
        ("gangland_web.broker.names", "gangland_web.broker.server"),
        ("gangland_sandbox.limits", "gangland_sandbox.jail"),
        ("gangland_ladder.proof.archives", "gangland_ladder.proof.proving"),
    ],
}  # fmt: skip


@cache
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, include_external_packages=True, cache_dir=None)


def contracts(root: Path) -> dict[str, dict[str, Any]]:
    return {each["id"]: each for each in read_configuration(str(root / "pyproject.toml"))["contracts_options"]}


def kept(options: dict[str, Any], imports: grimp.ImportGraph) -> bool:
    session = {"root_packages": list(PACKAGES), "include_external_packages": "True"}
    given = {name: value for name, value in options.items() if name not in ("id", "name", "type")}
    return bool(TYPES[options["type"]](options["name"], session, given).check(imports, verbose=False).kept)


def test_every_contract_is_tried(root: Path) -> None:
    assert set(contracts(root)) == set(ADDED)


@pytest.mark.parametrize(
    ("name", "importer", "imported"), [(name, *added) for name, pairs in ADDED.items() for added in pairs]
)
def test_a_contract_turns_red_by_one_import_against_it(root: Path, name: str, importer: str, imported: str) -> None:
    options = contracts(root)[name]
    assert kept(options, graph())
    assert importer in graph().modules
    assert imported in graph().modules
    worse = deepcopy(graph())
    worse.add_import(importer=importer, imported=imported)
    assert not kept(options, worse)
