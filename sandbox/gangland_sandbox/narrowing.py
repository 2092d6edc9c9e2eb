"""Build a tiny shared library that installs the filter for bots (`seccomp`) in the process that loads it.

Python has no function for this, and the usual way, `ctypes`, would give every bot the whole C library.  So this module
writes the library byte by byte.  Importing it as an extension module makes two system calls, then fails, because there
is no module.  The first call makes a breakpoint in the library the handler of SIGSYS.  Nothing handles the breakpoint's
SIGTRAP, so a system call that the filter answers with SIGSYS (`seccomp.TRAP`) kills the process with SIGTRAP, which
tells the referee that the process tried to wait.  The second call is prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, the
filter).  If a bot loads the library, both calls are denied.

The layout is that of System V: the ELF header, program headers, a hash table with one symbol, the code and the filter
in one read-only segment, the dynamic table in a second one.
"""

import struct
from typing import Final

from gangland_sandbox.zygote import LIBRARY_NAME

_PAGE: Final = 0x10000
"""The distance between the segments, which works for kernels with pages of up to 64 KiB."""
_MACHINES: Final = {"x86_64": 62, "aarch64": 183}
_HEADER, _PROGRAM, _SYMBOL, _DYNAMIC = struct.Struct("<16sHHIQQQIHHHHHH"), struct.Struct("<IIQQQQQQ"), 24, 16
_LOAD, _DYNAMIC_TYPE, _STACK = 1, 2, 0x6474E551
_EXECUTE, _WRITE, _READ = 1, 2, 4
_RESTORER: Final = 0x04000000
"""SA_RESTORER: x86-64 rejects a handler without a restorer, although this handler never returns."""


def library(machine: str, rules: bytes) -> bytes:
    """Return the library for a machine (the output of `uname -m`) and a filter of eight bytes per instruction.

    Raises ValueError: there is no code for this machine.
    """
    if machine not in _MACHINES:
        raise ValueError(f"no code for {machine!r}; the supported machines are {', '.join(_MACHINES)}")
    names = b"\0PyInit_" + LIBRARY_NAME.encode() + b"\0"
    tables = _HEADER.size + 4 * _PROGRAM.size
    hashes = struct.pack("<5I", 1, 2, 1, 0, 0)  # one bucket, two symbols; the second one is in the bucket
    at_symbols = _align(tables + len(hashes), 8)
    at_names = at_symbols + 2 * _SYMBOL
    at_code = _align(at_names + len(names), 16)
    code = _code(machine, len(rules) // 8)
    at_rules = at_code + len(code)
    symbols = bytes(_SYMBOL) + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, at_code, len(code))
    dynamic = b"".join(
        struct.pack("<QQ", tag, value)
        for tag, value in ((4, tables), (5, at_names), (6, at_symbols), (10, len(names)), (11, _SYMBOL), (0, 0))
    )
    first = bytearray(at_rules) + rules
    for at, part in (
        (0, _head(machine, len(first), len(dynamic))),
        (tables, hashes),
        (at_symbols, symbols),
        (at_names, names),
        (at_code, code),
    ):
        first[at : at + len(part)] = part
    return bytes(first).ljust(_PAGE, b"\0") + dynamic


def _head(machine: str, first: int, dynamic: int) -> bytes:
    ident = b"\x7fELF\x02\x01\x01" + bytes(9)
    offsets_and_sizes = (0, _HEADER.size, 0, 0, _HEADER.size, _PROGRAM.size, 4, 0, 0, 0)
    header = _HEADER.pack(ident, 3, _MACHINES[machine], 1, *offsets_and_sizes)
    segments = (
        (_LOAD, _READ | _EXECUTE, 0, first, _PAGE),
        (_LOAD, _READ | _WRITE, _PAGE, dynamic, _PAGE),
        (_DYNAMIC_TYPE, _READ | _WRITE, _PAGE, dynamic, 8),
        (_STACK, _READ | _WRITE, 0, 0, 16),
    )
    packed = (_PROGRAM.pack(kind, flags, at, at, at, size, size, step) for kind, flags, at, size, step in segments)
    return header + b"".join(packed)


def _code(machine: str, instructions: int) -> bytes:
    """Return the function; the filter follows it immediately.

    It puts a `struct sigaction` (handler, flags, restorer, mask) on the stack and makes the first call with it, then a
    `struct sock_fprog` (the number of instructions, the filter's address) for the second, and returns a null pointer,
    which tells Python that there is no module.  The breakpoint is its last instruction.
    """
    return _x86_64(instructions) if machine == "x86_64" else _aarch64(instructions)


def _x86_64(instructions: int) -> bytes:
    address = b"\x48\x8d\x05"  # lea rax, [rip + distance], of the breakpoint and of the filter
    first = (
        b"\x6a\x00\x6a\x00"  # push 0; push 0
         b"\x68" + struct.pack("<i", _RESTORER)  # push the flags
        + b"\x50"  # push rax
        + b"\x48\x89\xe6"  # mov rsi, rsp
        + b"\xbf\x1f\x00\x00\x00"  # mov edi, 31
        + b"\x31\xd2"  # xor edx, edx
        + b"\x41\xba\x08\x00\x00\x00"  # mov r10d, 8
        + b"\xb8\x0d\x00\x00\x00\x0f\x05"  # mov eax, 13; syscall
    )  # fmt: skip
    second = (
        b"\x50"  # push rax
         b"\x68" + struct.pack("<i", instructions)  # push instructions
        + b"\x48\x89\xe2"  # mov rdx, rsp
        + b"\xbf\x16\x00\x00\x00"  # mov edi, 22
        + b"\xbe\x02\x00\x00\x00"  # mov esi, 2
        + b"\x45\x31\xd2\x45\x31\xc0"  # xor r10d, r10d; xor r8d, r8d
        + b"\xb8\x9d\x00\x00\x00\x0f\x05"  # mov eax, 157; syscall
        + b"\x48\x83\xc4\x30"  # add rsp, 48
        + b"\x31\xc0\xc3"  # xor eax, eax; ret
    )  # fmt: skip
    before = len(address + first + address + second) + 2 * 4
    second += b"\x90" * (-(before + 1) % 8) + b"\xcc"  # nops, int3
    to_filter = struct.pack("<i", len(second))
    to_breakpoint = struct.pack("<i", len(first + address + to_filter + second) - 1)
    return address + to_breakpoint + first + address + to_filter + second


def _aarch64(instructions: int) -> bytes:
    words = [
        0,  # adr x9, the breakpoint
        0xD2A0800A,  # mov x10, the flags
        0xA9BE2BE9,  # stp x9, x10, [sp, -32]!
        0xA9017FFF,  # stp xzr, xzr, [sp, 16]
        0xD28003E0,  # mov x0, 31
        0x910003E1,  # mov x1, sp
        0xD2800002,  # mov x2, 0
        0xD2800103,  # mov x3, 8
        0xD28010C8,  # mov x8, 134
        0xD4000001,  # svc 0
        0,  # adr x9, the filter
        0xD280000A | instructions << 5,  # mov x10, instructions
        0xA9BF27EA,  # stp x10, x9, [sp, -16]!
        0xD28002C0,  # mov x0, 22
        0xD2800041,  # mov x1, 2
        0x910003E2,  # mov x2, sp
        0xD2800003,  # mov x3, 0
        0xD2800004,  # mov x4, 0
        0xD28014E8,  # mov x8, 167
        0xD4000001,  # svc 0
        0x9100C3FF,  # add sp, sp, 48
        0xD2800000,  # mov x0, 0
        0xD65F03C0,  # ret
        0xD4200000,  # brk 0
    ]
    first, second = 0, 10
    words[first], words[second] = _adr(4 * (len(words) - 1 - first)), _adr(4 * (len(words) - second))
    return struct.pack(f"<{len(words)}I", *words)


def _adr(distance: int) -> int:
    """Return the instruction `adr x9` for an address `distance` bytes ahead."""
    return 0x10000009 | (distance & 3) << 29 | (distance >> 2) << 5


def _align(at: int, step: int) -> int:
    return -(-at // step) * step
