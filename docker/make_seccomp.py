#!/usr/bin/env python3
"""Write worker-seccomp.json: which system calls a match worker's container may make.

Everything that is not named is refused, other machines' call tables too (x32, int 0x80).  The list is
what Python and its libraries need, and, in the group `jail`, what bubblewrap needs to build a jail
without any capability; inside the jail a far narrower filter of our own stands (gangland_sandbox.seccomp).

It was made from the list that container engines come with, engine-calls.txt; `--compare` tells how it differs.

    python docker/make_seccomp.py                 writes the file beside this one
    python docker/make_seccomp.py --print         prints it
    python docker/make_seccomp.py --compare       what it allows beyond the engines' list, and what it leaves out
    python docker/make_seccomp.py --compare FILE  the same, beside an engine's seccomp.json
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TARGET = Path(__file__).with_name("worker-seccomp.json")
ENGINES = Path(__file__).with_name("engine-calls.txt")

GROUPS = {
    "files": """
        access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64
        fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fstat
        fstatfs fsync ftruncate futimesat getcwd getdents getdents64 getxattr lchown lgetxattr link linkat listxattr
        llistxattr lseek lstat mkdir mkdirat newfstatat open openat openat2 pread64 preadv preadv2 pwrite64 pwritev
        pwritev2 read readahead readlink readlinkat readv rename renameat renameat2 rmdir sendfile splice stat statfs
        statx symlink symlinkat sync sync_file_range syncfs tee truncate umask unlink unlinkat utime utimensat utimes
        write writev""",
    "memory": """
        brk madvise membarrier memfd_create mincore mlock mlock2 mlockall mmap mprotect mremap msync munlock munlockall
        munmap pkey_alloc pkey_free pkey_mprotect""",
    "processes": """
        arch_prctl clone3 execve execveat exit exit_group fork futex futex_requeue futex_wait futex_waitv futex_wake
        get_robust_list get_thread_area getcpu getpgid getpgrp getpid getppid getpriority getrlimit getrusage getsid
        gettid kill pidfd_open pidfd_send_signal prctl prlimit64 restart_syscall rseq sched_get_priority_max
        sched_get_priority_min sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval
        sched_setaffinity sched_setattr sched_setparam sched_setscheduler sched_yield seccomp set_robust_list
        set_thread_area set_tid_address setpgid setpriority setrlimit setsid sysinfo tgkill times tkill uname vfork
        wait4 waitid""",
    "signals": """
        pause rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait
        rt_tgsigqueueinfo sigaltstack signalfd signalfd4""",
    "time": """
        alarm clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep setitimer time timer_create
        timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime""",
    "waiting": """
        epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait epoll_pwait2 epoll_wait epoll_wait_old eventfd
        eventfd2 inotify_add_watch inotify_init inotify_init1 inotify_rm_watch pipe pipe2 poll ppoll pselect6 select""",
    "sockets": """
        accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg
        sendmsg sendto setsockopt shutdown socketpair""",
    "identity": """
        capget capset getegid geteuid getgid getgroups getresgid getresuid getuid setfsgid setfsuid setgid setgroups
        setregid setresgid setresuid setreuid setuid""",
    "shared": """
        mq_getsetattr mq_notify mq_open mq_timedreceive mq_timedsend mq_unlink semctl semget semop semtimedop shmat
        shmctl shmdt shmget""",
    "other": "getrandom ioctl landlock_add_rule landlock_create_ruleset landlock_restrict_self",
    "jail": "clone mount pivot_root sethostname umount2 unshare",
}

FAMILIES = {"AF_UNIX": 1, "AF_INET": 2, "AF_INET6": 10, "AF_NETLINK": 16}
"""What a socket may be; netlink, because bubblewrap brings the jail's own loopback device up."""

NO_SUCH_CALL = 38  # ENOSYS: libraries then take the older way
NOT_PERMITTED = 1  # EPERM


def profile() -> dict[str, Any]:
    """Return the profile as the container engine reads it."""
    allowed = [
        {"names": sorted(names.split()), "action": "SCMP_ACT_ALLOW", "comment": group}
        for group, names in GROUPS.items()
    ]
    sockets = [
        {
            "names": ["socket"],
            "action": "SCMP_ACT_ALLOW",
            "args": [{"index": 0, "value": number, "op": "SCMP_CMP_EQ"}],
            "comment": family,
        }
        for family, number in FAMILIES.items()
    ]
    absent = {
        "names": ["io_uring_enter", "io_uring_register", "io_uring_setup"],
        "action": "SCMP_ACT_ERRNO",
        "errnoRet": NO_SUCH_CALL,
        "comment": "as on a kernel without it",
    }
    return {
        "defaultAction": "SCMP_ACT_ERRNO",
        "defaultErrnoRet": NOT_PERMITTED,
        "archMap": [
            {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
            {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
        ],
        "syscalls": [*allowed, *sockets, absent],
    }


def allowed_calls(made: dict[str, Any]) -> frozenset[str]:
    """Return the calls that a profile allows to a container without capabilities, whatever their arguments."""
    rules = [rule for rule in made["syscalls"] if rule["action"] == "SCMP_ACT_ALLOW"]
    plain = [rule for rule in rules if not (rule.get("includes") or {}).get("caps")]
    return frozenset(name for rule in plain for name in rule["names"])


def engines_calls(path: Path = ENGINES) -> frozenset[str]:
    """Return what engines allow by default: from a list of names, or from an engine's own profile (`.json`)."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".json":
        return allowed_calls(json.loads(text))
    return frozenset(name for line in text.splitlines() if not line.startswith("#") for name in line.split())


def compared(path: Path = ENGINES) -> str:
    """Return in words how this profile and what engines allow by default differ."""
    ours, theirs = allowed_calls(profile()), engines_calls(path)
    return f"allowed beyond it: {' '.join(sorted(ours - theirs))}\nleft out: {' '.join(sorted(theirs - ours))}\n"


def main(arguments: Sequence[str]) -> None:
    """Write the profile, print it, or tell how it differs from another."""
    text = json.dumps(profile(), indent=2) + "\n"
    if arguments[:1] == ["--compare"]:
        sys.stdout.write(compared(*map(Path, arguments[1:2])))
    elif arguments == ["--print"]:
        sys.stdout.write(text)
    elif arguments:
        sys.exit(f"expected --print, --compare or nothing, got {arguments[0]!r}")
    else:
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
