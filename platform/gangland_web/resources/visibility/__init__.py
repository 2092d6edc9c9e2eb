"""Who sees what of tournaments and matches."""
