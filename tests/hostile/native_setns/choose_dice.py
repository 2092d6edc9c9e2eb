"""Call setns itself, through objects made by hand."""

from native import calls

choose_dice = calls("syscall", x86_64=308, aarch64=268)
