"""Between pages and services: sessions, limits, caching, errors and what happens around every request."""
