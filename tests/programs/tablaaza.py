#!/usr/bin/env python3
"""A UGI program that plays Tablaaza, written without Tabulae's code, for the tests.

It plays the first legal move, or with the argument `last` the last one.
"""

import sys

# Ranks from 1 up.
DRAWING = ["RGRGRGRG", "GRGRGRGR", "RG~GR~RG", "GR~RG~GR", "RG~GR~RG", "GRGRGRGR", "RGRGRGRG"]
BOARD = {(f, r): DRAWING[r][f] for r in range(7) for f in range(8) if DRAWING[r][f] != "~"}


def name(square):
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def seen_from(square):
    """The squares in the corridors through a square."""
    seen = []
    for df, dr in (1, 0), (-1, 0), (0, 1), (0, -1):
        f, r = square[0] + df, square[1] + dr
        while (f, r) in BOARD:
            seen.append((f, r))
            f, r = f + df, r + dr
    return seen


def play(moves):
    """The closed squares after these moves."""
    closed, colour = set(), "R"
    for move in moves:
        closed.add(("abcdefgh".index(move[0]), int(move[1]) - 1))
        for square, other in BOARD.items():
            near = seen_from(square)
            own = [it for it in near if BOARD[it] == colour and it not in closed]
            if other != colour and square not in closed and not own:
                closed.add(square)
        colour = "G" if colour == "R" else "R"
    return closed, colour


def legal(moves):
    closed, colour = play(moves)
    squares = [it for it in sorted(BOARD) if BOARD[it] == colour and it not in closed]
    if len(moves) == 1:
        # The square next to the first stone is always allowed.
        f, r = "abcdefgh".index(moves[0][0]), int(moves[0][1]) - 1
        squares = [it for it in squares if abs(it[0] - f) + abs(it[1] - r) == 1]
    return squares


def main():
    moves, chosen = [], -1 if "last" in sys.argv else 0
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            print("id name Python player")
            print("option name Style type combo default first var first var last")
            print("option name Depth type spin default 1 min 1 max 9")
            print("ugiok")
        elif words[:1] == ["isready"]:
            print("readyok")
        elif words[:2] == ["setoption", "name"] and words[2] == "Style":
            chosen = -1 if words[-1] == "last" else 0
        elif words[:2] == ["position", "startpos"]:
            moves = words[3:]
        elif words[:1] == ["go"]:
            squares = legal(moves)
            best = name(squares[chosen]) if squares else "none"
            print(f"info depth 1 score cp {len(squares)} nodes {len(squares)} time 1 pv {best}")
            print("bestmove", best)
        elif words[:1] == ["quit"]:
            return
        sys.stdout.flush()


main()
