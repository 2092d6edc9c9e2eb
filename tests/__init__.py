"""The tests: a package, for libraries that install a `tests` of their own would hide a mere folder of that name."""
