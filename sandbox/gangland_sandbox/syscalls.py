"""The numbers of the filter's system calls on both supported machines, without calls that a machine does not have.

Source: the kernel's own headers (asm/unistd_64.h, asm-generic/unistd.h).
"""

from typing import Final


def _table(text: str) -> dict[str, int]:
    items = text.split()
    return dict(zip(items[::2], map(int, items[1::2]), strict=True))


_BOTH: Final = """
    pidfd_send_signal 424  io_uring_setup 425  io_uring_enter 426  io_uring_register 427  open_tree 428
    move_mount 429  fsopen 430  fsconfig 431  fsmount 432  fspick 433  pidfd_open 434  clone3 435  close_range 436
    openat2 437  pidfd_getfd 438  faccessat2 439  process_madvise 440  epoll_pwait2 441  mount_setattr 442
    quotactl_fd 443  landlock_create_ruleset 444  memfd_secret 447  futex_waitv 449  futex_wait 455
"""
"""Newer calls have the same number on both architectures."""

X86_64: Final = _table(
    f"""
    read 0  write 1  open 2  close 3  stat 4  fstat 5  lstat 6  poll 7  lseek 8  mmap 9  mprotect 10  munmap 11
    brk 12  rt_sigaction 13  rt_sigprocmask 14  rt_sigreturn 15  ioctl 16  pread64 17  readv 19  writev 20
    access 21  pipe 22  select 23  sched_yield 24  mremap 25  madvise 28  shmget 29  shmat 30  dup 32  dup2 33
    pause 34  nanosleep 35  getitimer 36  alarm 37  setitimer 38  getpid 39  socket 41  connect 42  accept 43
    sendto 44  recvfrom 45  sendmsg 46  recvmsg 47  shutdown 48  bind 49  listen 50  getsockname 51  getpeername 52
    socketpair 53  setsockopt 54  getsockopt 55  clone 56  fork 57  vfork 58  execve 59  exit 60  wait4 61  kill 62
    uname 63  semget 64  msgget 68  fcntl 72  truncate 76  ftruncate 77  getcwd 79  readlink 89  gettimeofday 96
    getrlimit 97  getrusage 98  sysinfo 99  times 100  ptrace 101  getuid 102  syslog 103  getgid 104  setuid 105
    setgid 106  geteuid 107  getegid 108  setpgid 109  getppid 110  getpgrp 111  setsid 112  getgroups 115
    setgroups 116  setresuid 117  getresuid 118  setresgid 119  getresgid 120  getpgid 121  getsid 124  capset 126
    rt_sigtimedwait 128  rt_sigqueueinfo 129  rt_sigsuspend 130  sigaltstack 131  uselib 134  personality 135
    getpriority 140  setpriority 141  sched_setparam 142  sched_setscheduler 144  mlock 149  mlockall 151
    vhangup 153  modify_ldt 154  pivot_root 155  prctl 157  arch_prctl 158  adjtimex 159  setrlimit 160  chroot 161
    acct 163  settimeofday 164  mount 165  umount2 166  swapon 167  swapoff 168  reboot 169  sethostname 170
    setdomainname 171  iopl 172  ioperm 173  init_module 175  delete_module 176  quotactl 179  nfsservctl 180
    gettid 186  tkill 200  time 201  futex 202  sched_setaffinity 203  sched_getaffinity 204  io_getevents 208
    lookup_dcookie 212  getdents64 217  set_tid_address 218  restart_syscall 219  semtimedop 220  timer_create 222
    timer_settime 223  clock_settime 227  clock_gettime 228  clock_getres 229  clock_nanosleep 230  exit_group 231
    epoll_wait 232  tgkill 234  mq_open 240  mq_timedsend 242  mq_timedreceive 243  kexec_load 246  add_key 248
    request_key 249  keyctl 250  openat 257  mkdirat 258  mknodat 259  fchownat 260  newfstatat 262  unlinkat 263
    linkat 265  symlinkat 266  readlinkat 267  fchmodat 268  faccessat 269  pselect6 270  ppoll 271  unshare 272
    set_robust_list 273  utimensat 280  epoll_pwait 281  timerfd_create 283  fallocate 285  timerfd_settime 286
    accept4 288  signalfd4 289  eventfd2 290  epoll_create1 291  dup3 292  pipe2 293  inotify_init1 294
    rt_tgsigqueueinfo 297  perf_event_open 298  recvmmsg 299  fanotify_init 300  prlimit64 302
    name_to_handle_at 303  open_by_handle_at 304  clock_adjtime 305  sendmmsg 307  setns 308  process_vm_readv 310
    process_vm_writev 311  kcmp 312  finit_module 313  sched_setattr 314  renameat2 316  seccomp 317  getrandom 318
    memfd_create 319  kexec_file_load 320  bpf 321  execveat 322  userfaultfd 323  statx 332  io_pgetevents 333
    rseq 334
    {_BOTH}
    """
)
"""x86-64."""

AARCH64: Final = _table(
    f"""
    io_getevents 4  getcwd 17  lookup_dcookie 18  eventfd2 19  epoll_create1 20  epoll_pwait 22  dup 23  dup3 24
    fcntl 25  inotify_init1 26  ioctl 29  mknodat 33  mkdirat 34  unlinkat 35  symlinkat 36  linkat 37  umount2 39
    mount 40  pivot_root 41  nfsservctl 42  truncate 45  ftruncate 46  fallocate 47  faccessat 48  chroot 51
    fchmodat 53  fchownat 54  openat 56  close 57  vhangup 58  pipe2 59  quotactl 60  getdents64 61  lseek 62
    read 63  write 64  readv 65  writev 66  pread64 67  pselect6 72  ppoll 73  signalfd4 74  readlinkat 78
    newfstatat 79  fstat 80  timerfd_create 85  timerfd_settime 86  utimensat 88  acct 89  capset 91  personality 92
    exit 93  exit_group 94  set_tid_address 96  unshare 97  futex 98  set_robust_list 99  nanosleep 101
    getitimer 102  setitimer 103  kexec_load 104  init_module 105  delete_module 106  timer_create 107
    timer_settime 110  clock_settime 112  clock_gettime 113  clock_getres 114  clock_nanosleep 115  syslog 116
    ptrace 117  sched_setparam 118  sched_setscheduler 119  sched_setaffinity 122  sched_getaffinity 123
    sched_yield 124  restart_syscall 128  kill 129  tkill 130  tgkill 131  sigaltstack 132  rt_sigsuspend 133
    rt_sigaction 134  rt_sigprocmask 135  rt_sigtimedwait 137  rt_sigqueueinfo 138  rt_sigreturn 139
    setpriority 140  getpriority 141  reboot 142  setgid 144  setuid 146  setresuid 147  getresuid 148
    setresgid 149  getresgid 150  times 153  setpgid 154  getpgid 155  getsid 156  setsid 157  getgroups 158
    setgroups 159  uname 160  sethostname 161  setdomainname 162  getrlimit 163  setrlimit 164  getrusage 165
    prctl 167  gettimeofday 169  settimeofday 170  adjtimex 171  getpid 172  getppid 173  getuid 174  geteuid 175
    getgid 176  getegid 177  gettid 178  sysinfo 179  mq_open 180  mq_timedsend 182  mq_timedreceive 183  msgget 186
    semget 190  semtimedop 192  shmget 194  shmat 196  socket 198  socketpair 199  bind 200  listen 201  accept 202
    connect 203  getsockname 204  getpeername 205  sendto 206  recvfrom 207  setsockopt 208  getsockopt 209
    shutdown 210  sendmsg 211  recvmsg 212  brk 214  munmap 215  mremap 216  add_key 217  request_key 218
    keyctl 219  clone 220  execve 221  mmap 222  swapon 224  swapoff 225  mprotect 226  mlock 228  mlockall 230
    madvise 233  rt_tgsigqueueinfo 240  perf_event_open 241  accept4 242  recvmmsg 243  wait4 260  prlimit64 261
    fanotify_init 262  name_to_handle_at 264  open_by_handle_at 265  clock_adjtime 266  setns 268  sendmmsg 269
    process_vm_readv 270  process_vm_writev 271  kcmp 272  finit_module 273  sched_setattr 274  renameat2 276
    seccomp 277  getrandom 278  memfd_create 279  bpf 280  execveat 281  userfaultfd 282  statx 291
    io_pgetevents 292  rseq 293  kexec_file_load 294
    {_BOTH}
    """
)
"""64-bit ARM, the generic table."""

NEWEST: Final = 462
"""The last call (`mseal`) when these tables were made; a C library probes for later ones."""
