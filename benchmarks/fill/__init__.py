"""A plausible site of any size, written into a database in minutes instead of played in months."""
