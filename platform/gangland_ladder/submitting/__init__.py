"""The client of `/api/v1`: sending bots to a site and following them there."""
