"""The filter, run here by an interpreter of its own instructions: every rule, on both machines."""

from __future__ import annotations

import errno
import struct

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
    """Return what the kernel would answer to a call, by the meaning of classic BPF."""
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
    """Return the answers on all machines that have the call; at least one does."""
    given = {answer(machine, stage, name, *arguments) for machine in MACHINES} - {None}
    assert given, name
    return given  # type: ignore[return-value]


@pytest.mark.parametrize("name", "read write mmap brk getrandom exit exit_group".split())
def test_what_python_needs_is_allowed(name: str) -> None:
    assert answers(name) == {ALLOW}


@pytest.mark.parametrize(
    "name", ["socket", "socketpair", "connect", "bind", "listen", "accept4", "sendto", "sendmsg", "recvmsg"]
)
def test_sockets_are_refused(name: str) -> None:
    assert answers(name) == {EPERM}


@pytest.mark.parametrize("name", ["fork", "vfork", "clone"])
def test_processes_and_threads_are_refused_as_if_there_were_no_room(name: str) -> None:
    assert answers(name) == answers(name, FORK) == {EAGAIN}


@pytest.mark.parametrize("flags", [FORK, 0x11])
def test_the_zygote_may_fork(flags: int) -> None:
    assert answers("clone", flags, stage=Stage.ZYGOTE) == {ALLOW}


@pytest.mark.parametrize("flag", [0x100, 0x10000, 0x20000, 0x02000000, 0x10000000, 0x20000000, 0x40000000, 0x8000])
def test_the_zygote_makes_neither_threads_nor_namespaces(flag: int) -> None:
    assert answers("clone", FORK | flag, stage=Stage.ZYGOTE) == {EAGAIN}


@pytest.mark.parametrize("advice", [9, 12, 20, 21, 22, 23, 100, 101])
def test_advice_on_memory_that_others_would_feel_is_refused(advice: int) -> None:
    assert answers("madvise", 0, 4096, advice) == {refuse(errno.EINVAL)}
    assert answers("madvise", 0, 4096, 4) == {ALLOW}


@pytest.mark.parametrize("name", ["execve", "wait4", "recvmsg", "pipe2"])
def test_what_the_zygote_needs_is_denied_to_bots(name: str) -> None:
    assert answers(name, stage=Stage.ZYGOTE) == {ALLOW}
    assert answers(name) == {EPERM}


def test_a_filter_can_be_added_by_the_zygotes_children_and_by_no_bot() -> None:
    assert answers("prctl", 22, stage=Stage.ZYGOTE) == {ALLOW}
    assert answers("prctl", 4, stage=Stage.ZYGOTE) == {EPERM}
    assert answers("prctl", 22) == {EPERM}


@pytest.mark.parametrize("name", [name for name in seccomp.ARCHES["x86_64"][1] if name not in seccomp._FREE])
def test_a_bot_may_call_nothing_that_its_zygote_may_not(name: str) -> None:
    for arguments in ((), (FORK,), (0, 1, 2), (1, 0x5401, 4, 0x20)):
        if answers(name, *arguments) == {ALLOW}:
            assert answers(name, *arguments, stage=Stage.ZYGOTE) == {ALLOW}


READ, WRITE, RUN, PRIVATE, ANONYMOUS = 1, 2, 4, 2, 0x20


@pytest.mark.parametrize(
    ("protection", "flags", "expected"),
    [
        (READ | WRITE, PRIVATE | ANONYMOUS, ALLOW),
        (READ, PRIVATE, ALLOW),
        (READ | RUN, PRIVATE, ALLOW),
        (READ | RUN, PRIVATE | ANONYMOUS, EACCES),
        (READ | WRITE | RUN, PRIVATE | ANONYMOUS, EACCES),
        (READ | WRITE | RUN, PRIVATE, EACCES),
        (RUN | HIGH, ANONYMOUS, EACCES),
    ],
)
def test_a_bot_maps_libraries_to_run_and_nothing_that_it_can_write(protection: int, flags: int, expected: int) -> None:
    assert answers("mmap", 0, 4096, protection, flags) == {expected}


def test_a_futex_is_for_one_process_alone() -> None:
    assert answers("futex", 0, 0x80) == answers("futex", 0, 0x81) == answers("futex", 0, 0x189) == {ALLOW}
    assert answers("futex", 0, 0) == answers("futex", 0, 1) == answers("futex", 0, 0x109) == {EPERM}


@pytest.mark.parametrize("name", seccomp._WAITS)
def test_what_time_may_end_kills(name: str) -> None:
    assert answers(name) == answers(name, 0, 0, 0, 0) == {TRAP}


def test_no_bot_has_the_signals_handled_by_which_it_ends_when_it_waits() -> None:
    assert answers("rt_sigaction", 5) == answers("rt_sigaction", 31) == answers("rt_sigaction", 31 | HIGH) == {EPERM}
    assert answers("rt_sigaction", 2) == answers("rt_sigaction", 11) == {ALLOW}


@pytest.mark.parametrize("command", [0, 6, 9, 11, 13])
@pytest.mark.parametrize("clock", [0, 0x100])
def test_a_futex_with_a_time_limit_kills_and_one_without_waits(command: int, clock: int) -> None:
    assert answers("futex", 0, 0x80 | command | clock, 0, 0) == {ALLOW}
    for limit in (1, 0x7FFE_0000_1000, HIGH):
        assert answers("futex", 0, 0x80 | command | clock, 0, limit) == {TRAP}


@pytest.mark.parametrize("command", [1, 3, 4, 5, 7, 10, 12])
def test_futexes_that_wait_for_nothing_have_a_number_where_others_have_a_time_limit(command: int) -> None:
    assert answers("futex", 0, 0x80 | command, 0, 0x7FFF_FFFF) == {ALLOW}


def test_a_poll_returns_at_once_or_kills() -> None:
    assert answers("poll", 0, 1, 0) == {ALLOW}
    for limit in (1, 1000, 0xFFFF_FFFF):
        assert answers("poll", 0, 1, limit) == {TRAP}


def test_a_bot_makes_no_memory_runnable() -> None:
    assert answers("mprotect", 0, 4096, READ | WRITE) == {ALLOW}
    assert answers("mprotect", 0, 4096, READ | RUN) == answers("mprotect", 0, 4096, RUN) == {EACCES}


def test_clone3_looks_as_if_it_did_not_exist_so_that_libraries_fall_back_to_clone() -> None:
    assert answers("clone3") == {ENOSYS}


@pytest.mark.parametrize("name", seccomp._DEADLY)
def test_what_no_honest_bot_calls_kills(name: str) -> None:
    assert answers(name) == {KILL}


@pytest.mark.parametrize(
    "name", "ptrace bpf io_uring_setup io_uring_enter keyctl add_key mount unshare setns pivot_root".split()
)
def test_the_kernels_dangerous_doors_are_among_the_deadly(name: str) -> None:
    assert name in seccomp._DEADLY


@pytest.mark.parametrize(
    "name",
    "memfd_create memfd_secret execveat kill tgkill pidfd_open sched_setaffinity setpriority prctl seccomp personality "
    "sysinfo shmget mq_open inotify_init1 mkdirat unlinkat renameat2 truncate openat2 setuid epoll_create1".split(),
)
def test_what_is_not_listed_is_refused(name: str) -> None:
    assert answers(name) == {EPERM}


@pytest.mark.parametrize("machine", MACHINES)
def test_a_call_newer_than_the_tables_does_not_exist(machine: str) -> None:
    arch, _ = ARCHES[machine]
    assert run(assemble(machine, Stage.BOT), arch, 463) == ENOSYS
    assert run(assemble(machine, Stage.BOT), arch, 100_000) == ENOSYS


@pytest.mark.parametrize("machine", MACHINES)
def test_a_foreign_way_into_the_kernel_kills(machine: str) -> None:
    arch, numbers = ARCHES[machine]
    program = assemble(machine, Stage.BOT)
    i386, other = 0x40000003, next(number for name, (number, _) in ARCHES.items() if name != machine)
    assert run(program, i386, numbers["read"]) == KILL
    assert run(program, other, numbers["read"]) == KILL
    assert run(program, arch, seccomp.X32_BIT | numbers["read"]) == KILL


@pytest.mark.parametrize("request_number", [0x5412, 0x5412 | HIGH, 0x541C, 0x541C | HIGH, 0x5413 ^ 1, 0xFFFF_FFFF])
def test_pushing_characters_into_a_terminal_is_refused_whatever_the_high_bits_say(request_number: int) -> None:
    assert answers("ioctl", 0, request_number) == {EPERM}


@pytest.mark.parametrize("request_number", [0x5401, 0x5401 | HIGH, 0x5451])
def test_asking_what_a_file_is_is_allowed(request_number: int) -> None:
    assert answers("ioctl", 0, request_number) == {ALLOW}


@pytest.mark.parametrize(("command", "expected"), [(1, ALLOW), (1030, ALLOW), (1031, EPERM), (8, EPERM), (1024, EPERM)])
def test_descriptors_are_copied_and_marked_and_nothing_more(command: int, expected: int) -> None:
    assert answers("fcntl", 3, command) == {expected}


@pytest.mark.parametrize(
    ("flags", "expected"),
    [(0, ALLOW), (0o2000000, ALLOW), (1, EROFS), (2, EROFS), (0o100, EROFS), (0o1000, EROFS), (0o20200000, EROFS)],
)
def test_the_zygote_opens_files_for_reading_alone(flags: int, expected: int) -> None:
    assert answers("openat", 0, 0, flags, stage=Stage.ZYGOTE) == {expected}
    assert answers("open", 0, flags, stage=Stage.ZYGOTE) == {expected}


@pytest.mark.parametrize(
    "name", "open openat stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents64".split()
)
def test_a_bot_looks_up_no_path(name: str) -> None:
    assert answers(name) == {EPERM}


@pytest.mark.parametrize("name", ["clock_gettime", "clock_getres"])
def test_a_bot_reads_the_machines_clocks_and_its_own(name: str) -> None:
    for clock in (0, 1, 2, 3, 7, 11):
        assert answers(name, clock) == {ALLOW}
    for pid in (0, 1, 7, 200):
        for kind in (0, 1, 2, 3, 4, 6):
            assert answers(name, (~pid << 3 | kind) & 0xFFFFFFFF) == {EPERM}


def test_a_bot_does_not_learn_its_number_in_the_jail() -> None:
    for name in ("getpid", "gettid"):
        assert answers(name) == {refuse(0)}
    assert answers("set_tid_address") == {EPERM}
    for name in ("getpgid", "getsid", "sched_getaffinity"):
        assert answers(name, 0) == {ALLOW}
        assert answers(name, 7) == {EPERM}
    assert answers("getpriority", 0, 0) == {ALLOW}
    assert answers("getpriority", 0, 7) == {EPERM}


def test_limits_are_read_and_set_for_oneself_alone() -> None:
    assert answers("prlimit64", 0) == {ALLOW}
    assert answers("prlimit64", 1) == {EPERM}


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
