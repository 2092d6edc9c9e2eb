"""Commands of those who run an installation."""
