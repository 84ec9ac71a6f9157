"""The parts that make the sample takes: script, voices, sound, picture, container."""
