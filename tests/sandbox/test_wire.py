"""A bot's bytes: capped, strict, and never a reason for anything but a FrameError."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gangland_sandbox.inside import ANSWER, DONE, ERROR, HEADER, LOG, MESSAGE_CHARS, READY, BadAnswer, to_json
from gangland_sandbox.wire import (
    FrameError,
    FrameReader,
    OversizeError,
    clean,
    decode_answer,
    decode_error,
    decode_ready,
)

NUMBERS = st.integers(min_value=-(10**9), max_value=10**9)
LEAVES = st.none() | NUMBERS
WIRES = LEAVES | st.lists(LEAVES | st.lists(LEAVES | st.lists(LEAVES, max_size=3), max_size=4), max_size=5)


def frame(kind: int, number: int, body: bytes) -> bytes:
    return HEADER.pack(len(body), kind, number) + body


@given(WIRES)
def test_what_the_harness_writes_the_referee_reads(wire: Any) -> None:
    assert decode_answer(to_json(wire).encode()) == wire


@given(WIRES)
def test_the_harness_writes_json(wire: Any) -> None:
    assert json.loads(to_json(wire)) == wire


@pytest.mark.parametrize(
    "body",
    [
        b"NaN", b"Infinity", b"-Infinity", b"1.0", b"1e3", b"true", b"[true]", b'"1"', b"{}", b'{"a":1,"a":2}', b"",
        b" ", b"01", b"+1", b"1 2", b"[1,]", b"[[[[1]]]]", b"9" * 4000, b"-" + b"9" * 30, b"1000000001", b"[" * 2000,
        b"[" * 2000 + b"]" * 2000, b"\xff\xfe", b"nul", b"[1", b"null\0", b"1_000",
    ],
)  # fmt: skip
def test_an_answer_that_is_no_decision_is_refused(body: bytes) -> None:
    with pytest.raises(FrameError):
        decode_answer(body)


@given(st.binary(max_size=200))
@example(b"[" * 200)
def test_any_bytes_are_a_decision_or_a_frame_error(body: bytes) -> None:
    try:
        result = to_json(decode_answer(body))
    except FrameError as refused:
        result = str(refused)
    assert result.isprintable()


@pytest.mark.parametrize("value", [True, 1.0, float("nan"), "1", b"1", {}, {1}, 10**10, [[[[1]]]], [True]])
def test_the_harness_writes_no_answer_that_would_be_refused(value: Any) -> None:
    with pytest.raises(BadAnswer):
        to_json(value)


def test_the_harness_writes_no_number_of_five_thousand_digits() -> None:
    with pytest.raises(BadAnswer, match="too large"):
        to_json(10**5000)


@given(st.lists(st.tuples(st.sampled_from([READY, ANSWER, LOG, ERROR]), st.binary(max_size=60)), max_size=6), st.data())
def test_frames_come_out_as_they_went_in_however_they_were_cut(parts: list[tuple[int, bytes]], data: Any) -> None:
    stream = b"".join(frame(kind, number, body) for number, (kind, body) in enumerate(parts))
    reader, observed = FrameReader(4096), []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        reader.feed(stream[:cut])
        stream = stream[cut:]
        while (found := reader.next()) is not None:
            observed.append(found)
    assert observed == [(kind, number, body) for number, (kind, body) in enumerate(parts)]
    assert reader.empty


@pytest.mark.parametrize(("kind", "most"), [(ANSWER, 4096), (DONE, 0), (READY, 8192), (ERROR, 8192), (LOG, 16384)])
def test_a_frame_is_refused_by_its_header_before_its_body_is_read(kind: int, most: int) -> None:
    reader = FrameReader(4096)
    reader.feed(HEADER.pack(most + 1, kind, 1))
    with pytest.raises(OversizeError):
        reader.next()


@pytest.mark.parametrize("kind", [0, 7, 99, 255])
def test_a_frame_of_no_kind_is_refused(kind: int) -> None:
    reader = FrameReader(4096)
    reader.feed(frame(kind, 1, b""))
    with pytest.raises(FrameError):
        reader.next()


@given(st.binary(max_size=400))
def test_noise_is_frames_or_waiting_or_a_frame_error(noise: bytes) -> None:
    reader = FrameReader(64)
    reader.feed(noise)
    result = ""
    try:
        while reader.next() is not None:
            result = "frames"
    except FrameError as refused:
        result = str(refused)
    assert result.isprintable()


@given(st.text(max_size=100))
def test_a_bots_words_are_cleaned_of_what_drives_a_terminal(text: str) -> None:
    assert all(char.isprintable() or char == "\n" for char in clean(text))


def test_a_verdict_cannot_name_a_fault_that_is_not_the_bots() -> None:
    assert decode_error(b"infrastructure\nthe host failed") == ("crashed", "the host failed")
    assert decode_error(b"memory\n") == ("crashed", "")
    assert decode_error(b"illegal\nno") == ("illegal", "no")
    assert len(decode_error(b"crashed\n" + b"x" * 8000)[1]) <= MESSAGE_CHARS


def test_a_bots_name_and_lines_are_taken_as_far_as_they_make_sense() -> None:
    assert decode_ready(b"Snitch\nbids=12\nstake=x\nmany=99999999\nnone\n=3") == ("Snitch", {"bids": 12, "": 3})
    name, lines = decode_ready(b"N" * 500 + b"\x1b[31m\n" + b"a=1\n" * 1000)
    assert len(name) <= 80
    assert lines == {"a": 1}
