"""The system call filters of the jail, assembled here without a library.

They deny by default: calls that are not listed fail with EPERM, and unknown newer calls fail with ENOSYS.  Dangerous
calls kill the process, so that an attempt is noticed.  Calls that honest code may make (sockets, threads) fail with the
error that such code expects.

There are two filters, and the stricter result applies.  The first one applies to the whole jail.  Each process sets the
second one before its bot is loaded.  It allows no further process or program, no message with descriptors, no memory
that is writable and executable, and no wait with a timeout.
"""

import errno
import platform
import struct
from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from typing import Final

from gangland_sandbox.syscalls import AARCH64, NEWEST, X86_64

ARCHES: Final = {"x86_64": (0xC000003E, X86_64), "aarch64": (0xC00000B7, AARCH64)}
"""By `uname -m`: the kernel's audit number of the machine, and its system calls."""

KILL: Final = 0x80000000
TRAP: Final = 0x00030000
"""SIGSYS.  Its only handler is the breakpoint of `narrowing`, so the process ends by SIGTRAP, unlike with KILL."""
ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
X32_BIT: Final = 0x40000000

_LOAD, _AND, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16


class Stage(IntEnum):
    """The scope of a filter: the jail with its zygote, or a process with a bot."""

    ZYGOTE = 1
    BOT = 2


_ALWAYS_ALLOWED: Final = """
    read write readv writev pread64 close close_range lseek
    mmap munmap mprotect mremap brk rt_sigprocmask rt_sigreturn sigaltstack
    fstat getcwd
    dup dup2 dup3 getppid getuid geteuid getgid getegid getgroups getresuid getresgid
    getpgrp uname getrlimit getrusage times
    gettimeofday time getrandom
    set_robust_list rseq arch_prctl exit exit_group
""".split()

_ZYGOTE_ONLY: Final = """
    execve recvmsg wait4 sysinfo pipe pipe2 madvise getpid gettid set_tid_address
    stat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents64
""".split()
"""Allowed only for the zygote: bubblewrap starts it, it receives the pipes of a bot, and it waits for the bot's end.
A bot that creates pipes would change a counter that all processes on its core can read, and one that looks up a file
would leave a trace in the kernel's cache of names."""

_KILLED: Final = """
    ptrace bpf io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key
    mount umount2 pivot_root move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr chroot unshare setns
    process_vm_readv process_vm_writev process_madvise pidfd_getfd kcmp perf_event_open userfaultfd
    kexec_load kexec_file_load init_module finit_module delete_module reboot swapon swapoff acct quotactl quotactl_fd
    name_to_handle_at open_by_handle_at iopl ioperm modify_ldt settimeofday clock_settime adjtimex clock_adjtime
    syslog sethostname setdomainname vhangup uselib lookup_dcookie nfsservctl
""".split()

_WAITS: Final = """
    nanosleep clock_nanosleep select pselect6 ppoll epoll_wait epoll_pwait epoll_pwait2
    setitimer alarm timer_create timer_settime timerfd_create timerfd_settime
    pause rt_sigsuspend rt_sigtimedwait semtimedop mq_timedsend mq_timedreceive
    io_getevents io_pgetevents recvmmsg futex_waitv futex_wait
""".split()
"""Calls that can wait with a timeout, or be woken by a timer.  A sleeping bot would delay the other bots without being
charged, could time its decisions, and could pretend to wait for a core.  Calls with a pointer to their timeout,
such as `select`, are included even without a timeout, because the filter cannot read it."""
_FUTEX_WAITS: Final = (0, 6, 9, 11, 13)
"""FUTEX_WAIT, FUTEX_LOCK_PI, FUTEX_WAIT_BITSET, FUTEX_WAIT_REQUEUE_PI, FUTEX_LOCK_PI2."""
_FUTEX_COMMAND: Final = 0x7F
_RESERVED_SIGNALS: Final = (5, 31)
"""SIGTRAP and SIGSYS: they end a process that waits, so a bot may not handle, ignore or block them."""

_ALLOWED_IOCTLS: Final = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX: Python uses these on files.  TIOCSTI is not allowed."""
_ALLOWED_FCNTLS: Final = (0, 1, 2, 3, 4, 1030)
"""F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC."""
_WRITE_FLAGS: Final = 0o3 | 0o100 | 0o1000 | 0o20000000
"""O_ACCMODE, O_CREAT, O_TRUNC, and the bit of O_TMPFILE."""

_FORK_FLAGS: Final = (0x01200011, 0x11)
"""The flags of clone in a plain fork, by glibc and musl: SIGCHLD, CLONE_CHILD_SETTID, CLONE_CHILD_CLEARTID."""
_EXECUTABLE: Final = 4
"""PROT_EXEC."""
_WRITABLE: Final = 2
_ANONYMOUS: Final = 0x20
_FUTEX_PRIVATE: Final = 0x80
_MADVICE: Final = (0, 4, 8, 14, 15)
"""MADV_NORMAL, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE.  Other advice on shared pages, such as a
library's, would affect other processes."""
_CLOCKS: Final = (0, 1, 2, 3, 4, 5, 6, 7, 11)
"""The machine's clocks and a process's own.  Other numbers are clocks of other processes, and would reveal the age of
the jail through the CPU time of its zygote."""
_SET_SECCOMP: Final = 22
"""PR_SET_SECCOMP."""

Instruction = tuple[int, int, int, int]


def refuse(number: int) -> int:
    """Return the filter's answer for a call that fails with this errno."""
    return _ERRNO | number


def _answer(value: int) -> Instruction:
    return (_RETURN, 0, 0, value)


def _argument(index: int, *, high: bool = False) -> Instruction:
    """Load the low (or high) 32 bits of an argument; both machines are little-endian."""
    return (_LOAD, 0, 0, _FIRST_ARGUMENT + 8 * index + 4 * high)


def _always(value: int) -> list[Instruction]:
    return [_answer(value)]


def _one_of(index: int, allowed: Iterable[int], error: int = errno.EPERM) -> list[Instruction]:
    tests = [step for value in allowed for step in ((_JUMP_EQUAL, 0, 1, value), _answer(ALLOW))]
    return [_argument(index), *tests, _answer(refuse(error))]


def _read_only(index: int) -> list[Instruction]:
    return [_argument(index), (_JUMP_SET, 0, 1, _WRITE_FLAGS), _answer(refuse(errno.EROFS)), _answer(ALLOW)]


def _private_futex() -> list[Instruction]:
    """Allow futexes within one process; one on a shared page would let two jails communicate."""
    return [_argument(1), (_JUMP_SET, 0, 1, _FUTEX_PRIVATE), _answer(ALLOW), _answer(refuse(errno.EPERM))]


def _untimed_futex() -> list[Instruction]:
    """Allow the futexes of `_private_futex`, but trap waits with a timeout (a pointer: both halves are checked)."""
    waits = [(_JUMP_EQUAL, len(_FUTEX_WAITS) - at, 0, command) for at, command in enumerate(_FUTEX_WAITS)]
    return [
        _argument(1),
        (_JUMP_SET, 1, 0, _FUTEX_PRIVATE),
        _answer(refuse(errno.EPERM)),
        (_AND, 0, 0, _FUTEX_COMMAND),
        *waits,
        _answer(ALLOW),
        _argument(3),
        (_JUMP_EQUAL, 0, 3, 0),
        _argument(3, high=True),
        (_JUMP_EQUAL, 0, 1, 0),
        _answer(ALLOW),
        _answer(TRAP),
    ]


def _poll_without_wait() -> list[Instruction]:
    return [_argument(2), (_JUMP_EQUAL, 0, 1, 0), _answer(ALLOW), _answer(TRAP)]


def _signal_handlers() -> list[Instruction]:
    denial = _answer(refuse(errno.EPERM))
    denials = [step for number in _RESERVED_SIGNALS for step in ((_JUMP_EQUAL, 0, 1, number), denial)]
    return [_argument(0), *denials, _answer(ALLOW)]


def _not_executable() -> list[Instruction]:
    return [_argument(2), (_JUMP_SET, 0, 1, _EXECUTABLE), _answer(refuse(errno.EACCES)), _answer(ALLOW)]


def _mmap() -> list[Instruction]:
    """Allow mmap, but executable only for read-only pages of a file; no file in the jail can be written."""
    denial = _answer(refuse(errno.EACCES))
    return [
        _argument(2),
        (_JUMP_SET, 1, 0, _EXECUTABLE),
        _answer(ALLOW),
        (_JUMP_SET, 0, 1, _WRITABLE),
        denial,
        _argument(3),
        (_JUMP_SET, 0, 1, _ANONYMOUS),
        denial,
        _answer(ALLOW),
    ]


@cache
def _rules(stage: Stage) -> dict[str, list[Instruction]]:
    rules = {name: _always(ALLOW) for name in _ALWAYS_ALLOWED}
    rules |= {
        "futex": _private_futex(),
        "ioctl": _one_of(1, _ALLOWED_IOCTLS),
        "fcntl": _one_of(1, _ALLOWED_FCNTLS),
        "prlimit64": _one_of(0, (0,)),
        **{name: _one_of(0, (0,)) for name in ("getpgid", "getsid", "sched_getaffinity")},
        "getpriority": _one_of(1, (0,)),
        **{name: _one_of(0, _CLOCKS) for name in ("clock_gettime", "clock_getres")},
        "clone3": _always(refuse(errno.ENOSYS)),
        "sched_yield": _always(refuse(0)),  # succeeds and does nothing: a bot has no thread to yield to
    }
    if stage is Stage.ZYGOTE:
        rules |= {name: _always(ALLOW) for name in (*_ZYGOTE_ONLY, "fork", "poll", "rt_sigaction")}
        rules |= {"openat": _read_only(2), "open": _read_only(1)}
        rules |= {
            "clone": _one_of(0, _FORK_FLAGS, errno.EAGAIN),
            "vfork": _always(refuse(errno.EAGAIN)),
            "prctl": _one_of(0, (_SET_SECCOMP,)),
        }
    else:
        rules |= {name: _always(refuse(errno.EAGAIN)) for name in ("fork", "vfork", "clone")}
        rules |= {name: _always(refuse(0)) for name in ("getpid", "gettid")}  # both return 0
        rules |= {name: _always(TRAP) for name in _WAITS}
        rules |= {"futex": _untimed_futex(), "poll": _poll_without_wait(), "rt_sigaction": _signal_handlers()}
        rules |= {"mmap": _mmap(), "mprotect": _not_executable(), "madvise": _one_of(2, _MADVICE, errno.EINVAL)}
    rules |= {name: _always(KILL) for name in _KILLED}
    return rules


def assemble(machine: str, stage: Stage) -> list[Instruction]:
    """Return the filter of a stage for a machine, as (code, jump if true, jump if false, value).

    Raises ValueError: there is no table for this machine.
    """
    if machine not in ARCHES:
        raise ValueError(f"no system call table for {machine!r}; the supported machines are {', '.join(ARCHES)}")
    audit, numbers = ARCHES[machine]
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCH),
        (_JUMP_EQUAL, 1, 0, audit),
        _answer(KILL),
        (_LOAD, 0, 0, _NUMBER),
        (_JUMP_GREATER_EQUAL, 0, 1, X32_BIT),
        _answer(KILL),
    ]
    for name, rule in _rules(stage).items():
        if name in numbers:
            program += [(_JUMP_EQUAL, 0, len(rule), numbers[name]), *rule]
    program += [(_JUMP_GREATER_EQUAL, 0, 1, NEWEST + 1), _answer(refuse(errno.ENOSYS)), _answer(refuse(errno.EPERM))]
    return program


def pack(program: list[Instruction]) -> bytes:
    """Return a filter in the kernel's format."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


@cache
def filter_bytes(stage: Stage) -> bytes:
    """Return a stage's filter for this machine, for `bwrap --seccomp` and prctl.  Raises ValueError: no table."""
    return pack(assemble(platform.machine(), stage))
