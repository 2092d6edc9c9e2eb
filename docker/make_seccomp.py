#!/usr/bin/env python3
"""Write worker-seccomp.json: which system calls a match worker's container may make.

Everything that is not named is refused, other machines' call tables too (x32, int 0x80).  The list is
what Python and its libraries need, and, in the group `jail`, what bubblewrap needs to build a jail
without any capability; inside the jail a far narrower filter of our own stands (gangland_sandbox.seccomp).

    python docker/make_seccomp.py          writes the file beside this one
    python docker/make_seccomp.py --print  prints it
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

TARGET = Path(__file__).with_name("worker-seccomp.json")

GROUPS = {
    "files": """
        access chdir chmod chown close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64
        fallocate fchdir fchmod fchmodat fchmodat2 fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fstat
        fstatfs fsync ftruncate futimesat getcwd getdents getdents64 getxattr lchown lgetxattr link linkat listxattr
        llistxattr lseek lstat mkdir mkdirat newfstatat open openat openat2 pread64 preadv preadv2 pwrite64 pwritev
        pwritev2 read readahead readlink readlinkat readv rename renameat renameat2 rmdir sendfile splice stat statfs
        statx symlink symlinkat sync sync_file_range syncfs tee truncate umask unlink unlinkat utime utimensat utimes
        vmsplice write writev""",
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


def main() -> None:
    """Write the profile, or print it."""
    text = json.dumps(profile(), indent=2) + "\n"
    if "--print" in sys.argv[1:]:
        sys.stdout.write(text)
    else:
        TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
