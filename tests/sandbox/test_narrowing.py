"""The library that sets a bot's filter: a valid one for both machines, and nothing in it but that."""

from __future__ import annotations

import struct

import pytest

from gangland_sandbox.narrowing import library
from gangland_sandbox.seccomp import ARCHES, Stage, assemble, pack
from gangland_sandbox.zygote import NAME

MACHINES = sorted(ARCHES)
LOAD, DYNAMIC, STACK = 1, 2, 0x6474E551
RUN, WRITE = 1, 2


def rules_of(machine: str) -> bytes:
    return pack(assemble(machine, Stage.BOT))


def segments(data: bytes) -> list[tuple[int, ...]]:
    count = struct.unpack_from("<H", data, 56)[0]
    return [struct.unpack_from("<IIQQQQQQ", data, 64 + 56 * number) for number in range(count)]


def dynamic(data: bytes) -> dict[int, int]:
    (at,) = (offset for kind, _, offset, *_ in segments(data) if kind == DYNAMIC)
    found: dict[int, int] = {}
    while (entry := struct.unpack_from("<QQ", data, at))[0]:
        found[entry[0]], at = entry[1], at + 16
    return found


def symbol(data: bytes) -> tuple[bytes, int, int]:
    """Return the name, the place and the size of its one function."""
    table = dynamic(data)
    name, _, _, _, value, size = struct.unpack_from("<IBBHQQ", data, table[6] + 24)
    start = table[5] + name
    return data[start : data.index(b"\0", start)], value, size


@pytest.mark.parametrize("machine", MACHINES)
def test_python_finds_one_function_by_the_modules_name(machine: str) -> None:
    name, _, _ = symbol(library(machine, rules_of(machine)))
    assert name == f"PyInit_{NAME}".encode()


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_follows_the_function_whole(machine: str) -> None:
    rules = rules_of(machine)
    data = library(machine, rules)
    _, place, size = symbol(data)
    assert data[place + size : place + size + len(rules)] == rules
    assert (place + size) % 4 == 0


@pytest.mark.parametrize("machine", MACHINES)
def test_nothing_of_it_can_be_written_and_run_and_the_stack_cannot_be_run(machine: str) -> None:
    found = segments(library(machine, rules_of(machine)))
    assert all(not (flags & RUN and flags & WRITE) for _, flags, *_ in found)
    assert [flags & RUN for kind, flags, *_ in found if kind == STACK] == [0]
    assert sum(kind == LOAD for kind, *_ in found) == 2


def test_the_code_for_x86_64_sets_the_filter_by_the_kernels_numbers() -> None:
    data = library("x86_64", rules_of("x86_64"))
    _, place, size = symbol(data)
    code = data[place : place + size]
    distance = struct.unpack_from("<i", code, 3)[0]
    assert 7 + distance == size  # from the end of the first instruction to the filter
    assert struct.pack("<i", len(rules_of("x86_64")) // 8) in code
    assert code.count(b"\x0f\x05") == 1  # one system call
    for register, value in ((b"\xbf", 22), (b"\xbe", 2), (b"\xb8", ARCHES["x86_64"][1]["prctl"])):
        assert register + struct.pack("<i", value) in code


def test_the_code_for_aarch64_sets_the_filter_by_the_kernels_numbers() -> None:
    rules = rules_of("aarch64")
    data = library("aarch64", rules)
    _, place, size = symbol(data)
    words = struct.unpack_from(f"<{size // 4}I", data, place)
    immediate = (words[0] >> 5 & 0x7FFFF) << 2 | words[0] >> 29 & 3
    assert (words[0] & 0x9F00001F, immediate) == (0x10000009, size)  # adr x9 to what follows
    moved = {word & 31: word >> 5 & 0xFFFF for word in words if word & 0xFFE00000 == 0xD2800000}
    assert moved[8] == ARCHES["aarch64"][1]["prctl"]
    assert moved[10] == len(rules) // 8
    assert (moved[1], moved[3], moved[4]) == (2, 0, 0)
    assert words.count(0xD4000001) == 1  # one system call


def test_a_machine_without_code_is_named() -> None:
    with pytest.raises(ValueError, match="riscv64"):
        library("riscv64", b"")
