"""Tablan: Mysore rosewood inlaid with bone and brass, runners of Channapatna lacquer.

The ornament is that of Mysore's inlay: a lotus of eight petals on the start rows, a flower of
four between them, knots of bone where lines cross, buds along the rails. Plants only.
"""
import math

import board
from shaders import antler, plain, weave, wood
from shapes import petals, polar

NAME, HALF = "tablan", (6.0, 2.0)
CLOTH = dict(x=7.75, y0=-4.85, y1=4.72, colour="#37405c", bands=((0.24, 0.10, "#d8c8a4"), (0.40, 0.03, "#d8c8a4"), (0.50, 0.03, "#b9893a")),
             mats=((-6.86, -3.24, 3.02, 3.66, "#8e2a20"), (3.24, 6.86, 3.02, 3.66, "#2f5f96")))
"""Captured pieces stand on the mats, each side's on one with its colour at the edge."""
METALS = {"brass"}
TRANSLUCENT = {"bone"}
FINISH = {"piece_runner_south": (0.16, 1.0), "piece_runner_north": (0.16, 1.0), "stick": (0.2, 0.0), "stick_plain": (0.5, 0.0)}


def materials():
    return {
        "rose": wood("rose", "#3d160f", "#6b2e20", "#95503a", rings=3.0, figure=0.24, pores=0.4, rough=0.28, coat=0.4, spread=0.30),
        "padauk": wood("padauk", "#a8603a", "#c8834f", "#dfa573", rings=2.4, pores=0.25, rough=0.3, coat=0.35),
        "indigo": wood("indigo", "#3f627d", "#5c83a4", "#80a2bd", rings=2.4, pores=0.25, rough=0.3, coat=0.35),
        "palepadauk": wood("palepadauk", "#c58a5e", "#d9a679", "#e8bf95", rings=2.4, pores=0.1, rough=0.3, coat=0.35),
        "paleindigo": wood("paleindigo", "#6f93b0", "#86a9c4", "#a0bfd6", rings=2.4, pores=0.1, rough=0.3, coat=0.35),
        "palerose": wood("palerose", "#8a4a34", "#a5664a", "#bb7f60", rings=2.4, pores=0.1, rough=0.3, coat=0.35),
        "frame": wood("roseframe", "#2a0f0c", "#4d1f16", "#6f3424", rings=2.4, figure=0.14, pores=0.45, rough=0.22, coat=0.6),
        "ground": plain("ground", "#120908", 0.8),
        "bone": antler("bone", "#f4ead6", "#dac69c", 0.3, tint=0.0),
        "brass": plain("brass", "#e2b35c", 0.22, 1.0, mottle=0.08, bump=0.001, tint=0.0),
        "red": plain("redlac", "#b0140f", 0.16, coat=1.0, mottle=0.06, grain=14.0),
        "blue": plain("bluelac", "#0e467e", 0.16, coat=1.0, mottle=0.06, grain=14.0),
        "yellow": plain("yellowlac", "#e2a220", 0.18, coat=1.0, mottle=0.06, tint=0.0),
        "black": plain("blacklac", "#1c1310", 0.2, coat=1.0, mottle=0.0, tint=0.0),
        "stickred": wood("stickred", "#8f100b", "#ab160f", "#bb2214", rings=5.0, pores=0.0, rough=0.2, spread=0.2, bump=0.001, tint=0.0),
        "burnt": plain("burnt", "#7a4f28", 0.6, tint=0.0),
        "plainwood": wood("plainwood", "#9a6f3e", "#cda873", "#e6cb9c", rings=6.0, pores=0.35, rough=0.4, spread=0.1, tint=0.0),
    }


def cloth_material():
    return weave("khadi", "#ffffff", thread=25.0, contrast=0.18)


def lotus(kit, x, y, z, petal):
    """Of wood a little paler than the square: it must not vie with the pieces."""
    petals(kit, petal, x, y, 8, 0.09, 0.385, 0.066, z)
    kit.prism(petal, polar(20, 0.070, x=x, y=y), z - 0.012, z + 0.0005, 0.003)
    kit.prism("brass", polar(12, 0.026, x=x, y=y), z - 0.012, z + 0.001, 0.002)


def square(kit, f, r):
    x, y = f - 5.5, r - 1.5
    g = 0.483
    kit.box({0: "padauk", 3: "indigo"}.get(r, "rose"), x - g, y - g, x + g, y + g, -0.09, 0.0, 0.020, kit.var(turn=(f + r) % 2))
    if r in (0, 3):
        lotus(kit, x, y, 0.003, "palepadauk" if r == 0 else "paleindigo")
        return
    petals(kit, "palerose", x, y, 4, 0.02, 0.13, 0.032, 0.003, 0)


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
    kit.lathe(key, [(r + out, z), (r + out, z + h)])


def south(kit):
    """A lotus bud on a baluster."""
    body = [(0.29, 0.0), (0.305, 0.03), (0.30, 0.08), (0.30, 0.08), (0.24, 0.112), (0.14, 0.18), (0.108, 0.255), (0.108, 0.255),
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
    body = [(0.29, 0.0), (0.305, 0.03), (0.30, 0.08), (0.30, 0.08), (0.22, 0.11), (0.12, 0.19), (0.09, 0.27), (0.09, 0.27),
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

def stick_wide(x):
    """Half a stick's width at x: it grows thin towards its round ends."""
    t = abs(x) / STICK_HALF
    end = max(0.0, (abs(x) - 0.74) / 0.112)
    return STICK_RADIUS * (1 - 0.20 * t ** 2.2) * math.sqrt(max(0.0, 1 - end ** 2))


def light_stick(mesh, uv):
    """Half a rod along x, carved: it bends a little. Its flat side is plain wood, the other
    lacquered."""
    stops = [-0.85, -0.843, -0.825, -0.795, -0.75, -0.6, -0.4, -0.2, 0.0]
    stops += [-x for x in stops[-2::-1]]
    n = 12
    low = lambda x: STICK_BOW * (x / STICK_HALF) ** 2 - STICK_AXIS
    rim = lambda x: STICK_RIM * stick_wide(x) / STICK_RADIUS
    share = lambda x: 0.5 + x / 2.0

    def at(x, a):
        r = stick_wide(x)
        return (x, r * math.cos(a), low(x) + rim(x) + (r - rim(x)) * math.sin(a))

    for x0, x1 in zip(stops, stops[1:]):
        for i in range(n):
            a0, a1 = math.pi * i / n, math.pi * (i + 1) / n
            ends = [(x0, a0), (x0, a1), (x1, a1), (x1, a0)]
            # As wide in the picture as it is round.
            mesh.add("stick", [at(*end) for end in ends], [uv(0, share(x), 0.5 + 0.82 * (a / math.pi - 0.5)) for x, a in ends], smooth=True)
        for s in (-1, 1):
            corners = [(x, s * stick_wide(x), z(x)) for x, z in ((x0, low), (x1, low), (x1, lambda x: low(x) + rim(x)), (x0, lambda x: low(x) + rim(x)))]
            places = [uv(1, share(x), 0.5 + s * t) for x, t in ((x0, 0.40), (x1, 0.40), (x1, 0.49), (x0, 0.49))]
            mesh.add("stick", corners[::-s], places[::-s], smooth=True)
        corners = [(x, s * stick_wide(x), low(x)) for x, s in ((x0, -1), (x0, 1), (x1, 1), (x1, -1))]
        mesh.add("stick_plain", corners, [uv(1, share(x), 0.5 + 0.38 * s * stick_wide(x) / STICK_RADIUS) for x, s in ((x0, -1), (x0, 1), (x1, 1), (x1, -1))])


def stick_caster(kit):
    """A stick as it lies, for its shadow."""
    mesh = board.Mesh()
    light_stick(mesh, lambda *_: (0.0, 0.0))
    kit.put("plainwood", [(x, y, z + STICK_AXIS) for x, y, z in mesh.verts], mesh.faces)


def marked_side(kit):
    """The round side, rolled out: y is the way round, from -HIGH to HIGH. A lotus between
    lozenges and buds, and rings that differ from end to end."""
    high = 0.3
    kit.box("stickred", -1.1, -high, 1.1, high, -0.1, 0.0, 0.0, (0.2, 0.0, 0.5))
    for key, x0, x1 in (("bone", -0.575, -0.555), ("yellow", -0.655, -0.595), ("black", -0.695, -0.672), ("yellow", -0.82, -0.715),
                        ("black", 0.555, 0.575), ("yellow", 0.595, 0.70), ("black", 0.72, 0.735), ("bone", 0.755, 0.785)):
        kit.box(key, x0, -high, x1, high, -0.01, 0.004, 0.003)
    kit.box("stickred", -1.1, -high, -0.82, high, -0.01, 0.002, 0.0, (0.2, 0.0, 0.2))
    # Threads along the sides, with small leaves.
    for s in (-1, 1):
        kit.box("yellow", -0.54, s * 0.175 - 0.004, 0.54, s * 0.175 + 0.004, -0.01, 0.003, 0.002)
        for i in range(12):
            petals(kit, "yellow", -0.506 + 0.092 * i, s * 0.182, 1, 0.0, 0.045, 0.011, 0.003, s * math.pi / 2)
    petals(kit, "yellow", 0, 0, 8, 0.05, 0.150, 0.026, 0.003, math.pi / 8)
    petals(kit, "bone", 0, 0, 8, 0.035, 0.142, 0.029, 0.005)
    kit.prism("yellow", polar(20, 0.034), -0.01, 0.006, 0.002)
    kit.prism("black", polar(16, 0.015), -0.01, 0.0075, 0.001)
    for x in (-0.33, 0.33):
        for size, wide, key in ((0.135, 1.25, "bone"), (0.092, 1.25, "stickred"), (0.060, 1.25, "yellow"), (0.030, 1.25, "black")):
            kit.prism(key, [(x + size * wide, 0), (x, size), (x - size * wide, 0), (x, -size)], -0.01, 0.003 + 0.02 * (0.14 - size), 0.001)
        for s in (-1, 1):
            kit.prism("bone", polar(12, 0.014, x=x + 0.10 * s, y=0.088), -0.01, 0.004, 0.002)
            kit.prism("bone", polar(12, 0.014, x=x + 0.10 * s, y=-0.088), -0.01, 0.004, 0.002)
    for x in (-0.475, -0.185, 0.185, 0.475):
        side = -1 if x < 0 else 1
        inner = abs(x) < 0.3
        petals(kit, "bone", x - side * 0.012, 0, 1, 0.0, 0.055, 0.014, 0.004, math.pi / 2)
        petals(kit, "bone", x - side * 0.012, 0, 1, 0.0, 0.055, 0.014, 0.004, -math.pi / 2)
        kit.prism("yellow", polar(10, 0.011, x=x - side * 0.012), -0.01, 0.006, 0.001)


def plain_side(kit):
    """The flat side: bare wood with its grain, a little worn at the edges."""
    kit.box("plainwood", -1.1, -0.3, 1.1, 0.3, -0.1, 0.0, 0.0, (0.4, 0.0, 0.6))
    for s in (-1, 1):
        kit.box("burnt", -0.70, s * 0.135 - 0.006, 0.70, s * 0.135 + 0.006, -0.01, 0.001)
        kit.box("burnt", s * 0.70 - 0.006, -0.141, s * 0.70 + 0.006, 0.141, -0.01, 0.001)


STICK_SIDES = (marked_side, plain_side)
