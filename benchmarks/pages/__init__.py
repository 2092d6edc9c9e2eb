"""Pages a second, all of them made, over a database that `benchmarks.fill` has made."""
