"""The documentation under /docs, as `make docs` built it."""
