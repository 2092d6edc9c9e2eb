"""Running an installation: `gangland up`, administration, backups, metrics, the HTTP server."""
