"""Mail: what waits to be sent, what it says, and how it gets to the SMTP server."""
