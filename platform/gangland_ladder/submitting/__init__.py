"""A client for `/api/v1`: uploading bots to a site and following their progress."""
