"""What many bots try one after the other: part of the upload of each that does."""


def escaped(attempt):
    """Try something that must not work; say so if it does."""
    try:
        return [f"ESCAPED {attempt()!r}"[:200]]
    except (Exception, SystemExit) as failure:
        return [type(failure).__name__]
