"""Functions of the C library, called through objects made by hand; part of each native bot's upload."""

import os
import struct
from opcode import opmap

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
            wide = b"".join(bytes((opmap["EXTENDED_ARG"], byte)) for byte in index[:3])
            load, back = (opmap["LOAD_CONST"], index[3]), (opmap["RETURN_VALUE"], 0)
            blank.__code__ = blank.__code__.replace(
                co_consts=consts, co_code=bytes((opmap["RESUME"], 0)) + wide + bytes((*load, *back))
            )
            return blank()
    raise MemoryError("no such luck")


def address_of(memory, wanted):
    """Return where a function of the C library is, as the interpreter's own tables in memory say."""

    def read(form, at):
        return struct.unpack(form, memory[at : at + struct.calcsize(form)])

    base = id(int) & -4096
    while bytes(memory[base : base + 4]) != b"\x7fELF":
        base -= 4096
    (headers,), (size, count) = read("<Q", base + 32), read("<HH", base + 54)
    programs = [read("<IIQQQQQQ", base + headers + size * i) for i in range(count)]
    bias = base - min(program[3] for program in programs if program[0] == 1)
    at, tags = bias + next(program[3] for program in programs if program[0] == 2), {}
    while (entry := read("<qQ", at))[0]:
        tags[entry[0]] = entry[1]
        at += 16
    for table, length in ((23, 2), (7, 8)):
        for i in range(tags.get(length, 0) // 24):
            offset, info, _ = read("<QQq", tags[table] + 24 * i)
            name = tags[5] + read("<I", tags[6] + 24 * (info >> 32))[0]
            if bytes(memory[name : name + len(wanted) + 1]) == wanted.encode() + b"\0":
                return read("<Q", bias + offset)[0]
    raise LookupError(wanted)


def native(wanted, first):
    """Return a function that calls one of the C library's with this number as its first argument."""
    memory = object_in(struct.pack("<QQQQQQQ", 1 << 40, id(bytearray), 2**62, 2**62, 0, 0, 0))
    entry = bytes(memory[id(len) + 48 : id(len) + 56])
    method = struct.pack("<QQi4xQ", 0, address_of(memory, wanted), 8, 0)
    KEPT.append(method)
    made = struct.pack("<QQQQQQ", 1 << 40, id(type(len)), id(method) + HEADER, first, 0, 0) + entry
    return object_in(made)


def calls(wanted, **numbers):
    """Return a `choose_dice` that calls a function of the C library's with this machine's number."""

    def choose_dice(self, view):
        native(wanted, numbers[os.uname().machine])(b"")
        self.log("ESCAPED: the call came back")
        return 1

    return choose_dice
