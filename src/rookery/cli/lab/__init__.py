"""The commands of the lab, a module for each: `simulate`, `duel`, `solve`, `train` and `bench`."""

from rookery.cli.lab.bench import bench
from rookery.cli.lab.duel import duel
from rookery.cli.lab.simulate import simulate
from rookery.cli.lab.solve import solve
from rookery.cli.lab.train import train

__all__ = ["bench", "duel", "simulate", "solve", "train"]
