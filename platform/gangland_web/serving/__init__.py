"""How the site is served: processes on one socket, requests and answers buffered, threads for whole requests alone."""

from typing import Final

TOO_LARGE: Final = "gangland.body_too_large"
"""In the environment of a request whose body was not read, because it is larger than any body may be."""
