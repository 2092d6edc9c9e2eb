"""The worker that analyses games."""
