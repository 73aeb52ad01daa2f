"""Tablan: Mysore rosewood inlaid with bone and brass, runners of Channapatna lacquer.

The ornament is that of Mysore's inlay: a lotus of eight petals on the start rows, a flower of
four between them, knots of bone where lines cross, buds along the rails. Plants only.
"""
import math

import board
from shaders import antler, plain, weave, wood
from shapes import petals, polar

NAME, HALF = "tablan", (6.0, 2.0)
CLOTH = dict(x=7.75, y0=-4.85, y1=4.72, colour="#37405c", bands=((0.22, 0.10, "#d8c8a4"), (0.38, 0.03, "#d8c8a4"), (0.48, 0.03, "#b9893a")))
METALS = {"brass"}
FINISH = {"piece_runner_south": (0.16, 1.0), "piece_runner_north": (0.16, 1.0), "stick": (0.35, 0.25)}
POSITION = {"piece_runner_north": ["c4", "e4", "g4", "h4", "i4", "j4", "k4", "e3", "j3", "a1"],
            "piece_runner_south": ["l4", "h2", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "l1"]}
TAKEN = [("piece_runner_south", -5.7, 3.34), ("piece_runner_south", -5.14, 3.34), ("piece_runner_north", 5.7, 3.34), ("piece_runner_north", 5.14, 3.34)]
STICKS = [(-3.15, -3.66, 0.10, True), (-1.05, -3.82, -0.22, False), (1.05, -3.62, 0.04 + math.pi, True), (3.15, -3.78, -0.38, False)]


def materials():
    return {
        "rose": wood("rose", "#421911", "#6b2e20", "#8c4532", rings=3.0, figure=0.16, pores=0.4, rough=0.28, coat=0.4, spread=0.30),
        "padauk": wood("padauk", "#a8603a", "#c8834f", "#dfa573", rings=2.4, pores=0.25, rough=0.3, coat=0.35),
        "indigo": wood("indigo", "#3f627d", "#5c83a4", "#80a2bd", rings=2.4, pores=0.25, rough=0.3, coat=0.35),
        "frame": wood("roseframe", "#2a0f0c", "#4d1f16", "#6f3424", rings=2.4, figure=0.14, pores=0.45, rough=0.22, coat=0.6),
        "ground": plain("ground", "#120908", 0.8),
        "bone": antler("bone", "#f4ead6", "#dac69c", 0.3, tint=0.0),
        "brass": plain("brass", "#e2b35c", 0.22, 1.0, mottle=0.08, bump=0.001, tint=0.0),
        "red": plain("redlac", "#b0140f", 0.16, coat=1.0, mottle=0.06, grain=14.0),
        "blue": plain("bluelac", "#0e467e", 0.16, coat=1.0, mottle=0.06, grain=14.0),
        "yellow": plain("yellowlac", "#e2a220", 0.18, coat=1.0, mottle=0.06, tint=0.0),
        "black": plain("blacklac", "#1c1310", 0.2, coat=1.0, mottle=0.0, tint=0.0),
        "stickred": wood("stickred", "#8a0f0b", "#b3170f", "#cc2a1a", rings=1.4, size=2.0, pores=0.0, rough=0.2, spread=0.5, tint=0.0),
        "rimwood": wood("rimwood", "#a67c48", "#c79f69", "#dcbb88", rings=1.4, size=2.0, pores=0.1, rough=0.4, tint=0.0),
        "plainwood": wood("plainwood", "#c19a64", "#dfbf8d", "#efd9ac", rings=1.4, size=2.0, pores=0.1, rough=0.4, spread=0.6, tint=0.0),
    }


def cloth_material():
    return weave("khadi", "#ffffff", thread=25.0, contrast=0.18)


def lotus(kit, x, y, z, petal="bone"):
    petals(kit, "brass", x, y, 8, 0.16, 0.41, 0.050, z - 0.001, math.pi / 8)
    petals(kit, petal, x, y, 8, 0.09, 0.385, 0.066, z)
    kit.prism("brass", polar(20, 0.078, x=x, y=y), z - 0.012, z + 0.0005, 0.003)
    kit.prism("bone", polar(12, 0.03, x=x, y=y), z - 0.012, z + 0.001, 0.002)


def square(kit, f, r):
    x, y = f - 5.5, r - 1.5
    g = 0.483
    kit.box({0: "padauk", 3: "indigo"}.get(r, "rose"), x - g, y - g, x + g, y + g, -0.09, 0.0, 0.010, kit.var(turn=(f + r) % 2))
    if r in (0, 3):
        lotus(kit, x, y, 0.003)
        return
    petals(kit, "bone", x, y, 4, 0.02, 0.15, 0.037, 0.003, 0)
    kit.prism("brass", polar(10, 0.030, x=x, y=y), -0.01, 0.004, 0.002)
    for a in range(4):
        b = a * math.pi / 2 + math.pi / 4
        petals(kit, "brass", x + 0.60 * math.cos(b), y + 0.60 * math.sin(b), 1, 0.0, 0.17, 0.030, 0.003, b + math.pi)


def detailed(kit):
    hx, hy = HALF
    kit.box("ground", -hx - 0.1, -hy - 0.1, hx + 0.1, hy + 0.1, -0.3, -0.04)
    for f in range(12):
        for r in range(4):
            square(kit, f, r)
    # Beads of brass between the squares, with knots of bone where they cross.
    for i in range(13):
        kit.box("brass", i - 6 - 0.014, -hy, i - 6 + 0.014, hy, -0.06, 0.004, 0.010)
    for j in range(5):
        kit.box("brass", -hx, j - 2 - 0.014, hx, j - 2 + 0.014, -0.06, 0.004, 0.010)
    for i in range(13):
        for j in range(5):
            kit.prism("bone", polar(4, 0.055, x=i - 6, y=j - 2), -0.02, 0.0045, 0.004)
    top = board.FRAME_Z
    board.frame(kit, "frame", HALF, [
        ("brass", 0.030, 0.026, 0.0, top + 0.004, 0.012), ("bone", 0.056, 0.048, 0.0, top + 0.001, 0.004), ("brass", 0.104, 0.018, 0.0, top + 0.003, 0.008),
        ("brass", board.FRAME - 0.085, 0.014, 0.0, top + 0.003, 0.006),
        ("brass", board.FRAME - 0.02, 0.026, board.PLINTH_Z + 0.005, board.PLINTH_Z + 0.035, 0.008)])
    z = top + 0.001
    for s in (-1, 1):
        for i in range(11):
            petals(kit, "bone", i - 5.0, s * (hy + 0.41), 4, 0.0, 0.085, 0.024, z)
        for j in range(3):
            petals(kit, "bone", s * (hx + 0.41), j - 1.0, 4, 0.0, 0.085, 0.024, z)
    for sx in (-1, 1):
        for sy in (-1, 1):
            petals(kit, "bone", sx * (hx + 0.37), sy * (hy + 0.37), 8, 0.03, 0.20, 0.035, z)
            kit.prism("brass", polar(14, 0.05, x=sx * (hx + 0.37), y=sy * (hy + 0.37)), 0.0, z + 0.001, 0.004)


SPARE = {}
VARIANTS = ("tablan",)


def squares(_rules):
    for f in range(12):
        for r in range(4):
            yield f, r, {0: "south", 3: "north"}.get(r, "middle"), (f, r)


def band(kit, key, r, z, h, out=0.006):
    kit.lathe(key, [(r - 0.02, z), (r + out, z + h * 0.15), (r + out, z + h * 0.85), (r - 0.02, z + h)])


def south(kit):
    """A lotus bud on a baluster."""
    body = [(0.0, 0.0), (0.29, 0.0), (0.29, 0.0), (0.305, 0.03), (0.30, 0.08), (0.30, 0.08), (0.24, 0.112), (0.14, 0.18), (0.108, 0.255), (0.108, 0.255),
            (0.152, 0.275), (0.152, 0.298), (0.152, 0.298), (0.118, 0.322), (0.192, 0.39), (0.222, 0.465), (0.192, 0.545), (0.105, 0.625), (0.034, 0.675), (0.0, 0.685)]
    kit.lathe("red", kit.curve(body))
    band(kit, "yellow", 0.301, 0.042, 0.030)
    band(kit, "bone", 0.2205, 0.450, 0.028, 0.005)
    kit.lathe("brass", kit.curve([(0.048, 0.655), (0.054, 0.682), (0.030, 0.712), (0.0, 0.735)]), kit.by_detail(40, 14, 8))
    if kit.lod != 2:
        band(kit, "brass", 0.150, 0.270, 0.032)
        band(kit, "yellow", 0.236, 0.112, 0.016, 0.008)


def north(kit):
    """A parasol of eight panels with a rim of bone."""
    body = [(0.0, 0.0), (0.29, 0.0), (0.29, 0.0), (0.305, 0.03), (0.30, 0.08), (0.30, 0.08), (0.22, 0.11), (0.12, 0.19), (0.09, 0.27), (0.09, 0.27),
            (0.125, 0.285), (0.125, 0.305), (0.125, 0.305), (0.085, 0.325), (0.095, 0.37), (0.22, 0.39)]
    kit.lathe("blue", kit.curve(body))
    kit.lathe("bone", [(0.22, 0.385), (0.285, 0.392), (0.290, 0.418), (0.250, 0.428)], 8, flat=True)
    kit.lathe("blue", [(0.255, 0.421), (0.235, 0.455), (0.130, 0.525), (0.058, 0.595), (0.040, 0.605)], 8, flat=True)
    kit.lathe("brass", kit.curve([(0.044, 0.585), (0.048, 0.607), (0.027, 0.630), (0.0, 0.645)]), kit.by_detail(40, 14, 8))
    band(kit, "yellow", 0.301, 0.042, 0.030)
    if kit.lod != 2:
        band(kit, "brass", 0.123, 0.280, 0.030)


PIECES = {"piece_runner_south": south, "piece_runner_north": north}

STICK_RADIUS, STICK_HALF, STICK_AXIS = 0.15, 0.85, 0.065
"""As `src/app/scene/sticks` has them; the origin lies STICK_AXIS above the flat side."""
STICK_RIM = 0.045
"""How high the bare wood reaches at a stick's sides."""
STICK_BOW = 0.024
"""How far a stick's ends bend away from what it lies on."""
STREAKS = (0.9, 0.35, 0.7, 0.5, 0.95, 0.25, 0.8, 0.55, 0.4)


def stick(kit):
    """Half a rod along x, carved: it bends a little and grows thin towards its round ends. Its
    flat side is plain wood, the other is lacquered: a flower between leaves, and rings that
    differ from end to end."""
    n = kit.by_detail(16, 8, 5)
    stops = [-0.85, -0.842, -0.80, -0.68, -0.45, -0.15, 0.15, 0.45, 0.68, 0.80, 0.842, 0.85]

    def wide(x):
        t = abs(x) / STICK_HALF
        end = max(0.0, (abs(x) - 0.76) / 0.09)
        return STICK_RADIUS * (1 - 0.24 * t ** 2.2) * math.sqrt(max(0.0, 1 - 0.72 * end ** 2))

    low = lambda x: STICK_BOW * (x / STICK_HALF) ** 2 - STICK_AXIS
    rim = lambda x: STICK_RIM * wide(x) / STICK_RADIUS

    def at(x, a, out=0.0):
        """A place on the round side."""
        r = wide(x) + out
        return (x, r * math.cos(a), low(x) + rim(x) + (r - rim(x)) * math.sin(a))

    def ring(key, x0, x1, out=0.003):
        kit.put(key, [at(x, math.pi * i / n, out) for x in (x0, x1) for i in range(n + 1)], [[n + 1 + i, n + 2 + i, i + 1, i][::-1] for i in range(n)], smooth=True)

    def inlay(key, x, half, reach, out):
        """A figure at x: at an angle from the top, of at most `reach`, it is `half` long to each side."""
        steps = kit.by_detail(10, 8, 4)
        angles = [math.pi / 2 + reach * (2 * i / steps - 1) for i in range(steps + 1)]
        for a0, a1 in zip(angles, angles[1:]):
            h0, h1 = (half(min(abs(a - math.pi / 2) / reach, 1.0)) for a in (a0, a1))
            kit.put(key, [at(x - h0, a0, out), at(x + h0, a0, out), at(x + h1, a1, out), at(x - h1, a1, out)], [[3, 2, 1, 0]], smooth=True)

    # The lacquer, with the grain of the wood that shows through it.
    for x0, x1 in zip(stops, stops[1:]):
        for i in range(n):
            a0, a1 = math.pi * i / n, math.pi * (i + 1) / n
            kit.put("stickred", [at(x0, a0), at(x0, a1), at(x1, a1), at(x1, a0)], [[0, 1, 2, 3]], (0.2, 0.0, STREAKS[i % 9]), True)
    for s in (-1, 1):
        x = s * STICK_HALF
        arc = [(x, wide(x), low(x)), *(at(x, math.pi * i / n) for i in range(n + 1)), (x, -wide(x), low(x))]
        kit.put("rimwood", arc, [list(range(n + 3))[::s]])
    for key, x0, x1 in (("bone", -0.58, -0.555), ("yellow", -0.66, -0.60), ("black", -0.70, -0.675), ("yellow", -0.80, -0.72),
                        ("black", 0.575, 0.60), ("yellow", 0.62, 0.74), ("bone", 0.755, 0.785)):
        ring(key, x0, x1)
    inlay("bone", 0.0, lambda t: 0.135 * math.sqrt(max(0.0, 1 - t * t)), 1.0, 0.004)
    inlay("stickred", 0.0, lambda t: 0.075 * math.sqrt(max(0.0, 1 - t * t)), 0.55, 0.007)
    inlay("yellow", 0.0, lambda t: 0.034 * (1 - t), 0.25, 0.009)
    for x in (-0.34, 0.34):
        inlay("bone", x, lambda t: 0.145 * (1 - t) ** 0.8, 0.85, 0.004)
        inlay("black", x, lambda t: 0.06 * (1 - t), 0.30, 0.007)
    # The plain side, in narrow strips for its grain.
    strips = kit.by_detail(11, 7, 1)
    for x0, x1 in zip(stops, stops[1:]):
        for i in range(strips if abs(x0 + x1) < 1.6 else 1):
            s0, s1 = (2 * j / (strips if abs(x0 + x1) < 1.6 else 1) - 1 for j in (i, i + 1))
            kit.put("plainwood", [(x0, s0 * wide(x0), low(x0)), (x0, s1 * wide(x0), low(x0)), (x1, s1 * wide(x1), low(x1)), (x1, s0 * wide(x1), low(x1))],
                    [[0, 1, 2, 3]], (0.4, 0.0, STREAKS[i % 9]))
        for s in (-1, 1):
            kit.put("rimwood", [(x0, s * wide(x0), low(x0)), (x1, s * wide(x1), low(x1)), (x1, s * wide(x1), low(x1) + rim(x1)), (x0, s * wide(x0), low(x0) + rim(x0))],
                    [[0, 1, 2, 3][::-s]], (0.4, 0.0, 0.7))
