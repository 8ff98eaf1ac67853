"""Analysis of the records of a run: nothing here knows an agent, a model or a clock."""
