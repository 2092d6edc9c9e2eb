"""End by the C library's own _exit, with the status of one whom the filter has killed."""

from native import calls

choose_dice = calls("_exit", x86_64=159, aarch64=159)
