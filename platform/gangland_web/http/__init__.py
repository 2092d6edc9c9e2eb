"""HTTP plumbing: sessions, limits, errors, caching, compression, security headers."""
