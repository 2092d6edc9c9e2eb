"""Request handling shared by pages and the API: sessions, limits, caching, errors and middleware."""
