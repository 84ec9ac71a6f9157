"""What a file is and what is in it: streams, frames, sound, and the one place that runs ffmpeg."""
