"""What a fuzzer does to bytes and to JSON: small things, in random places, that good files do not have."""

import gzip
import json
import zlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from zstandard import ZstdCompressor

BOMB_BYTES: Final = 24 << 20  # the unpacked size of a bomb; nothing of ours unpacks one
DEEP: Final = 50_000
WIDE: Final = 20_000


class Token(str):
    """Text that is written to JSON as it is, valid or not."""

    __slots__ = ()


class Pairs(list[tuple[str, Any]]):
    """A JSON object with any order of names, which may repeat."""


TOKENS: Final = tuple(
    map(
        Token,
        [
            "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e-999", "-0", "-0.0", "0", "1", "-1", "1.0", "2",
            "3", "4",
        ]
        + [
            "true", "false", "null", '""', "[]", "{}", "[[]]", '"fault"', '"0"', "[null]", '[""]', "[[[[[[0]]]]]]",
            "{}{}",
        ]
        + [str(2**bits + more) for bits in (31, 32, 53, 63, 64, 128) for more in (-1, 0)]
        + [
            "9" * 400, "9" * 5000, "-" + "9" * 5000, "1" + "0" * 400 + ".5", "0.1e-400", "01", "+1", ".5", "0x10",
            "1_000",
        ]
        + [r'"\u0000"', r'"\ud800"', r'"\udc80x"', r'"\u202e\u200b"', r'"\u001b[31m"', '"\x1b[2J"', '"=1+1"', r'"\x"']
        + ['"' + "x" * 100 + '"', '"' + "\N{SNOWMAN}" * 401 + '"', '"' + "y" * 100_000 + '"', '"' + "0" * 64 + '"']
        + [
            "[" * DEEP + "]" * DEEP,
            '{"a":' * DEEP + "0" + "}" * DEEP,
            "[" + "0," * WIDE + "0]",
            "[" + "[]," * WIDE + "[]]",
        ]
        + ["", ",", "'x'", "//", "undefined", "\N{NO-BREAK SPACE}1"],
    )
)  # fmt: skip
NAMES: Final = (
    "", "schema", "digest", "__proto__", "\x00", "\ud800", "\u202e", "x" * 300, "=x", "\x1b]0;a\x07", "id", "name",
)  # fmt: skip


def written(value: Any) -> str:
    if isinstance(value, Token):
        return str(value)
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{json.dumps(name)}:{written(item)}" for name, item in value) + "}"
    if isinstance(value, dict):
        return written(Pairs(value.items()))
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(written, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def encoded(value: Any) -> bytes:
    """Return a value as UTF-8, with lone surrogates as lenient readers accept them."""
    return written(value).encode("utf-8", "surrogatepass")


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for name, item in value.items():
            yield from places(item, (*path, name))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        value = value[step]
    return value


def _with(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _with(copy[path[0]], path[1:], new)
    return copy


def json_mutated(rng: Random, value: Any) -> Any:
    where = _place(rng, value)
    old = _at(value, where)
    return _with(value, where, rng.choice(_CHANGES)(rng, old, value))


def _place(rng: Random, value: Any) -> tuple[Any, ...]:
    """Choose a place with each level equally likely, so that long lists do not prevail."""
    path: tuple[Any, ...] = ()
    while isinstance(value, dict | list) and value and rng.random() < 0.8:
        step = rng.choice(list(value)) if isinstance(value, dict) else rng.randrange(len(value))
        path, value = (*path, step), value[step]
    return path


def _token(rng: Random, _old: Any, _whole: Any) -> Any:
    return rng.choice(TOKENS)


def _near(rng: Random, old: Any, whole: Any) -> Any:
    if isinstance(old, bool) or not isinstance(old, int | float):
        return _other_text(rng, old) if isinstance(old, str) else _token(rng, old, whole)
    return rng.choice([old + 1, old - 1, -old, old * 2, old * 1000, float(old), str(old), old + 0.5, bool(old)])


def _other_text(rng: Random, old: str) -> str:
    at = rng.randrange(len(old) + 1)
    piece = rng.choice(["\0", "\x1b[1m", "\u202e", "\u200b", "\ud800", "0", "f", "<b>", "\n", old, " ", "é"])
    return rng.choice([old[:at] + piece + old[at + 1 :], old[:at], old.upper(), old[::-1], piece, old + piece])


def _wrapped(rng: Random, old: Any, _whole: Any) -> Any:
    return rng.choice([[old], {"a": old}, [old, old], [], {}, None])


def _elsewhere(rng: Random, _old: Any, whole: Any) -> Any:
    return _at(whole, _place(rng, whole))


def _resized(rng: Random, old: Any, whole: Any) -> Any:
    if isinstance(old, dict) and old:
        return _renamed(rng, old)
    if not isinstance(old, list) or not old:
        return _wrapped(rng, old, whole)
    at, other = rng.randrange(len(old)), rng.randrange(len(old))
    swapped = list(old)
    swapped[at], swapped[other] = swapped[other], swapped[at]
    many = old * max(1, min(200, 5_000 // len(old)))
    return rng.choice([old[:at] + old[at + 1 :], [*old[:at], old[at], *old[at:]], old[:at], old[::-1], swapped, many])


def _renamed(rng: Random, old: dict[str, Any]) -> Any:
    name, pairs = rng.choice(list(old)), Pairs(old.items())
    without = Pairs(pair for pair in pairs if pair[0] != name)
    shuffled = Pairs(rng.sample(pairs, len(pairs)))
    twice, thing = Pairs([*pairs, (name, rng.choice(TOKENS))]), rng.choice(NAMES)
    added, renamed = Pairs([*pairs, (thing, 0)]), Pairs((thing if key == name else key, item) for key, item in pairs)
    return rng.choice([without, shuffled, twice, added, renamed, Pairs([*pairs, (name, old[name])])])


_CHANGES: Final[tuple[Callable[[Random, Any, Any], Any], ...]] = (
    _token, _near, _near, _wrapped, _elsewhere, _resized, _resized,
)  # fmt: skip


def bytes_mutated(rng: Random, data: bytes) -> bytes:
    return rng.choice(_WAYS)(rng, data)


def _flipped(rng: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 8])):
        if changed:
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _span(rng: Random, data: bytes) -> tuple[int, int]:
    begin = rng.randrange(len(data) + 1)
    return begin, min(len(data), begin + rng.choice([1, 2, 4, 16, 256, 4096]))


def _cut_out(rng: Random, data: bytes) -> bytes:
    begin, end = _span(rng, data)
    return data[:begin] + data[end:]


def _cut_off(rng: Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _doubled(rng: Random, data: bytes) -> bytes:
    begin, end = _span(rng, data)
    return data[:end] + data[begin:]


def _overwritten(rng: Random, data: bytes) -> bytes:
    begin, end = _span(rng, data)
    filling = rng.choice(
        [bytes(end - begin), b"\xff" * (end - begin), rng.randbytes(end - begin), b"7" * (end - begin)]
    )
    return data[:begin] + filling + data[end:]


_PIECES: Final = (
    *(
        b"\0", b"\n", b"\r\n", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
        b'"', b"{",
    ),
    *(b"[" * DEEP, b"\x1b[2J", b"0" * 5000, bytes(512), b" " * 100_000, b"\\ud800", b"PK\x05\x06", b"\x1f\x8b"),
)  # fmt: skip


def _put_in(rng: Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice(_PIECES) + data[at:]


def _joined(rng: Random, data: bytes) -> bytes:
    return rng.choice(
        [data + data, data + b"\n" + data, b"\n" * 5 + data, data + b"\0" * 1024, data + rng.randbytes(64)]
    )


def _other_encoding(rng: Random, data: bytes) -> bytes:
    text = data.decode("latin-1")
    return text.encode(
        rng.choice(["utf-16", "utf-16-le", "utf-32", "utf-32-be", "utf-8-sig", "utf-7"]), "surrogatepass"
    )


def _packed(rng: Random, data: bytes) -> bytes:
    """Compress the data, or replace it with a bomb, which the memory cap reveals."""
    bomb = bytes(BOMB_BYTES) if rng.random() < 0.1 else data
    packers: list[Callable[[bytes], bytes]] = [gzip.compress, zlib.compress, ZstdCompressor().compress]
    return rng.choice(packers)(bomb)


def _nothing(rng: Random, data: bytes) -> bytes:
    return rng.choice([b"", b"\0", b" \n", data[:1], rng.randbytes(rng.randrange(600))])


_WAYS: Final[tuple[Callable[[Random, bytes], bytes], ...]] = (
    _flipped, _flipped, _flipped, _cut_out, _cut_off, _doubled, _overwritten, _overwritten, _put_in, _joined,
    _other_encoding, _packed, _nothing,
)  # fmt: skip
