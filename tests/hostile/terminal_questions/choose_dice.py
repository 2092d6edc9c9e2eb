"""Try every request there is on its descriptors."""

import fcntl

from attempts import escaped


def choose_dice(self, view):
    for descriptor in (0, 1, 2):
        for request in (*range(0x5402, 0x5413), 0x5414, 0x541D, 0x5422, 0x5452, 0x8910, 0x80045430, 0x4004667F, 0x1277):
            self.log(*escaped(lambda: fcntl.ioctl(descriptor, request, bytearray(64))))
        for command in (5, 6, 7, 8, 9, 10, 11, 1024, 1026, 1031, 1033, 1036):
            self.log(*escaped(lambda: fcntl.fcntl(descriptor, command, 1)))
    return 1
