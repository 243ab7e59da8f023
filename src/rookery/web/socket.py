"""A WebSocket for every viewer of a game: what comes in is checked and done, what is new goes out."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath

from rookery.core.bot import make_bot
from rookery.core.errors import RookeryError
from rookery.search.cancel import CancelToken
from rookery.web import messages
from rookery.web.guard import Bucket, Limits, bucket_of
from rookery.web.house import Missing
from rookery.web.rooms import Refused
from rookery.web.viewers import Viewer

if TYPE_CHECKING:
    from rookery.web.house import House
    from rookery.web.rooms import Room

log = logging.getLogger("rookery.web")

decode = msgspec.json.Decoder(messages.Asking).decode

NO_SUCH_GAME, TOO_MUCH = 4404, 4429

QUESTIONS = 3
"""Analyses a viewer may be waiting for at a time; all but the last are being cut short."""


@websocket("/ws/games/{id:str}")
async def view(socket: WebSocket[Any, Any, Any], id: FromPath[str]) -> None:
    """Look at a game, and play in it if one of its seats is yours."""
    house: House = socket.app.state.house
    limits: Limits = socket.app.state.limits
    await socket.accept()
    address = socket.scope["client"][0] if socket.scope["client"] else ""
    open_now = socket.app.state.sockets
    try:
        room = await house.room(id)
    except Missing as problem:
        await socket.close(NO_SUCH_GAME, str(problem))
        return
    if open_now.get(address, 0) >= limits.sockets:
        await socket.close(TOO_MUCH, "Too many games are open from this address; close some.")
        return
    open_now[address] = open_now.get(address, 0) + 1
    viewer = Viewer(socket.scope["state"]["person"], address)
    room.viewers.add(viewer)
    room.changed()
    writer = asyncio.create_task(_write(socket, viewer))
    try:
        await _listen(socket, room, viewer, Bucket(limits.messages))
    except WebSocketDisconnect:
        pass
    finally:
        room.viewers.discard(viewer)
        if viewer.token is not None:
            viewer.token.cancel()
        writer.cancel()
        open_now[address] -= 1
        if not open_now[address]:
            del open_now[address]
        room.changed()


async def _write(socket: WebSocket[Any, Any, Any], viewer: Viewer) -> None:
    with suppress(WebSocketDisconnect, RuntimeError):  # the viewer has left; whoever listens will notice
        while (data := await viewer.next()) is not None:
            await socket.send_data(data, mode="text")
        await socket.close(1012, "Come back in a moment.")


async def _listen(socket: WebSocket[Any, Any, Any], room: Room, viewer: Viewer, bucket: Bucket) -> None:
    while True:
        text = await socket.receive_data(mode="text")
        if bucket.take():
            await socket.close(TOO_MUCH, "Too many messages; slow down and connect again.")
            return
        try:
            asking = decode(text)
        except (msgspec.DecodeError, RecursionError) as problem:
            viewer.send({"is": "refused", "ref": None, "why": f"This message cannot be understood: {problem}."})
            continue
        try:
            if isinstance(asking, messages.Restart | messages.Rematch):
                _count(socket, viewer)
            await _do(room, viewer, asking)
        except RookeryError as problem:
            viewer.send({"is": "refused", "ref": asking.ref, "why": str(problem)})


def _count(socket: WebSocket[Any, Any, Any], viewer: Viewer) -> None:
    """A game that is set up here counts like one that is set up by a request."""
    state = socket.app.state
    wait = bucket_of(state.creations, viewer.address, state.limits.creations).take()
    if wait:
        raise Refused(f"Too many new games; try again in {max(wait, 1):.0f} s.")


async def _do(room: Room, viewer: Viewer, asking: Any) -> None:
    person, ref = viewer.person, asking.ref
    match asking:
        case messages.Play():
            ply = await room.play(person, asking.action, asking.ply)
            viewer.send({"is": "ack", "ref": ref, "ply": ply})
            return
        case messages.Ping():
            viewer.send({"is": "pong", "ref": ref})
            return
        case messages.Why():
            viewer.send({"is": "refused", "ref": ref, "why": await room.why(asking.at)})
            return
        case messages.Look():
            viewer.send({"is": "look", "ref": ref, "ply": asking.ply, "scene": await _earlier(room, asking.ply)})
            return
        case messages.Analyse():
            if not room.may(person).hint:
                raise Refused("There are no hints in this game.")
            if viewer.questions >= QUESTIONS:
                raise Refused("One question after the other; wait for an answer.")
            viewer.questions += 1
            room.house.spawn(_analyse(room, viewer, ref))
            return
        case messages.Restart():
            viewer.send({"is": "moved", "ref": ref, "id": await room.restart(person)})
            return
        case messages.Rematch():
            viewer.send({"is": "moved", "ref": ref, "id": await room.rematch(person)})
            return
        case messages.Undo():
            await room.undo(person)
        case messages.Redo():
            await room.redo(person)
        case messages.Answer():
            await room.answer(person, asking.yes)
        case messages.TakeSeat():
            await room.take_seat(person, asking.seat, asking.bot)
        case messages.Resign():
            await room.resign(person)
        case messages.Odds():
            if asking.on and not room.odds_allowed:
                raise Refused("The odds of this game stay hidden until it is over.")
            viewer.odds = asking.on
            room.changed()
    viewer.send({"is": "ack", "ref": ref, "ply": room.table.ply})


async def _earlier(room: Room, ply: int) -> Any:
    async with room.lock:  # what is being played may not be saved yet
        state = room.table.state.copy()
    back = len(state.history) - ply
    if back < 0:
        raise Refused(f"The game has {len(state.history)} plies so far.")

    def look() -> Any:
        for _ in range(back):
            state.undo()
        return state.scene()

    return await asyncio.to_thread(look)


async def _analyse(room: Room, viewer: Viewer, ref: int | None) -> None:
    try:
        viewer.send(await _analysis(room, viewer, ref))
    except Exception:
        log.exception("A bot of %s could not analyse", room.entry.game)
        viewer.send({"is": "refused", "ref": ref, "why": "The bot has no answer to this position."})
    finally:
        viewer.questions -= 1


async def _analysis(room: Room, viewer: Viewer, ref: int | None) -> dict[str, Any]:
    """What the best bot thinks, for one viewer; a new question ends the one before."""
    if viewer.token is not None:
        viewer.token.cancel()
    viewer.token = token = CancelToken()
    async with room.lock:
        ply, state = room.table.ply, room.table.state.copy()
    if state.turn <= 0:
        return {"is": "refused", "ref": ref, "why": "Nobody is to move now."}
    bot = make_bot(room.table.game, "10")
    found = await room.house.thinking.analyse(bot, state, token)
    return {
        "is": "analysis",
        "ref": ref,
        "ply": ply,
        "player": state.turn,
        "bot": bot.name,
        "value": found.value,
        "unit": bot.unit,
        "remark": bot.remark(state.game),
        "facts": found.facts,
        "win": found.win,
        "forced": found.forced,
        "line": found.line,
        "candidates": [{"action": each.name, "value": each.value, "win": each.win} for each in found.candidates[:20]],
    }
