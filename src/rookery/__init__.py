"""Rookery: four original grid games to play, analyse and train agents on.

>>> import rookery
>>> game = rookery.game("gaterun", size=5)
>>> state = game.start()
>>> state.play(game.action("1,2"))
>>> state.turn
2
"""

from rookery.games import bot, game, names, record

__version__ = "0.1.0"

__all__ = ["__version__", "bot", "game", "names", "record"]
