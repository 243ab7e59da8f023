"""The cursor on a scene: its places, and how it moves over cells and the edges between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rookery.core.scene import Choice, Scene
    from rookery.terminal.grid import Place

ARROWS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


def neighbour(scene: Scene, place: Place, direction: str) -> Place:
    """The next place in a direction, or the same place if there is none.

    On a board with edges a step leads from a cell to its edge and from the edge to the next cell; along an edge it
    leads to the next parallel edge.
    """
    down, right = ARROWS[direction]
    (row, col) = place[0]
    if len(place) == 1 and not scene.edges:
        return _cell(scene, row + down, col + right) or place
    if len(place) == 1:
        other = row + down, col + right
        return _edge(scene, min(place[0], other), max(place[0], other)) or place
    lies_across = place[1][0] == row  # the edge is between two cells of one row
    if lies_across == bool(right):
        return (place[1] if down + right > 0 else place[0],)
    return _edge(scene, (row + down, col + right), (place[1][0] + down, place[1][1] + right)) or place


def _cell(scene: Scene, row: int, col: int) -> Place | None:
    return ((row, col),) if 0 <= row < scene.rows and 0 <= col < scene.cols else None


def _edge(scene: Scene, one: tuple[int, int], other: tuple[int, int]) -> Place | None:
    return (one, other) if _cell(scene, *one) and _cell(scene, *other) else None


def next_place(scene: Scene, place: Place | None, *, back: bool = False) -> Place | None:
    """The next place, in reading order, where a key acts; None if there is none."""
    places = sorted({choice.at[:2] for choice in scene.choices if choice.here})
    if not places:
        return None
    if place is None:
        return places[-1 if back else 0]
    if back:
        return next((each for each in reversed(places) if each < place), places[-1])
    return next((each for each in places if each > place), places[0])


def choices_at(scene: Scene, place: Place) -> list[Choice]:
    """The actions at a place."""
    return [choice for choice in scene.choices if choice.at == place]


def wall_moves_from(scene: Scene, place: Place) -> dict[Place, Choice]:
    """The moves of the wall on an edge, by the edge it moves to."""
    return {choice.at[2:]: choice for choice in scene.choices if len(choice.at) == 4 and choice.at[:2] == place}


def place_name(scene: Scene, place: Place) -> str:
    """The name of a place, for people."""
    if len(place) == 1:
        return scene.cell(*place[0]).name
    standing = {wall.between: wall.name for wall in scene.walls}
    one, other = (scene.cell(*spot).name.partition(",")[0] for spot in place)
    return standing.get((place[0], place[1]), f"between {one} and {other}")


ACTIONS = {
    "step": "steps there",
    "jump": "jumps there",
    "take": "takes it",
    "golden": "takes it by a golden move",
    "wall": "puts up a wall",
}


def action_at(scene: Scene, place: Place) -> str:
    """What Space does at a place, in a few words; empty if nothing."""
    roles = [choice.role for choice in choices_at(scene, place)]
    if roles:
        return f"Space {ACTIONS[roles[0]]}"
    return "Space picks it up" if wall_moves_from(scene, place) else ""


def centre(scene: Scene) -> Place:
    """Where the cursor starts."""
    return ((scene.rows // 2, scene.cols // 2),)
