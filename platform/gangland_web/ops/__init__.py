"""Run an installation: `gangland up`, administration, backups, metrics, and the HTTP server."""
