"""Two sources side by side: every change, what stands around it, and no endless comparing."""

from hypothesis import given
from hypothesis import strategies as st

from gangland_web.queries.sources import AROUND, diff_of, lines_of

SOURCES = st.lists(st.sampled_from([*"abc", "\x0c", "\u2028d"]), max_size=30).map("\n".join)


@given(SOURCES, SOURCES)
def test_what_is_shown_makes_the_new_source_of_the_old(old: str, new: str) -> None:
    diff = diff_of(old, new)
    assert diff is not None
    lines = [line for group in diff.groups for line in group]
    before, after = lines_of(old), lines_of(new)
    assert all(before[line.old - 1] == line.text for line in lines if line.old is not None)
    assert all(after[line.new - 1] == line.text for line in lines if line.new is not None)
    gone = {line.old for line in lines if line.mark == "-"}
    kept = [text for number, text in enumerate(before, 1) if number not in gone]
    came = {line.new for line in lines if line.mark == "+"}
    assert kept == [text for number, text in enumerate(after, 1) if number not in came]
    assert (diff.came, diff.went) == (len(came), len(gone))


def test_lines_have_the_numbers_that_python_gives_them_and_changes_far_apart_groups_of_their_own() -> None:
    source = "a = 1\n\x0c\nb = 'x\u2028y\x85z'\nc = 3\n"
    diff = diff_of(source, source.replace("3", "4"))
    assert diff is not None
    changed = [(line.mark, line.old or line.new, line.text) for line in diff.groups[0] if line.mark != " "]
    assert changed == [("-", 4, "c = 3"), ("+", 4, "c = 4")]
    old = [f"line {number}" for number in range(100)]
    new = [*old[:20], "twenty", *old[21:80], *old[81:]]
    diff = diff_of("\n".join(old), "\n".join(new))
    assert diff is not None
    assert [[line.mark for line in group] for group in diff.groups] == [
        [" "] * AROUND + ["-", "+"] + [" "] * AROUND,
        [" "] * AROUND + ["-"] + [" "] * AROUND,
    ]


def test_sources_that_would_take_too_long_are_not_compared_and_equal_ones_have_no_change() -> None:
    assert diff_of("a\nb\n" * 50_000, "c\nd\n" * 50_000) is None
    long = "a\n" * 60_000
    same, same_but_one = diff_of("a\nb", "a\nb\n"), diff_of(long, long + "b\n")
    assert same is not None
    assert same.groups == ()
    assert same_but_one is not None
    assert same_but_one.came == 1
