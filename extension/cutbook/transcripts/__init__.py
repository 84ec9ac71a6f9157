"""Words and when they are said: the model, the engines, the store that never pays twice, the packed text."""
