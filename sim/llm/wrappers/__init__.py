"""Models around a model: the journal, limits, deadlines, retries and the choice of a server."""
