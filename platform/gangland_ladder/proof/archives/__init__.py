"""Archives: one file of a whole tournament, and the proof of every fact in it."""
