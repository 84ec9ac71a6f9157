"""The composite: pictures, sound and words of a stretch of time, in one picture."""
