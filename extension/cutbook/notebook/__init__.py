"""The notebook edge: magics, displays, progress and the review."""
