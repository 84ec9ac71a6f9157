"""The cut list: what is kept of which take, in which order and why."""
