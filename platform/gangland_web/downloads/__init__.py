"""What a site hands out to be installed: its own wheel, the lock, starters, and packages that were fetched."""
