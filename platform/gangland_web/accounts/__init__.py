"""People who sign in, and the first admin's one-time code."""
