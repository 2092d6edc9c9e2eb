"""Tables, a module a subject."""
