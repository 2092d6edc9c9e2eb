"""The filter, run here by an interpreter of its own instructions: every rule, on both machines."""

import errno
import struct
from collections.abc import Sequence

import pytest

from gangland_sandbox import seccomp
from gangland_sandbox.seccomp import ALLOW, ARCHES, KILL, TRAP, Instruction, Stage, assemble, pack, refuse

MACHINES = sorted(ARCHES)
EPERM, EAGAIN, ENOSYS, EROFS, EACCES = (
    refuse(code) for code in (errno.EPERM, errno.EAGAIN, errno.ENOSYS, errno.EROFS, errno.EACCES)
)
FORK = 0x01200011
HIGH = 1 << 32


def run(program: list[Instruction], arch: int, number: int, arguments: tuple[int, ...] = ()) -> int:
    data = struct.pack("<IIQ6Q", number, arch, 0, *(*arguments, *(0,) * (6 - len(arguments))))
    value = at = 0
    while True:
        code, jump_true, jump_false, constant = program[at]
        at += 1
        if code == 0x20:
            value = struct.unpack_from("<I", data, constant)[0]
        elif code == 0x54:
            value &= constant
        elif code == 0x06:
            return constant
        else:
            holds = {0x15: value == constant, 0x35: value >= constant, 0x45: bool(value & constant)}[code]
            at += jump_true if holds else jump_false


def answer(machine: str, stage: Stage, name: str, *arguments: int) -> int | None:
    """Return a filter's answer to a call by name, None where the machine has no such call."""
    arch, numbers = ARCHES[machine]
    return run(assemble(machine, stage), arch, numbers[name], arguments) if name in numbers else None


def answers(name: str, *arguments: int, stage: Stage = Stage.BOT) -> set[int]:
    """Return the answers on all machines with the call, at least one."""
    given = {answer(machine, stage, name, *arguments) for machine in MACHINES} - {None}
    assert given, name
    return given  # type: ignore[return-value]


READ, WRITE, RUN, PRIVATE, ANONYMOUS = 1, 2, 4, 2, 0x20
EINVAL = refuse(errno.EINVAL)
Calls = Sequence[tuple[int, Sequence[str], Sequence[tuple[int, ...]]]]  # answers, each with call names and arguments
CLOCKS = ["clock_gettime", "clock_getres"]
OPENING: list[tuple[str, tuple[int, ...]]] = [("openat", (0, 0)), ("open", (0,))]
WAITING = [(command, clock) for command in (0, 6, 9, 11, 13) for clock in (0, 0x100)]
OF_BOTS: dict[str, Calls] = {
    "what Python needs is allowed": [(ALLOW, "read write mmap brk getrandom exit exit_group".split(), [()])],
    "sockets are refused": [
        (EPERM, "socket socketpair connect bind listen accept4 sendto sendmsg recvmsg".split(), [()])
    ],
    "processes and threads are refused as if there were no room": [
        (EAGAIN, ["fork", "vfork", "clone"], [(), (FORK,)]),
        (ENOSYS, ["clone3"], [()]),  # so that libraries fall back to clone
    ],
    "advice on memory that others would feel is refused": [
        (EINVAL, ["madvise"], [(0, 4096, advice) for advice in (9, 12, 20, 21, 22, 23, 100, 101)]),
        (ALLOW, ["madvise"], [(0, 4096, 4)]),
    ],
    "what the zygote needs is denied": [
        (EPERM, ["execve", "wait4", "recvmsg", "pipe2"], [()]),
        (EPERM, ["prctl"], [(22,)]),
    ],
    "libraries are mapped to run, and nothing that can be written is": [
        (ALLOW, ["mmap"], [(0, 4096, READ | WRITE, PRIVATE | ANONYMOUS)]),
        (ALLOW, ["mmap"], [(0, 4096, READ, PRIVATE), (0, 4096, READ | RUN, PRIVATE)]),
        (EACCES, ["mmap"], [(0, 4096, READ | RUN, PRIVATE | ANONYMOUS)]),
        (EACCES, ["mmap"], [(0, 4096, READ | WRITE | RUN, flags) for flags in (PRIVATE, PRIVATE | ANONYMOUS)]),
        (EACCES, ["mmap"], [(0, 4096, RUN | HIGH, ANONYMOUS)]),
        (ALLOW, ["mprotect"], [(0, 4096, READ | WRITE)]),
        (EACCES, ["mprotect"], [(0, 4096, READ | RUN), (0, 4096, RUN)]),
    ],
    "a futex is for one process alone": [
        (ALLOW, ["futex"], [(0, 0x80), (0, 0x81), (0, 0x189)]),
        (EPERM, ["futex"], [(0, 0), (0, 1), (0, 0x109)]),
    ],
    "a futex with a time limit kills and one without waits": [
        *((ALLOW, ["futex"], [(0, 0x80 | command | clock, 0, 0)]) for command, clock in WAITING),
        *(
            (TRAP, ["futex"], [(0, 0x80 | command | clock, 0, limit) for limit in (1, 0x7FFE_0000_1000, HIGH)])
            for command, clock in WAITING
        ),
    ],
    "a futex that waits for nothing has a number where others have a time limit": [
        (ALLOW, ["futex"], [(0, 0x80 | command, 0, 0x7FFF_FFFF) for command in (1, 3, 4, 5, 7, 10, 12)])
    ],
    "signals that end a bot when it waits are handled by no bot": [
        (EPERM, ["rt_sigaction"], [(5,), (31,), (31 | HIGH,)]),
        (ALLOW, ["rt_sigaction"], [(2,), (11,)]),
    ],
    "a poll returns at once or kills": [
        (ALLOW, ["poll"], [(0, 1, 0)]),
        (TRAP, ["poll"], [(0, 1, limit) for limit in (1, 1000, 0xFFFF_FFFF)]),
    ],
    "what no honest bot calls kills": [(KILL, seccomp._KILLED, [()])],
    "the kernel's dangerous doors are among the deadly": [
        (KILL, "ptrace bpf io_uring_setup io_uring_enter keyctl add_key mount unshare setns pivot_root".split(), [()])
    ],
    "what is not listed is refused": [
        (
            EPERM,
            "memfd_create memfd_secret execveat kill tgkill pidfd_open sched_setaffinity setpriority".split(),
            [()],
        ),
        (EPERM, "prctl seccomp personality sysinfo shmget mq_open inotify_init1 mkdirat unlinkat".split(), [()]),
        (EPERM, "setpriority renameat2 truncate openat2 setuid epoll_create1".split(), [()]),
    ],
    "characters are pushed into no terminal, whatever the high bits say": [
        (EPERM, ["ioctl"], [(0, 0x5412), (0, 0x5412 | HIGH), (0, 0x541C), (0, 0x541C | HIGH), (0, 0x5413 ^ 1)]),
        (EPERM, ["ioctl"], [(0, 0xFFFF_FFFF)]),
    ],
    "what a file is may be asked": [(ALLOW, ["ioctl"], [(0, 0x5401), (0, 0x5401 | HIGH), (0, 0x5451)])],
    "descriptors are copied and marked, and nothing more": [
        (ALLOW, ["fcntl"], [(3, 1), (3, 1030)]),
        (EPERM, ["fcntl"], [(3, 1031), (3, 8), (3, 1024)]),
    ],
    "no path is looked up": [
        (EPERM, "open openat stat lstat newfstatat statx access faccessat faccessat2".split(), [()]),
        (EPERM, ["readlink", "readlinkat", "getdents64"], [()]),
    ],
    "the machine's clocks are read and the bot's own, and no other's": [
        (ALLOW, CLOCKS, [(clock,) for clock in (0, 1, 2, 3, 7, 11)]),
        *(
            (EPERM, CLOCKS, [((~pid << 3 | kind) & 0xFFFFFFFF,) for kind in (0, 1, 2, 3, 4, 6)])
            for pid in (0, 1, 7, 200)
        ),
    ],
    "a bot does not learn its number in the jail": [
        (refuse(0), ["getpid", "gettid"], [()]),
        (EPERM, ["set_tid_address"], [()]),
        (ALLOW, ["getpgid", "getsid", "sched_getaffinity"], [(0,)]),
        (EPERM, ["getpgid", "getsid", "sched_getaffinity"], [(7,)]),
        (ALLOW, ["getpriority"], [(0, 0)]),
        (EPERM, ["getpriority"], [(0, 7)]),
    ],
    "limits are read and set for oneself alone": [(ALLOW, ["prlimit64"], [(0,)]), (EPERM, ["prlimit64"], [(1,)])],
}
OF_THE_ZYGOTE: dict[str, Calls] = {
    "it may fork": [(ALLOW, ["clone"], [(FORK,), (0x11,)])],
    "it makes neither threads nor namespaces": [
        (EAGAIN, ["clone"], [(FORK | flag,) for flag in (0x100, 0x8000, 0x10000, 0x20000, 0x02000000, 0x40000000)]),
        (EAGAIN, ["clone"], [(FORK | flag,) for flag in (0x10000000, 0x20000000)]),
    ],
    "it starts and awaits bots": [(ALLOW, ["execve", "wait4", "recvmsg", "pipe2"], [()])],
    "its children add a filter": [(ALLOW, ["prctl"], [(22,)]), (EPERM, ["prctl"], [(4,)])],
    "it opens files for reading alone": [
        *((ALLOW, [name], [(*folder, 0), (*folder, 0o2000000)]) for name, folder in OPENING),
        *(
            (EROFS, [name], [(*folder, flags) for flags in (1, 2, 0o100, 0o1000, 0o20200000)])
            for name, folder in OPENING
        ),
    ],
}


@pytest.mark.parametrize(
    ("stage", "calls"),
    [(Stage.BOT, calls) for calls in OF_BOTS.values()] + [(Stage.ZYGOTE, calls) for calls in OF_THE_ZYGOTE.values()],
    ids=[*OF_BOTS, *(f"zygote: {rule}" for rule in OF_THE_ZYGOTE)],
)
def test_the_kernel_answers_calls_by_rule(stage: Stage, calls: Calls) -> None:
    for expected, names, tries in calls:
        for name in names:
            for arguments in tries:
                assert answers(name, *arguments, stage=stage) == {expected}, (name, arguments)


@pytest.mark.parametrize("name", [name for name in seccomp.ARCHES["x86_64"][1] if name not in seccomp._ALWAYS_ALLOWED])
def test_a_bot_may_call_nothing_that_its_zygote_may_not(name: str) -> None:
    for arguments in ((), (FORK,), (0, 1, 2), (1, 0x5401, 4, 0x20)):
        if answers(name, *arguments) == {ALLOW}:
            assert answers(name, *arguments, stage=Stage.ZYGOTE) == {ALLOW}


@pytest.mark.parametrize("name", seccomp._WAITS)
def test_what_time_may_end_kills(name: str) -> None:
    assert answers(name) == answers(name, 0, 0, 0, 0) == {TRAP}


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_newer_than_the_tables_does_not_exist_and_a_foreign_way_into_the_kernel_kills(machine: str) -> None:
    arch, numbers = ARCHES[machine]
    program = assemble(machine, Stage.BOT)
    assert run(program, arch, 463) == run(program, arch, 100_000) == ENOSYS
    i386, other = 0x40000003, next(number for name, (number, _) in ARCHES.items() if name != machine)
    assert run(program, i386, numbers["read"]) == KILL
    assert run(program, other, numbers["read"]) == KILL
    assert run(program, arch, seccomp.X32_BIT | numbers["read"]) == KILL


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("stage", Stage)
def test_the_filter_fits_the_kernel(machine: str, stage: Stage) -> None:
    program = assemble(machine, stage)
    assert len(program) <= 4096
    assert len(pack(program)) == 8 * len(program)
    assert all(jump < 256 for _, true, false, _ in program for jump in (true, false))


def test_a_machine_without_a_table_is_named() -> None:
    with pytest.raises(ValueError, match="riscv64"):
        assemble("riscv64", Stage.BOT)
