"""Wait for a friend at another table to call."""

import importlib
import socket

from attempts import escaped


def socketserver_of(name):
    return importlib.import_module(name).HTTPServer(("", 0), None)


def choose_dice(self, view):
    self.log(*escaped(lambda: socket.create_server(("127.0.0.1", 0))))
    self.log(*escaped(lambda: socketserver_of("http.server")))
    self.log(*escaped(lambda: socket.socket(socket.AF_UNIX).bind("\0gangland")))
    return 1
