"""The arcade over HTTP: one module for each group of routes, all under /api."""

from __future__ import annotations

from litestar import Router

from rookery.web.api import catalogue, daily, endings, games, health, profile, puzzles, reviews

ROUTES = Router(
    "/api",
    route_handlers=[
        health.health,
        catalogue.catalogue,
        catalogue.compile_progress,
        catalogue.demo,
        catalogue.sheet,
        catalogue.rules,
        catalogue.preview,
        games.GamesController,
        games.upload,
        endings.game_ending,
        reviews.begin,
        reviews.progress,
        daily.daily,
        daily.begin_daily,
        daily.leaderboard,
        puzzles.PuzzleController,
        profile.ProfileController,
    ],
)
"""Everything under /api."""
