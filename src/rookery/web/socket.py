"""The WebSocket of a game: checks and carries out the viewers' messages, and sends them updates."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath
from sqlalchemy.exc import InterfaceError, OperationalError

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.search.cancel import Cancelled, CancelToken
from rookery.web import messages, metrics, updates
from rookery.web.fair_queue import Busy, Client
from rookery.web.limits import TokenBucket
from rookery.web.permissions import odds_allowed
from rookery.web.registry import NotFound
from rookery.web.rooms import Refused
from rookery.web.viewers import AnalysisUnderWay, Viewer
from rookery.web.views import analysis_reply, names_for

if TYPE_CHECKING:
    from rookery.web.limits import Limits
    from rookery.web.registry import RoomRegistry
    from rookery.web.rooms import Room

log = logging.getLogger("rookery.web")

decode = msgspec.json.Decoder(messages.ClientMessage).decode

NO_SUCH_GAME, TOO_MUCH, RECONNECT, TRY_LATER = 4404, 4429, 1012, 1013
NO_DATABASE = "The database does not answer; nothing was lost. Try again in a moment."
DATABASE_AWAY = (OperationalError, InterfaceError)

MAX_ANALYSES = 3
"""Requests for analyses by one viewer that may be under way."""


@websocket("/ws/games/{id:str}")
async def view(socket: WebSocket[Any, Any, Any], id: FromPath[str]) -> None:
    """Watch a game, and play in it if you hold a seat."""
    registry: RoomRegistry = socket.app.state.registry
    limits: Limits = socket.app.state.limits
    await socket.accept()
    client = Client(socket.scope["state"]["address"], socket.scope["state"]["person"])
    address = client.address
    if registry.drain.begun:
        await socket.close(RECONNECT, "Reconnect in a moment.")
        return
    open_now = socket.app.state.sockets
    try:
        room = await registry.visit(id, client)
    except NotFound as problem:
        await socket.close(NO_SUCH_GAME, str(problem))
        return
    except DATABASE_AWAY:
        await socket.close(TRY_LATER, NO_DATABASE)
        return
    if open_now.get(address, 0) >= limits.sockets:
        await socket.close(TOO_MUCH, "Too many games are open at this address; close some.")
        return
    open_now[address] = open_now.get(address, 0) + 1
    metrics.sockets_open.add(1)
    viewer = Viewer(client, socket.app.state.backlog, socket.scope["state"].get("drop"))
    room.enter(viewer)
    writer = asyncio.create_task(_write(socket, viewer))
    try:
        await _listen(socket, room, viewer, TokenBucket(limits.messages))
    except WebSocketDisconnect:
        pass
    finally:
        room.leave(viewer)
        viewer.cancel_analysis()
        writer.cancel()
        viewer.close()
        metrics.sockets_open.add(-1)
        open_now[address] -= 1
        if not open_now[address]:
            del open_now[address]


async def _write(socket: WebSocket[Any, Any, Any], viewer: Viewer) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # the viewer has left; _listen notices
        while (data := await viewer.next()) is not None:
            await socket.send_data(data, mode="text")
        await socket.close(RECONNECT, "Reconnect in a moment.")


async def _listen(socket: WebSocket[Any, Any, Any], room: Room, viewer: Viewer, bucket: TokenBucket) -> None:
    while True:
        text = await socket.receive_data(mode="text")
        if bucket.take():
            await socket.close(TOO_MUCH, "Too many messages; slow down and connect again.")
            return
        try:
            message = decode(text)
        except (msgspec.DecodeError, RecursionError) as problem:
            viewer.send(updates.Refusal(ref=None, why=f"Malformed message: {problem}."))
            continue
        try:
            if isinstance(message, messages.Restart | messages.Rematch):
                await _count(socket, viewer)
            await _do(room, viewer, message)
        except RookeryError as problem:
            viewer.send(updates.Refusal(ref=message.ref, why=str(problem)))
        except DATABASE_AWAY:
            viewer.send(updates.Refusal(ref=message.ref, why=NO_DATABASE))


async def _count(socket: WebSocket[Any, Any, Any], viewer: Viewer) -> None:
    """Count a game set up here like one set up by an HTTP request."""
    state = socket.app.state
    wait = state.rates.take("creations", viewer.client.address)
    if wait:
        raise Refused(f"Too many new games; try again in {max(wait, 1):.0f} s.")
    await state.registry.quota.take("games", viewer.client)


async def _do(room: Room, viewer: Viewer, message: Any) -> None:
    person, ref = viewer.person, message.ref
    match message:
        case messages.Play():
            ply = await room.play(viewer.client, message.action, message.ply)
            viewer.send(updates.Acknowledged(ref=ref, ply=ply))
            return
        case messages.Ping():
            viewer.send(updates.Pong(ref=ref))
            return
        case messages.Why():
            viewer.send(updates.Refusal(ref=ref, why=await room.why(message.at)))
            return
        case messages.Look():
            scene = vars(await _earlier_scene(room, viewer, message.ply))
            viewer.send(updates.EarlierPosition(ref=ref, ply=message.ply, scene=scene))
            return
        case messages.Analyse():
            if not room.may(person).hint:
                raise Refused("Hints are not available now.")
            if viewer.pending_analyses >= MAX_ANALYSES:
                raise Refused("Wait for the analyses under way.")
            viewer.pending_analyses += 1
            room.registry.spawn(_analyse(room, viewer, ref))
            return
        case messages.Restart():
            viewer.send(updates.Moved(ref=ref, id=await room.restart(person)))
            return
        case messages.Rematch():
            viewer.send(updates.Moved(ref=ref, id=await room.rematch(person)))
            return
        case messages.Undo():
            await room.undo(person)
        case messages.Redo():
            await room.redo(person)
        case messages.Answer():
            await room.answer(person, message.yes)
        case messages.TakeSeat():
            await room.take_seat(person, message.seat, message.bot)
        case messages.Resign():
            await room.resign(person)
        case messages.Odds():
            if message.on and not odds_allowed(room.stored):
                raise Refused("The odds are hidden until the game is over.")
            viewer.odds = message.on
            room.changed()
    viewer.send(updates.Acknowledged(ref=ref, ply=room.live.ply))


async def _earlier_scene(room: Room, viewer: Viewer, ply: int) -> Any:
    async with room.lock:  # an action may not be saved yet
        state, names = room.live.state.copy(), names_for(room.stored, viewer.person)
    back = state.ply - ply
    if back < 0:
        raise Refused("The game has not come that far yet.")

    def look() -> Any:
        for _ in range(back):
            state.undo()
        return state.scene(names=names)

    return await room.registry.replay(look, viewer.client, back)


async def _analyse(room: Room, viewer: Viewer, ref: int | None) -> None:
    try:
        viewer.send(await _analysis(room, viewer, ref))
    except Busy as problem:
        viewer.send(updates.Refusal(ref=ref, why=str(problem)))
    except Cancelled:
        viewer.send(updates.Refusal(ref=ref, why="The position has changed."))
    except Exception:
        log.exception("A bot of %s could not analyse", room.stored.game)
        viewer.send(updates.Refusal(ref=ref, why="The bot could not analyse this position."))
    finally:
        viewer.pending_analyses -= 1


async def _analysis(room: Room, viewer: Viewer, ref: int | None) -> updates.AnalysisReply | updates.Refusal:
    """The best bot's analysis for one viewer. A request for another position cancels the one before; several for the
    same position get the same.
    """
    async with room.lock:
        state, at = room.live.state.copy(), (room.live.ply, room.stored.takebacks)
    if state.turn <= 0:
        return updates.Refusal(ref=ref, why="It is nobody's turn now.")
    bot, under_way = make_bot(room.live.game, "10"), viewer.analysis
    if under_way is None or under_way.at != at or under_way.found.done():
        viewer.cancel_analysis()
        token = CancelToken()
        found = room.registry.spawn(room.registry.bots.analyse(bot, state, token, viewer.client))
        viewer.analysis = under_way = AnalysisUnderWay(at, token, found)
    return analysis_reply(await asyncio.shield(under_way.found), bot, state, ref)
