"""What the house knows of itself: a few facts that all its processes see."""
