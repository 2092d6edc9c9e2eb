"""Measure pages per second without a page cache, with a database made by `benchmarks.fill`."""
