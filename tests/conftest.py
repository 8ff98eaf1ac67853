"""What all tests share."""

from hypothesis import settings

# The machine may be slow or shared: no test may fail for the time it takes. And none for luck: each commit
# tries the same examples everywhere. To look for new ones: pytest --hypothesis-profile=explore.
settings.register_profile("noodle", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=300)
settings.load_profile("noodle")
