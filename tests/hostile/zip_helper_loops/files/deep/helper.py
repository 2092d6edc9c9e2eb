"""Think for ever."""

while True:
    pass
