"""What all tests share: how hypothesis looks for cases, and how many threads torch begins with."""

import os

from hypothesis import HealthCheck, settings

# Several test processes share the cores: threads of torch that wait for each other would take three times as long.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# The same cases in every run, so that a red test stays red; `slow` tests look further with seeds of their own.
# `make test-slow` chooses the second by --hypothesis-profile.
for name, examples in (("house", 20), ("thorough", 50)):
    settings.register_profile(
        name, derandomize=True, deadline=None, max_examples=examples, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("house")
