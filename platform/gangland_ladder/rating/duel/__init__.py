"""Is the new bot better than the old one?  A sequential test on mirrored blocks (docs/duel.md)."""
