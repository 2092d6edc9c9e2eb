"""Write a plausible site of any size into a database, in minutes instead of months of play."""
