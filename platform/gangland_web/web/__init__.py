"""Between pages and services: sessions, limits, caching, errors and middleware."""
