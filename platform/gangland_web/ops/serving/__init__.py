"""How the site is served: processes on one socket, requests and answers buffered, threads for whole requests alone."""
