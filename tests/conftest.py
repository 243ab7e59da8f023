"""Settings all tests share."""

import os

from hypothesis import settings

settings.register_profile("rookery", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("rookery")
