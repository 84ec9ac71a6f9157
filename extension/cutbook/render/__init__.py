"""From a cut list to a proved video file."""
