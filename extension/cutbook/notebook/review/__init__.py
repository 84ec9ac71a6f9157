"""The cut review."""
