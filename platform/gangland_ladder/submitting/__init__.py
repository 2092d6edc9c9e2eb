"""Sending bots to a site and following them there: the other end of `/api/v1`."""
