"""Backups: everything that the database holds, in one file that either kind of database takes in."""
