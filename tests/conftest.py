"""What all tests share: how hypothesis looks for cases."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The same cases in every run, so that a red test stays red; `slow` tests look further with seeds of their own.
settings.register_profile(
    "house", derandomize=True, deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")
