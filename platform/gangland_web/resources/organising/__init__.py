"""The organiser's console as it is read."""
