"""Tablut, Tablan and Tablaaza for programs: rules, engines and self-play.

    >>> import tabulae
    >>> game = tabulae.Game("tablut/saami")
    >>> game.play("d1-d3")
    'd1-d3'
    >>> len(game.legal_moves())
    56
"""

from ._native import (
    Game,
    action_count,
    plane_names,
    plane_shape,
    rule_sets,
    self_play,
)

__all__ = [
    "Game",
    "action_count",
    "plane_names",
    "plane_shape",
    "planes",
    "rule_sets",
    "self_play",
]


def planes(game):
    """The position of a game as a numpy array of 0 and 1: planes, rows, columns."""
    import numpy

    return numpy.frombuffer(game.plane_bytes(), numpy.uint8).reshape(plane_shape(game.rules))
