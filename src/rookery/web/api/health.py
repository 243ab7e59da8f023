"""Whether the server works, for a container engine or a load balancer."""

from __future__ import annotations

import asyncio

from litestar import get
from litestar.exceptions import ServiceUnavailableException
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from rookery import __version__
from rookery.web.api.common import AppRequest, error_responses, registry_of
from rookery.web.messages import Health

HEALTH_SECONDS = 10.0
"""Seconds the database may take to answer before the server counts as unhealthy."""


@get("/health", summary="Whether the arcade and its database work", responses=error_responses(503))
async def health(request: AppRequest) -> Health:
    """For a container engine or a load balancer."""
    try:
        async with asyncio.timeout(HEALTH_SECONDS):
            await registry_of(request).store.read(lambda connection: connection.execute(select(1)).scalar())
    except (SQLAlchemyError, TimeoutError):
        raise ServiceUnavailableException("The database does not answer.") from None
    return Health("ok", __version__)
