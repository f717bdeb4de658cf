"""What all tests share: how hypothesis looks for cases."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The same cases in every run, so that a red test stays red; `slow` tests look further with seeds of their own.
# `make test-slow` chooses the second by --hypothesis-profile.
for name, examples in (("house", 20), ("thorough", 50)):
    settings.register_profile(
        name, derandomize=True, deadline=None, max_examples=examples, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("house")
