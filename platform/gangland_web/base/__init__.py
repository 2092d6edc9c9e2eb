"""Helper functions without database or HTTP: text, formats, the clock, charts and secrets."""
