"""The error catalogue: one code for one finding, the same on command line, site and API."""
