"""A slow, obvious Gamma: a board that answers by trying every cell and flooding every area, and turn play over it."""

from fractions import Fraction

Cell = tuple[int, int]


def count_areas(cells: set[Cell]) -> int:
    left = set(cells)
    areas = 0
    while left:
        areas += 1
        stack = [left.pop()]
        while stack:
            x, y = stack.pop()
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if near in left:
                    left.remove(near)
                    stack.append(near)
    return areas


class Board:
    """The cells and what each player may do with them, with no notion of whose turn it is."""

    def __init__(self, width: int, height: int, players: int, areas: int) -> None:
        if min(width, height, players, areas) < 1:
            raise ValueError(f"{width} {height} {players} {areas}: each must be at least 1")
        self.width = width
        self.height = height
        self.players = players
        self.areas = areas
        self.owner: dict[Cell, int] = {}
        self.golden_used: set[int] = set()

    def move(self, player: int, x: int, y: int) -> bool:
        if not self.may_move(player, (x, y)):
            return False
        self.owner[x, y] = player
        return True

    def golden_move(self, player: int, x: int, y: int) -> bool:
        if not self.may_golden_move(player, (x, y)):
            return False
        self.owner[x, y] = player
        self.golden_used.add(player)
        return True

    def busy(self, player: int) -> int:
        return len(self.owned(player))

    def free(self, player: int) -> int:
        return sum(self.may_move(player, cell) for cell in self.cells())

    def golden_possible(self, player: int) -> bool:
        return any(self.may_golden_move(player, cell) for cell in self.cells())

    def text(self) -> str:
        """The board as the command `p` prints it, each row ending in a line feed."""
        column = len(str(self.players))
        gap = "" if column == 1 else " "
        rows = []
        for y in reversed(range(self.height)):
            row = [str(self.owner.get((x, y), ".")).rjust(column) for x in range(self.width)]
            rows.append(gap.join(row) + "\n")
        return "".join(rows)

    def can_act(self, player: int) -> bool:
        return any(self.may_move(player, cell) or self.may_golden_move(player, cell) for cell in self.cells())

    def may_move(self, player: int, cell: Cell) -> bool:
        if not 1 <= player <= self.players or not self.on_board(cell) or cell in self.owner:
            return False
        return count_areas(self.owned(player) | {cell}) <= self.areas

    def may_golden_move(self, player: int, cell: Cell) -> bool:
        if not 1 <= player <= self.players or player in self.golden_used:
            return False
        victim = self.owner.get(cell, player)
        if victim == player:
            return False
        taker_areas = count_areas(self.owned(player) | {cell})
        victim_areas = count_areas(self.owned(victim) - {cell})
        return taker_areas <= self.areas and victim_areas <= self.areas

    def owned(self, player: int) -> set[Cell]:
        return {cell for cell, owner in self.owner.items() if owner == player}

    def cells(self) -> list[Cell]:
        return [(x, y) for y in range(self.height) for x in range(self.width)]

    def on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height


class Gamma:
    """Turn play: who moves next, who is skipped, and when the game is over."""

    def __init__(self, *, width: int, height: int, players: int, areas: int) -> None:
        self.board = Board(width, height, players, areas)
        self.mover = 1
        self.passed: set[int] = set()

    @property
    def turn(self) -> int:
        return self.mover

    def actions(self) -> set[str]:
        if self.mover == -1:
            return set()
        found = {"pass"}
        for x, y in self.board.cells():
            if self.board.may_move(self.mover, (x, y)):
                found.add(f"m {x} {y}")
            if self.board.may_golden_move(self.mover, (x, y)):
                found.add(f"g {x} {y}")
        return found

    def chances(self) -> dict[str, Fraction]:
        return {}

    def play(self, text: str) -> None:
        if text not in self.actions():
            raise ValueError(f"{text!r} is not possible now")
        if text == "pass":
            self.passed.add(self.mover)
        else:
            kind, x, y = text.split(" ")
            if kind == "m":
                self.board.move(self.mover, int(x), int(y))
            else:
                self.board.golden_move(self.mover, int(x), int(y))
            self.passed.clear()
        self.hand_over()

    def hand_over(self) -> None:
        players = self.board.players
        # The mover comes last: alone able to act, it moves again.
        in_order = [(self.mover + ahead - 1) % players + 1 for ahead in range(1, players + 1)]
        able = [player for player in in_order if self.board.can_act(player)]
        # Passing leaves the board alone, so since the last move the able players have been the same.
        everyone_passed = all(player in self.passed for player in able)
        self.mover = -1 if everyone_passed else able[0]

    def scores(self) -> tuple[Fraction | int, ...]:
        return tuple(self.board.busy(player) for player in range(1, self.board.players + 1))
