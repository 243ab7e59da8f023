"""A slow, obvious Gotham Loops: every round's cells are kept as a set, and all odds are counted from those sets."""

from fractions import Fraction

Cell = tuple[int, int]

ROUNDS = 7
STEPS = {"up": (-1, 0), "right": (0, 1), "down": (1, 0), "left": (0, -1)}


class Gotham:
    """One game of seven rounds; `at` stays on the old cell while a check is due, and is home between rounds."""

    def __init__(self, *, size: int = 13, coins: int = 2, rules: str = "table") -> None:
        if size < 3 or size % 2 == 0:
            raise ValueError(f"size is {size}; it must be odd and at least 3")
        if coins < 1:
            raise ValueError(f"coins is {coins}; it must be at least 1")
        if rules not in ("table", "online", "app"):
            raise ValueError(f"rules is {rules!r}; it must be 'table', 'online' or 'app'")
        self.size = size
        self.coins = coins
        self.rules = rules
        self.home: Cell = (size // 2, size // 2)
        self.at: Cell = self.home
        self.points = 0
        self.rounds: list[int] = []
        self.entered: set[Cell] = set()
        self.visited: list[set[Cell]] = []
        self.checked: Cell | None = None

    @property
    def round(self) -> int:
        return min(len(self.rounds) + 1, ROUNDS)

    @property
    def turn(self) -> int:
        if len(self.rounds) == ROUNDS:
            return -1
        return 1 if self.checked is None else 0

    def actions(self) -> set[str]:
        if self.turn != 1:
            return set()
        return {name for name in STEPS if self.on_board(self.beside(self.at, name))}

    def chances(self) -> dict[str, Fraction]:
        if self.checked is None:
            return {}
        safe = self.odds(self.checked)
        return {"safe": safe, "caught": 1 - safe}

    def play(self, text: str) -> None:
        if text not in self.actions() and text not in self.chances():
            raise ValueError(f"{text!r} is not possible now")
        if text == "safe":
            assert self.checked is not None
            self.enter(self.checked)
            self.checked = None
        elif text == "caught":
            assert self.checked is not None
            if self.rules == "app":
                self.entered.add(self.checked)
            self.checked = None
            self.end_round(0)
        else:
            cell = self.beside(self.at, text)
            if cell == self.home:
                self.entered.add(cell)
                self.end_round(self.points)
            elif self.rules == "table" and cell in self.entered:
                self.enter(cell)
            else:
                self.checked = cell

    def scores(self) -> tuple[Fraction | int, ...]:
        return (sum(self.rounds),)

    def flips(self, cell: Cell) -> int:
        """How many flips a check on this cell allows, whether or not one is due."""
        corner_distance = self.distance((0, 0))
        five = [cell] + [self.beside(cell, name) for name in STEPS]
        extra = 0
        for visited in self.visited:
            touched = sum(near in visited for near in five)
            extra += touched if self.rules == "table" else min(touched, 1)
        return corner_distance - self.distance(cell) + 1 + extra

    def odds(self, cell: Cell) -> Fraction:
        """The probability to get into this cell, whether or not a check is due."""
        if cell == self.home:
            return Fraction(1)
        if self.rules != "app":
            return self.some_flip_passes(self.flips(cell))
        least, corner_distance = Fraction(1, 10), self.distance((0, 0))
        first = max(least, self.some_flip_passes(corner_distance - self.distance(cell) + 1))
        if not self.visited:
            return first
        five = {cell, *(self.beside(cell, name) for name in STEPS)}
        rounds = sum(not five.isdisjoint(visited) for visited in self.visited)
        base = max(1, corner_distance - self.distance(cell))
        gain = self.some_flip_passes(base + rounds) / self.some_flip_passes(base)
        return max(least, min(Fraction(1), gain * first))

    def some_flip_passes(self, flips: int) -> Fraction:
        return 1 - (1 - Fraction(1, 2**self.coins)) ** flips

    def worth(self, cell: Cell) -> int:
        if cell in self.entered:
            return 0
        earlier = sum(cell in visited for visited in self.visited)
        return max(0, self.distance(cell) - earlier)

    def enter(self, cell: Cell) -> None:
        self.points += self.worth(cell)
        self.entered.add(cell)
        self.at = cell

    def end_round(self, points: int) -> None:
        self.rounds.append(points)
        self.visited.append(self.entered)
        self.entered = set()
        self.points = 0
        self.at = self.home

    def distance(self, cell: Cell) -> int:
        return abs(cell[0] - self.home[0]) + abs(cell[1] - self.home[1])

    def on_board(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.size and 0 <= cell[1] < self.size

    def beside(self, cell: Cell, name: str) -> Cell:
        down, right = STEPS[name]
        return (cell[0] + down, cell[1] + right)
