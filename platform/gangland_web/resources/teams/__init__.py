"""Teams as they are read."""
