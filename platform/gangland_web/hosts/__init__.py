"""Worker hosts: the machines that play matches, each with a credential of its own."""
