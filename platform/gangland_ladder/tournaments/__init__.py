"""The life of a tournament: states, deadlines, settling rounds."""
