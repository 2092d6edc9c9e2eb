"""Hold no bot."""

class Subject:
    pass
