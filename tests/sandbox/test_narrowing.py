"""The library that sets a bot's filter: a valid one for both machines, and nothing in it but that."""

import struct

import pytest

from gangland_sandbox import narrowing, seccomp, zygote

MACHINES = sorted(seccomp.ARCHES)
LOAD, DYNAMIC, STACK = 1, 2, 0x6474E551
RUN, WRITE = 1, 2
SIGSYS = 31


def rules_of(machine: str) -> bytes:
    return seccomp.pack(seccomp.assemble(machine, seccomp.Stage.BOT))


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
    table = dynamic(data)
    name, _, _, _, value, size = struct.unpack_from("<IBBHQQ", data, table[6] + 24)
    start = table[5] + name
    return data[start : data.index(b"\0", start)], value, size


@pytest.mark.parametrize("machine", MACHINES)
def test_it_is_one_function_by_the_modules_name_and_its_filter_and_nothing_is_written_and_run(machine: str) -> None:
    rules = rules_of(machine)
    data = narrowing.library(machine, rules)
    name, place, size = symbol(data)
    assert name == f"PyInit_{zygote.LIBRARY_NAME}".encode()
    assert data[place + size : place + size + len(rules)] == rules
    assert (place + size) % 4 == 0
    found = segments(data)
    assert all(not (flags & RUN and flags & WRITE) for _, flags, *_ in found)
    assert [flags & RUN for kind, flags, *_ in found if kind == STACK] == [0]
    assert sum(kind == LOAD for kind, *_ in found) == 2


def test_the_code_for_x86_64_sets_handler_and_filter_by_the_kernels_numbers() -> None:
    data, numbers = narrowing.library("x86_64", rules_of("x86_64")), seccomp.ARCHES["x86_64"][1]
    _, place, size = symbol(data)
    code = data[place : place + size]
    first, second = 0, code.index(b"\x48\x8d\x05", 1)
    for at, what in ((first, size - 1), (second, size)):  # the breakpoint, and the filter after it
        assert at + 7 + struct.unpack_from("<i", code, at + 3)[0] == what
    assert code[-1:] == b"\xcc"
    assert struct.pack("<i", len(rules_of("x86_64")) // 8) in code
    assert [code[:second].count(b"\x0f\x05"), code[second:].count(b"\x0f\x05")] == [1, 1]  # a system call each
    for register, value in ((b"\xbf", SIGSYS), (b"\x41\xba", 8), (b"\xb8", numbers["rt_sigaction"])):
        assert register + struct.pack("<i", value) in code[:second]
    for register, value in ((b"\xbf", 22), (b"\xbe", 2), (b"\xb8", numbers["prctl"])):
        assert register + struct.pack("<i", value) in code[second:]


def test_the_code_for_aarch64_sets_handler_and_filter_by_the_kernels_numbers() -> None:
    rules, numbers = rules_of("aarch64"), seccomp.ARCHES["aarch64"][1]
    data = narrowing.library("aarch64", rules)
    _, place, size = symbol(data)
    words = struct.unpack_from(f"<{size // 4}I", data, place)
    second = next(at for at, word in enumerate(words) if at and word & 0x9F00001F == 0x10000009)
    for at, what in ((0, size - 4), (second, size)):  # adr x9 to the breakpoint, and to the filter after it
        assert 4 * at + ((words[at] >> 5 & 0x7FFFF) << 2 | words[at] >> 29 & 3) == what
    assert words[-1] == 0xD4200000  # brk
    handler, filtering = (
        {word & 31: word >> 5 & 0xFFFF for word in part if word & 0xFFE00000 == 0xD2800000}
        for part in (words[:second], words[second:-3])
    )
    assert (handler[8], handler[0], handler[2], handler[3]) == (numbers["rt_sigaction"], SIGSYS, 0, 8)
    assert (filtering[8], filtering[10]) == (numbers["prctl"], len(rules) // 8)
    assert (filtering[0], filtering[1], filtering[3], filtering[4]) == (22, 2, 0, 0)
    assert [part.count(0xD4000001) for part in (words[:second], words[second:])] == [1, 1]  # a system call each


def test_a_machine_without_code_is_named() -> None:
    with pytest.raises(ValueError, match="riscv64"):
        narrowing.library("riscv64", b"")
