"""Pictures and clips of a recorded game: what the viewer shows, as files that work anywhere."""
