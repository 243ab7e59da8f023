"""A slow, obvious GateRun: walls are pairs of cells, paths are floods, and every position is remembered whole."""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache

from rookery.core.state import State

Cell = tuple[int, int]
Edge = tuple[Cell, Cell]
Snapshot = tuple[Cell, Cell, frozenset[Edge], int, int, bool, bool, bool, bool, int]

MOST_PLIES = 300
REPEATS_TO_DRAW = 3


def edge_between(one: Cell, other: Cell) -> Edge:
    return (min(one, other), max(one, other))


@cache
def edges(size: int) -> frozenset[Edge]:
    cells = [(r, c) for r in range(size) for c in range(size)]
    across = [((r, c), (r, c + 1)) for r, c in cells if c + 1 < size]
    down = [((r, c), (r + 1, c)) for r, c in cells if r + 1 < size]
    return frozenset(across + down)


@cache
def beside(size: int) -> dict[Cell, list[tuple[Cell, Edge]]]:
    """For each cell, the cells next to it and the edges on the way."""
    table: dict[Cell, list[tuple[Cell, Edge]]] = {(r, c): [] for r in range(size) for c in range(size)}
    for edge in sorted(edges(size)):
        one, other = edge
        table[one].append((other, edge))
        table[other].append((one, edge))
    return table


def ends(edge: Edge) -> tuple[Cell, Cell]:
    """The two grid points a wall on this edge runs between; point (r, c) is the top left corner of cell (r, c)."""
    (row, col), (other_row, _) = edge
    if row == other_row:
        return ((row, col + 1), (row + 1, col + 1))
    return ((row + 1, col), (row + 1, col + 1))


@cache
def turns(size: int, edge: Edge) -> frozenset[Edge]:
    """The edges a wall reaches by a quarter turn, either way, about either of its ends."""
    edge_at = {frozenset(ends(some)): some for some in edges(size)}
    found = set()
    one, other = ends(edge)
    for pivot, swung in ((one, other), (other, one)):
        down, right = swung[0] - pivot[0], swung[1] - pivot[1]
        for turned_down, turned_right in ((right, -down), (-right, down)):
            landed = (pivot[0] + turned_down, pivot[1] + turned_right)
            # Turned onto the rim or off the board, a wall stands between no two cells.
            found.add(edge_at.get(frozenset((pivot, landed))))
    return frozenset(new for new in found if new is not None)


def cell_text(cell: Cell) -> str:
    return f"{cell[0]},{cell[1]}"


def edge_text(edge: Edge) -> str:
    return f"{cell_text(edge[0])}|{cell_text(edge[1])}"


def read_cell(text: str) -> Cell:
    row, col = text.split(",")
    return (int(row), int(col))


def read_edge(text: str) -> Edge:
    one, other = text.split("|")
    return (read_cell(one), read_cell(other))


class GateRun:
    """One game; `pawns`, `left`, `jumps` and `rotates` are by player, the last two whether the skill is still there."""

    def __init__(
        self,
        *,
        size: int = 7,
        walls: int = 8,
        walls2: int | None = None,
        jump: bool = False,
        rotate: bool = False,
    ) -> None:
        if not 3 <= size <= 7:
            raise ValueError(f"size is {size}; it must be 3 to 7")
        if walls < 0 or (walls2 is not None and walls2 < 0):
            raise ValueError(f"walls is {walls}, walls2 is {walls2}; neither may be negative")
        self.size = size
        self.pawns: dict[int, Cell] = {1: (0, size // 2), 2: (size - 1, size // 2)}
        self.walls: set[Edge] = set()
        self.left: dict[int, int] = {1: walls, 2: walls if walls2 is None else walls2}
        self.jumps: dict[int, bool] = {1: jump, 2: jump}
        self.rotates: dict[int, bool] = {1: rotate, 2: rotate}
        self.mover = 1
        self.plies = 0
        self.seen: dict[Snapshot, int] = {self.snapshot(): 1}

    @classmethod
    def at(
        cls,
        size: int,
        p1: Cell,
        p2: Cell,
        walls: Iterable[Edge],
        turn: int,
        left: tuple[int, int],
        jump: tuple[bool, bool] = (False, False),
        rotate: tuple[bool, bool] = (False, False),
        plies: int = 0,
    ) -> "GateRun":
        """A set position, its history unknown: it counts as seen once."""
        game = cls(size=size, walls=left[0], walls2=left[1])
        game.pawns = {1: p1, 2: p2}
        game.walls = {edge_between(one, other) for one, other in walls}
        game.jumps = {1: jump[0], 2: jump[1]}
        game.rotates = {1: rotate[0], 2: rotate[1]}
        game.mover = turn
        game.plies = plies
        game.seen = {game.snapshot(): 1}
        if p1 == p2 or not game.on_board(p1) or not game.on_board(p2):
            raise ValueError(f"pawns on {p1} and {p2}; they stand on two cells of the board")
        if not game.walls <= edges(size):
            raise ValueError("a wall stands between two adjacent cells of the board")
        if turn not in (1, 2):
            raise ValueError(f"turn is {turn}; it must be 1 or 2")
        if p1[0] == size - 1 and p2[0] == 0:
            raise ValueError("both pawns stand on their goal rows; only one can have won")
        return game

    def copy(self) -> "GateRun":
        other = GateRun(size=self.size)
        other.pawns = dict(self.pawns)
        other.walls = set(self.walls)
        other.left = dict(self.left)
        other.jumps = dict(self.jumps)
        other.rotates = dict(self.rotates)
        other.mover = self.mover
        other.plies = self.plies
        other.seen = dict(self.seen)
        return other

    @property
    def turn(self) -> int:
        return -1 if self.winner or self.drawn else self.mover

    @property
    def winner(self) -> int:
        """The player who has won, else 0."""
        for player in (1, 2):
            if self.pawns[player][0] == self.goal_row(player):
                return player
        return 0

    @property
    def drawn(self) -> bool:
        if self.winner:
            return False
        return self.plies >= MOST_PLIES or self.seen[self.snapshot()] >= REPEATS_TO_DRAW

    def actions(self) -> set[str]:
        if self.turn == -1:
            return set()
        return self.steps() | self.wallings() | self.jumpings() | self.rotations() or {"pass"}

    def chances(self) -> dict[str, Fraction]:
        return {}

    def play(self, text: str) -> None:
        if text not in self.actions():
            raise ValueError(f"{text!r} is not possible now")
        me = self.mover
        if text == "pass":
            pass
        elif text.startswith("jump "):
            self.pawns[me] = read_cell(text.removeprefix("jump "))
            self.jumps[me] = False
        elif ">" in text:
            old, new = text.split(">")
            self.walls.remove(read_edge(old))
            self.walls.add(read_edge(new))
            self.rotates[me] = False
        elif "|" in text:
            self.walls.add(read_edge(text))
            self.left[me] -= 1
        else:
            self.pawns[me] = read_cell(text)
        self.mover = 3 - me
        self.plies += 1
        self.seen[self.snapshot()] = self.seen.get(self.snapshot(), 0) + 1

    def scores(self) -> tuple[Fraction | int, ...]:
        if self.winner:
            return (1, 0) if self.winner == 1 else (0, 1)
        return (Fraction(1, 2), Fraction(1, 2)) if self.drawn else (0, 0)

    def steps(self) -> set[str]:
        mine, theirs = self.pawns[self.mover], self.pawns[3 - self.mover]
        return {cell_text(cell) for cell in self.open_neighbours(mine, self.walls) if cell != theirs}

    def wallings(self) -> set[str]:
        if self.left[self.mover] == 0:
            return set()
        free = edges(self.size) - self.walls
        return {edge_text(edge) for edge in free if self.both_have_paths(self.walls | {edge})}

    def jumpings(self) -> set[str]:
        if not self.jumps[self.mover]:
            return set()
        mine, theirs = self.pawns[self.mover], self.pawns[3 - self.mover]
        if theirs not in self.open_neighbours(mine, self.walls):
            return set()
        beyond = (2 * theirs[0] - mine[0], 2 * theirs[1] - mine[1])
        if beyond not in self.open_neighbours(theirs, self.walls):
            return set()
        return {f"jump {cell_text(beyond)}"}

    def rotations(self) -> set[str]:
        if not self.rotates[self.mover]:
            return set()
        return {
            f"{edge_text(old)}>{edge_text(new)}"
            for old in self.walls
            for new in turns(self.size, old) - self.walls
            if self.both_have_paths(self.walls - {old} | {new})
        }

    def both_have_paths(self, walls: set[Edge]) -> bool:
        return all(self.has_path(player, walls) for player in (1, 2))

    def has_path(self, player: int, walls: set[Edge]) -> bool:
        goal_row = self.goal_row(player)
        reached = {self.pawns[player]}
        stack = [self.pawns[player]]
        while stack:
            cell = stack.pop()
            if cell[0] == goal_row:
                return True
            for near in self.open_neighbours(cell, walls):
                if near not in reached:
                    reached.add(near)
                    stack.append(near)
        return False

    def open_neighbours(self, cell: Cell, walls: set[Edge]) -> list[Cell]:
        return [near for near, edge in beside(self.size)[cell] if edge not in walls]

    def goal_row(self, player: int) -> int:
        return self.size - 1 if player == 1 else 0

    def on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size

    def snapshot(self) -> Snapshot:
        return (
            self.pawns[1],
            self.pawns[2],
            frozenset(self.walls),
            self.left[1],
            self.left[2],
            self.jumps[1],
            self.jumps[2],
            self.rotates[1],
            self.rotates[2],
            self.mover,
        )


def perft(oracle: GateRun, depth: int) -> int:
    """The number of ways to play this many plies; a game over sooner adds none."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(oracle.actions())
    leaves = 0
    for text in oracle.actions():
        after = oracle.copy()
        after.play(text)
        leaves += perft(after, depth - 1)
    return leaves


def twin_of(state: State) -> GateRun:
    """The same game, played again here."""
    twin = GateRun(**state.game.options)  # type: ignore[arg-type]
    for action in state.history:
        twin.play(state.game.name_of(action))
    return twin


def neighbours(twin: GateRun, cell: Cell) -> list[Cell]:
    """The cells next to one with no wall between."""
    row, col = cell
    near = [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)]
    on_board = [(r, c) for r, c in near if 0 <= r < twin.size and 0 <= c < twin.size]
    return [beside for beside in on_board if tuple(sorted((cell, beside))) not in twin.walls]


def walk(twin: GateRun, player: int) -> int:
    """Steps to the goal row, breadth first."""
    goal = twin.size - 1 if player == 1 else 0
    ring, seen, steps = [twin.pawns[player]], {twin.pawns[player]}, 0
    while not any(row == goal for row, _ in ring):
        ring = list({beside for cell in ring for beside in neighbours(twin, cell) if beside not in seen})
        seen.update(ring)
        steps += 1
    return steps
