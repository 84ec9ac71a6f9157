"""One module a magic: parse, call Project, show."""
