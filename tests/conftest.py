"""What all tests share."""

from hypothesis import settings

# The machine may be slow or shared: no test may fail for the time it takes.
settings.register_profile("noodle", deadline=None)
settings.load_profile("noodle")
