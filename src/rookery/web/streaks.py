"""Streaks: on how many days in a row somebody finished a daily challenge."""

from __future__ import annotations

from datetime import date, timedelta


def streaks(days: list[str], now: str) -> tuple[int, int]:
    """The current streak in days, which today may still extend, and the longest one."""
    dates = sorted({date.fromisoformat(day) for day in days})
    runs: list[list[date]] = []
    for each in dates:
        if runs and each - runs[-1][-1] == timedelta(days=1):
            runs[-1].append(each)
        else:
            runs.append([each])
    current = len(runs[-1]) if runs and date.fromisoformat(now) - runs[-1][-1] <= timedelta(days=1) else 0
    return current, max(map(len, runs), default=0)
