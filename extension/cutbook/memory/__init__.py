"""What a project remembers: the log, what is served from it, and the open session."""
