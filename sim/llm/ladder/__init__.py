"""From any text of a model to checked data, or to a typed failure."""
