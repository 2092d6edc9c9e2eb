"""Channels: which recorded game is shown as if it were live, and all that a screen says around it."""
