"""Pictures of time: filmstrip, waveform, words and cuts of a range in one composite."""
