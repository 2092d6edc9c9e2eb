"""Call io_uring_setup itself, through objects made by hand."""

from native import calls

choose_dice = calls("syscall", x86_64=425, aarch64=425)
