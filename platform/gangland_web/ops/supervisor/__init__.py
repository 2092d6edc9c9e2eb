"""`gangland up`: the whole platform on one machine, as children of one process."""
