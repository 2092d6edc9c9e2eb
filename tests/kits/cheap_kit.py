"""Make work cheap that is slow and the same for every test of a site, such as hashing, judging and rating."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np
import pytest
from argon2 import PasswordHasher
from flask import Flask
from jinja2.bccache import Bucket, BytecodeCache
from sqlalchemy import Dialect, Engine, create_engine, event
from werkzeug.routing import Rule

from gangland_ladder.matches import judging, match_jobs
from gangland_ladder.rating import bradley_terry, final_standings, trueskill
from gangland_ladder.rating.trueskill import Skill
from gangland_web.models import database as db
from gangland_web.services import accounts as services

REAL_HASHER = services._HASHER


class Compiled(BytecodeCache):
    """Caches compiled templates for all applications of this process."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


COMPILED = Compiled()
DIALECTS: dict[str, Dialect] = {}
STATEMENTS: dict[Any, Any] = {}


def of_one_dialect(url: str, **given: Any) -> Engine:
    """Create an engine that shares compiled statements with other engines of its kind."""
    engine = create_engine(url, **given)
    own = engine.dialect
    if own.name in DIALECTS:
        engine.dialect = DIALECTS[own.name]
        engine.update_execution_options(compiled_cache=STATEMENTS)
    else:  # a dialect reads the server's properties at its first connection
        event.listen(engine, "connect", lambda *_: DIALECTS.setdefault(own.name, own))
    return engine


COMPILE: Callable[[Rule], None] = Rule.compile
COMPILED_RULES: dict[Any, dict[str, Any]] = {}
OF_A_RULE = ("_parts", "_trace", "_converters", "arguments")


def compile_once(rule: Rule) -> None:
    """Compile a route once for all applications of this process."""
    assert rule.map is not None
    names = (rule.rule, rule.subdomain, rule.host, rule.merge_slashes, repr(rule.defaults), rule.map.host_matching)
    key = (*names, frozenset(rule.map.converters.items()))
    if key not in COMPILED_RULES:
        COMPILE(rule)
        kept = {name: getattr(rule, name) for name in OF_A_RULE}
        COMPILED_RULES[key] = {**kept, "builders": (rule._build.__func__, rule._build_unknown.__func__)}  # type: ignore[attr-defined]
        return
    kept = COMPILED_RULES[key]
    for name in OF_A_RULE:
        setattr(rule, name, kept[name].copy())
    rule._build, rule._build_unknown = (builder.__get__(rule, None) for builder in kept["builders"])


JUDGE: Callable[[match_jobs.MatchJob, match_jobs.GameRecord], judging.JudgedGame] = judging._judge_game
JUDGED: dict[bytes, judging.JudgedGame] = {}


def judge_once(job: match_jobs.MatchJob, record: match_jobs.GameRecord) -> judging.JudgedGame:
    """Verify a game by playing it, once per process."""
    if record.log_marks:
        return JUDGE(job, record)
    game = msgspec.structs.replace(record, logs=[])
    key = msgspec.json.encode([job.game, job.options, job.blocks[record.block], len(job.seats), game])
    if key not in JUDGED:
        JUDGED[key] = JUDGE(job, record)
    return replace(JUDGED[key], record=record)


DRAWN: dict[bytes, np.ndarray] = {}


def draw_once(fitted: bradley_terry.Fit) -> np.ndarray:
    """Draw strengths once per fit: the draws depend only on the fit."""
    key = b"".join(part.tobytes() for part in (fitted.strength, fitted.part, fitted.weight, fitted.score))
    key += repr((fitted.dispersion, fitted.freedom)).encode()
    if key not in DRAWN:
        DRAWN[key] = bradley_terry.draws(fitted)
        DRAWN[key].setflags(write=False)
    return DRAWN[key]


RATE_SEVERAL = trueskill.rate_several
RATED: dict[Any, tuple[Skill, ...]] = {}


def rate_once(skills: Sequence[Skill], ranks: Sequence[int], draw_probability: float) -> list[Skill]:
    key = (*skills, *ranks, draw_probability)
    if key not in RATED:
        RATED[key] = tuple(RATE_SEVERAL(skills, ranks, draw_probability))
    return list(RATED[key])


@pytest.fixture(scope="module", autouse=True)
def cheap() -> Iterator[None]:
    """Hash passwords at minimum cost, and cache judging, rating, drawing and compiling."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "_HASHER", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        patch.setattr(Flask, "jinja_options", {**Flask.jinja_options, "bytecode_cache": COMPILED})
        patch.setattr(db, "create_engine", of_one_dialect)
        patch.setattr(Rule, "compile", compile_once)
        patch.setattr(judging, "_judge_game", judge_once)
        patch.setattr(final_standings, "draws", draw_once)
        patch.setattr(trueskill, "rate_several", rate_once)
        yield


@pytest.fixture(scope="session")
def real_hasher() -> PasswordHasher:
    return REAL_HASHER
