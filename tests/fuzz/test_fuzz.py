"""The fuzzer on a few dozen cases, and that it finds what there is to find; `make fuzz` runs many more."""

from pathlib import Path
from random import Random

import pytest
from tests.fuzz.__main__ import run, table
from tests.fuzz.case import Case, Wrong, need_plain
from tests.fuzz.mutations import encoded, json_mutated, written
from tests.fuzz.running import MEMORY_BYTES, TARGETS, Tally, case_of, run_one, target_of

SHORT, LONG = 60, 400  # cases
GROWTH_MIB = 256


@pytest.mark.parametrize("cases", [SHORT, pytest.param(LONG, marks=pytest.mark.long("hundreds of cases"))])
def test_files_that_nobody_should_send_are_met_by_refusals_of_ours_alone_and_in_bounded_memory(cases: int) -> None:
    whole = run(seed=1, first=0, cases=cases)
    assert whole.findings == [], "\n".join(each.error for each in whole.findings)
    assert sum(counts.total() for counts in whole.verdicts.values()) == cases
    for name in TARGETS:
        assert whole.verdicts[name]["taken"], name
        assert len(whole.verdicts[name]) >= 3, name
    assert whole.peak_mib < GROWTH_MIB
    assert f"| {whole.verdicts['uploads'].total():,} |" in table(whole)


class FaultyTarget:
    def make(self, rng: Random) -> Case:
        return Case(rng.randbytes(4), "a", "any")

    def run(self, case: Case, number: int) -> str:
        if b"x" in case.data:
            raise KeyError("x")
        if b"m" in case.data:
            return str(len(bytes(1 << 40)))
        return "taken"


@pytest.mark.parametrize(
    ("data", "error", "smallest"), [(b"abcxdef", "KeyError: 'x'", b"x"), (b"m", "MemoryError", b"m")]
)
def test_an_error_that_is_not_ours_is_a_finding_and_is_made_small(data: bytes, error: str, smallest: bytes) -> None:
    tally = Tally()
    run_one(tally, FaultyTarget(), "faulty", Case(data, "a", "by hand"), 7)
    (found,) = tally.findings
    assert (found.number, found.data) == (7, smallest)
    assert error in found.error
    assert tally.verdicts["faulty"] == {"FOUND": 1}


@pytest.mark.parametrize("name", list(TARGETS))
def test_a_case_comes_again_by_its_number(name: str, tmp_path: Path) -> None:
    target = TARGETS[name](tmp_path)
    numbers = [number for number in range(40) if target_of(number) == name]
    once, again = ([case_of(target, name, 3, number) for number in numbers] for _ in range(2))
    assert once == again
    assert len({case.data for case in once}) > len(once) // 2


def test_changed_json_says_what_no_honest_writer_would() -> None:
    made = {encoded(json_mutated(Random(f"case {number}"), {"a": [1, {"b": "c"}], "d": 2.5})) for number in range(800)}
    assert any(b'"a":' in one and one.count(b'"a":') == 2 for one in made)
    assert any(b"NaN" in one for one in made)
    assert any(b"[" * 1000 in one for one in made)
    assert written({"a": [True, None, "é"]}) == '{"a":[true,null,"é"]}'


def test_what_moves_the_cursor_or_hides_is_not_plain() -> None:
    for hidden in ("\x1b[2J", "a\u202eb", "a\u200bb", "\r", "\ue000", "\udc80"):
        with pytest.raises(Wrong):
            need_plain(hidden, "a message")
    need_plain("one line\nand another, é\N{SNOWMAN}", "a message")
    assert MEMORY_BYTES < 1 << 30
