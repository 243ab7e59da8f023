"""Simulated annealing of plans for Gotham Loops (Kirkpatrick, Gelatt & Vecchi 1983): plain functions like the rules.

A random change of one round's route is kept if it improves the plan, and otherwise with the probability
exp(−loss / temperature). The temperature falls exponentially from the first change to the last.
"""

from __future__ import annotations

from math import exp, log

from rookery.core.stream import below, uniform
from rookery.games.gotham.bots.changes import change
from rookery.games.gotham.bots.plan import LAST, WARM, PlanBuffers, accept, load_visits, value
from rookery.games.gotham.rules import ROUND
from rookery.search.control import NODE_LIMIT, NODES, STOP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rookery.core.rules import Words

START_TEMPERATURE, WARM_TEMPERATURE, END_TEMPERATURE = 0.005, 0.001, 0.00003
"""Temperatures as a share of the plan's value: at the start, at the start from another plan, and at the end."""
COOLING_STEP = 64
"""Changes between two updates of the temperature."""


def anneal(b: PlanBuffers) -> None:
    """Improve the plan in `routes` until the search is stopped, and leave the best plan found there."""
    load_visits(b)
    first, last, control = b.s[ROUND], b.facts[LAST], b.control
    now = value(b, first)
    accept(b, first)
    best = now
    save_best(b)
    hottest, temperature, done = WARM_TEMPERATURE if b.facts[WARM] else START_TEMPERATURE, 0.0, 0
    while not control[STOP]:
        if done % COOLING_STEP == 0:
            share = control[NODES] / control[NODE_LIMIT] if control[NODE_LIMIT] > 0 else 0.0
            temperature = max(1.0, best) * hottest * exp(share * log(END_TEMPERATURE / hottest))
        done += 1
        control[NODES] += 1
        if control[NODE_LIMIT] > 0 and control[NODES] >= control[NODE_LIMIT]:
            control[STOP] = 1
        k = first + below(b.r, last - first + 1)
        length = b.lengths[k]
        for j in range(length):
            b.spare[j] = b.routes[k][j]
        if not change(b, k):
            undo_change(b, k, length)
            continue
        then = value(b, k)
        if then >= now or uniform(b.r) < exp((then - now) / temperature):
            now = then
            accept(b, k)
            if now > best:
                best = now
                save_best(b)
        else:
            undo_change(b, k, length)
    restore_best(b)
    value(b, first)
    accept(b, first)


def save_best(b: PlanBuffers) -> None:
    """Keep the plan as the best one."""
    for k in range(b.s[ROUND], b.facts[LAST] + 1):
        copy_route(b.routes[k], b.lengths[k], b.best_routes[k])
        b.best_lengths[k] = b.lengths[k]


def restore_best(b: PlanBuffers) -> None:
    """Go back to the best plan."""
    for k in range(b.s[ROUND], b.facts[LAST] + 1):
        copy_route(b.best_routes[k], b.best_lengths[k], b.routes[k])
        b.lengths[k] = b.best_lengths[k]


def copy_route(route: Words, length: int, to: Words) -> None:
    for j in range(length):
        to[j] = route[j]


def undo_change(b: PlanBuffers, k: int, length: int) -> None:
    """Undo a change of a route."""
    b.lengths[k] = length
    for j in range(length):
        b.routes[k][j] = b.spare[j]
