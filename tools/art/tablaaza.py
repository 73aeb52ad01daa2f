"""Tablaaza: a small city of marble by two lakes.

The ornament is that of pietra dura: plain figures of white marble in red and green stone. Red is
always a square, a diamond, facets and a hipped roof; green is always cut corners, a ring, a dome.
"""
import math

from mathutils import Matrix

import board
from shaders import plain, stone, water, weave
from shapes import polar

NAME, HALF = "tablaaza", (4.0, 3.5)
LAKES = [(f, r) for f in (2, 5) for r in (2, 3, 4)]
STREET_Z, LAKE_Z = -0.024, -0.112
PLOT = 0.435
CLOTH = dict(x=5.75, y0=-4.75, y1=4.75, colour="#3c4a4f", bands=((0.14, 0.05, "#b08f56"),))
METALS = {"gold", "bronze"}
FINISH = {"piece_stone_red": (0.16, 0.25), "piece_stone_green": (0.13, 0.8), "piece_pavilion_red": (0.4, 0.3), "piece_pavilion_green": (0.4, 0.3)}
POSITION = {"piece_stone_red": ["a7", "c7", "e7", "g7", "b6", "h6", "a5", "g5", "b4", "a3", "b2", "h2"],
            "piece_stone_green": ["f7", "h7", "b5", "d5", "h5", "a4", "e4", "g4", "b3", "h3", "a2", "c2", "e2", "h1"],
            "piece_pavilion_red": ["b7", "e1"], "piece_pavilion_green": ["h4", "d6"]}
TAKEN = []


def materials():
    return {
        "rose": stone("rosso", "#7d3527", "#a9604c", "#d5a692", 0.5, 1.2, 0.24, spread=0.22),
        "verde": stone("verde", "#456753", "#75987d", "#b4cdb1", 0.5, 1.2, 0.24, spread=0.22),
        "travertine": stone("travertine", "#c6b99a", "#e2d7c0", "#f1ebdc", 0.25, 0.9, 0.42, spread=0.12, tint=0.0),
        "frame": stone("frame", "#ab9d80", "#cfc2a6", "#e6ddc8", 0.3, 0.6, 0.36, spread=0.1),
        "wall": stone("slate", "#3b3d3f", "#56595a", "#8b8f8e", 0.35, 1.0, 0.35, spread=0.1, tint=0.0),
        "ground": plain("ground", "#6e6453", 0.8),
        "white": stone("white", "#ddd6ca", "#f4efe6", "#bdb6aa", 0.25, 2.0, 0.28, spread=0.06, tint=0.0),
        "bronze": plain("bronze", "#c2914c", 0.3, 1.0, mottle=0.15, tint=0.0),
        "gold": plain("gold", "#e9bd66", 0.2, 1.0, mottle=0.06, tint=0.0),
        "red": plain("redglaze", "#930d13", 0.13, coat=1.0, mottle=0.12, grain=8.0),
        "green": plain("greenglaze", "#075032", 0.13, coat=1.0, mottle=0.12, grain=8.0),
        "redroof": plain("redroof", "#b02a20", 0.28, coat=0.6, mottle=0.15, grain=10.0),
        "greenroof": plain("greenroof", "#156b43", 0.28, coat=0.6, mottle=0.15, grain=10.0),
        "lily": plain("lily", "#5a8a4e", 0.5, mottle=0.2, tint=0.0),
        "blossom": plain("blossom", "#f3d9d6", 0.5, mottle=0.1, tint=0.0),
        "water0": water("lake0", "#3f8a84", "#0d3a46", 0.44, 1.44, (-1.5, 0.0, 0.0)),
        "water1": water("lake1", "#3f8a84", "#0d3a46", 0.44, 1.44, (1.5, 0.0, 0.0)),
    }


def cloth_material():
    return weave("linen", "#ffffff", thread=29.0, contrast=0.14)


def outline(x, y, red, half=PLOT):
    """A plot's outline: green ones have cut corners."""
    if red:
        return [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
    c = 0.085
    return [(x - half, y - half + c), (x - half + c, y - half), (x + half - c, y - half), (x + half, y - half + c),
            (x + half, y + half - c), (x + half - c, y + half), (x - half + c, y + half), (x - half, y + half - c)]


def plot(kit, f, r):
    x, y, red = f - 3.5, r - 3.0, (f + r) % 2 == 0
    kit.prism("rose" if red else "verde", outline(x, y, red), -0.08, 0.0, 0.016, kit.var())
    if red:
        for size, key in ((0.235, "white"), (0.208, "rose"), (0.055, "bronze")):
            kit.prism(key, polar(4, size, x=x, y=y), -0.01, 0.0025 + 0.002 * (0.3 - size), 0.001)
        for sx in (-1, 1):
            for sy in (-1, 1):
                kit.prism("white", [(x + sx * 0.40, y + sy * 0.40), (x + sx * 0.32, y + sy * 0.40), (x + sx * 0.40, y + sy * 0.32)], -0.01, 0.002, 0.001)
    else:
        for size, key in ((0.195, "white"), (0.170, "verde"), (0.050, "bronze")):
            kit.prism(key, polar(40, size, x=x, y=y), -0.01, 0.0025 + 0.002 * (0.3 - size), 0.001)
        for i in range(4):
            a = i * math.pi / 2
            kit.prism("white", [(x + math.cos(a + d) * q, y + math.sin(a + d) * q) for d, q in ((-0.07, 0.29), (0, 0.385), (0.07, 0.29))], -0.01, 0.002, 0.001)


def lake(kit, x, name):
    """A basin: a quay of blocks, clear water, lilies."""
    for x0, y0, x1, y1 in ((-0.555, -1.555, -0.455, 1.555), (0.455, -1.555, 0.555, 1.555), (-0.455, -1.555, 0.455, -1.455), (-0.455, 1.455, 0.455, 1.555)):
        along_y = y1 - y0 > 1
        n = 9 if along_y else 3
        for i in range(n):
            a, b = i / n, (i + 1) / n
            bx0, bx1 = (x0, x1) if along_y else (x0 + (x1 - x0) * a, x0 + (x1 - x0) * b)
            by0, by1 = (y0 + (y1 - y0) * a, y0 + (y1 - y0) * b) if along_y else (y0, y1)
            kit.box("white", x + bx0 + 0.004, by0 + 0.004, x + bx1 - 0.004, by1 - 0.004, -0.3, 0.012, 0.014)
    kit.box(name, x - 0.46, -1.46, x + 0.46, 1.46, -0.3, -0.112, 0.0, (0, 0, 0.5))
    r = kit.random
    for i in range(8):
        a, d = r.uniform(0, 6.28), r.uniform(0.05, 0.18)
        cx, cy = (0.13 + d * math.cos(a), -0.95 + d * math.sin(a)) if i < 5 else (-0.15 + d * math.cos(a) * 0.6, 0.78 + d * math.sin(a))
        s = r.uniform(0.04, 0.065)
        kit.prism("lily", [(x + cx, cy)] + [(x + cx + s * math.cos(a + 0.3 + k * 0.47), cy + s * math.sin(a + 0.3 + k * 0.47)) for k in range(13)], -0.104, -0.098)
        if i % 3 == 0:
            kit.prism("blossom", polar(6, 0.022, 0.010, x=x + cx, y=cy), -0.10, -0.094)


def detailed(kit):
    hx, hy = HALF
    for x0, x1, y0, y1 in ((-4, -2, -3.5, 3.5), (-1, 1, -3.5, 3.5), (2, 4, -3.5, 3.5), (-2, -1, -3.5, -1.5), (-2, -1, 1.5, 3.5), (1, 2, -3.5, -1.5), (1, 2, 1.5, 3.5)):
        kit.box("travertine", x0, y0, x1, y1, -0.30, STREET_Z, 0.0, (0.2, 0, 0.6))
    for f in range(8):
        for r in range(7):
            if (f, r) not in LAKES:
                plot(kit, f, r)
    # Studs of bronze where four plots meet.
    for i in range(9):
        for j in range(8):
            x, y = i - 4.0, j - 3.5
            lake_here = 0.9 <= abs(x) <= 2.1 and abs(y) <= 1.6
            if not lake_here and abs(x) < 4 and abs(y) < 3.5:
                kit.prism("bronze", polar(4, 0.044, x=x, y=y), -0.04, -0.016, 0.006)
    for s, name in ((-1.5, "water0"), (1.5, "water1")):
        lake(kit, s, name)
    top = board.FRAME_Z
    board.frame(kit, "frame", HALF, [
        ("white", 0.012, 0.05, -0.2, top + 0.002, 0.012), ("wall", 0.066, 0.022, 0.0, top + 0.001, 0.003),
        ("bronze", board.FRAME - 0.10, 0.016, 0.0, top + 0.003, 0.006),
        ("bronze", board.FRAME - 0.02, 0.026, board.PLINTH_Z + 0.004, board.PLINTH_Z + 0.034, 0.008)])
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * (hx + 0.375), sy * (hy + 0.375)
            kit.prism("wall", polar(8, 0.15, turn=math.pi / 8, x=x, y=y), 0.0, top + 0.001, 0.002)
            kit.prism("frame", polar(8, 0.125, turn=math.pi / 8, x=x, y=y), 0.0, top + 0.0015, 0.002)
            kit.prism("bronze", polar(4, 0.06, x=x, y=y), 0.0, top + 0.003, 0.003)


SPARE = {}
VARIANTS = ("tablaaza",)


def squares(_rules):
    for f in range(8):
        for r in range(7):
            if (f, r) not in LAKES:
                yield f, r, "red" if (f + r) % 2 == 0 else "green", (f, r)


def light_squares(mesh, uv):
    """The plots for the table: a little above the streets, with a bevelled edge."""
    for f, r, kind, _ in squares(None):
        x, y = f - 3.5, r - 3.0
        low = outline(x, y, kind == "red")
        high = outline(x, y, kind == "red", PLOT - 0.014)
        board.flat(mesh, "street", x - 0.5, y - 0.5, x + 0.5, y + 0.5, STREET_Z, uv, 2, 2)
        for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(low, low[1:] + low[:1], high[1:] + high[:1], high):
            mesh.add("plot_" + kind, [(ax, ay, STREET_Z), (bx, by, STREET_Z), (cx, cy, 0.0), (dx, dy, 0.0)], [uv(dx, dy), uv(cx, cy), uv(cx, cy), uv(dx, dy)])
        n = len(high)
        for i in range(n):
            (ax, ay), (bx, by) = high[i], high[(i + 1) % n]
            mesh.add("plot_" + kind, [(x, y, 0.0), (ax, ay, 0.0), (bx, by, 0.0)], [uv(x, y), uv(ax, ay), uv(bx, by)])


def light_lakes(mesh, uv):
    """Quays and beds."""
    for x in (-1.5, 1.5):
        board.flat(mesh, "lake", x - 0.46, -1.46, x + 0.46, 1.46, LAKE_Z, uv, 3, 9)
        for sx, sy, length in ((-1, 0, 1.5), (1, 0, 1.5), (0, -1, 0.5), (0, 1, 0.5)):
            across = 0.5 if sx else 1.5
            n = 9 if sx else 3
            profile = [(0.056, STREET_Z), (0.052, 0.008), (0.046, 0.012), (-0.036, 0.012), (-0.042, 0.008), (-0.045, -0.03), (-0.045, LAKE_Z)]
            for (o0, z0), (o1, z1) in zip(profile, profile[1:]):
                for i in range(n):
                    corners, uvs = [], []
                    for s, o, z in ((i, o0, z0), (i + 1, o0, z0), (i + 1, o1, z1), (i, o1, z1)):
                        along = (-1.0 + 2.0 * s / n) * (length + o if s in (0, n) else length)
                        px, py = (x + sx * (across + o), sx * along) if sx else (x - sy * along, sy * (across + o))
                        corners.append((px, py, z))
                        qx, qy = (x + sx * (across + min(o, 0.045)), sx * along) if sx else (x - sy * along, sy * (across + min(o, 0.045)))
                        uvs.append(uv(qx, qy))
                    mesh.add("quay", corners, uvs)


def cushion(r, z, q=0.30):
    return [(x, y, z) for x, y in [(r, -r * q * 1.6), (r, r * q * 1.6), (r * q * 1.6, r), (-r * q * 1.6, r),
                                   (-r, r * q * 1.6), (-r, -r * q * 1.6), (-r * q * 1.6, -r), (r * q * 1.6, -r)]]


def red_stone(kit):
    """A cut gem of eight sides with a white diamond on its table."""
    rows = [cushion(0.33, 0.0), cushion(0.368, 0.045), cushion(0.368, 0.085), cushion(0.315, 0.150), cushion(0.245, 0.196)]
    if kit.lod == 2:
        rows = [rows[0], rows[2], rows[4]]
    kit.put("red", [v for row in rows for v in row], [[8 * i + k, 8 * i + (k + 1) % 8, 8 * i + 8 + (k + 1) % 8, 8 * i + 8 + k] for i in range(len(rows) - 1) for k in range(8)]
            + [list(range(8 * len(rows) - 8, 8 * len(rows)))])
    kit.prism("white", polar(4, 0.215), 0.190, 0.204, 0.004)
    kit.prism("red", polar(4, 0.098), 0.200, 0.2075, 0.0)


def green_stone(kit):
    """A round, domed cabochon with a white ring."""
    dome = [(0.0, 0.0), (0.33, 0.0), (0.33, 0.0), (0.37, 0.04), (0.36, 0.085), (0.30, 0.145), (0.20, 0.185), (0.10, 0.204), (0.0, 0.21)]
    kit.lathe("green", kit.curve(dome), kit.by_detail(64, 24, 14))
    kit.lathe("white", [(0.205, 0.174), (0.198, 0.194), (0.135, 0.208), (0.128, 0.194)], kit.by_detail(64, 24, 14))


def column(kit, x, y, z0, z1, r):
    n = kit.by_detail(20, 7, 5)
    profile = [(r * 1.5, z0), (r * 1.5, z0 + 0.022), (r, z0 + 0.05), (r * 0.88, z1 - 0.04), (r * 1.45, z1 - 0.012), (r * 1.45, z1)]
    kit.lathe("white", [profile[0], profile[2], profile[3], profile[5]] if kit.lod == 2 else profile, n, Matrix.Translation((x, y, 0)))


def red_pavilion(kit):
    """Square: columns on steps round a red floor, a hipped roof with white ridges that ends at the columns."""
    for half, z0, z1, key in ((0.43, 0.0, 0.045, "white"), (0.395, 0.045, 0.085, "red"), (0.365, 0.085, 0.12, "white")):
        kit.box(key, -half, -half, half, half, z0, z1, 0.008)
    # The room behind the columns, so that they stand out.
    kit.box("red", -0.21, -0.21, 0.21, 0.21, 0.11, 0.48)
    per_side = kit.by_detail(4, 4, 3)
    for i in range(per_side):
        for j in range(per_side):
            if i in (0, per_side - 1) or j in (0, per_side - 1):
                column(kit, (2 * i / (per_side - 1) - 1) * 0.30, (2 * j / (per_side - 1) - 1) * 0.30, 0.12, 0.47, 0.034)
    kit.box("white", -0.335, -0.335, 0.335, 0.335, 0.47, 0.515, 0.006)
    rows = [(0.325, 0.515), (0.325, 0.53), (0.215, 0.625), (0.085, 0.736), (0.04, 0.775)]
    for k in range(4):
        move = Matrix.Rotation(k * math.pi / 2, 4, "Z")
        for (h0, z0), (h1, z1) in zip(rows, rows[1:]):
            kit.put("redroof", [(-h0, -h0, z0), (h0, -h0, z0), (h1, -h1, z1), (-h1, -h1, z1)], [[0, 1, 2, 3]], move=move)
        for (h0, z0), (h1, z1) in zip(rows[1:], rows[2:]):
            w = 0.018
            kit.put("white", [(-h0 - 0.004, -h0 + w, z0), (-h0 - 0.006, -h0 - 0.006, z0 + 0.022), (-h0 + w, -h0 - 0.004, z0),
                              (-h1 - 0.004, -h1 + w, z1), (-h1 - 0.006, -h1 - 0.006, z1 + 0.022), (-h1 + w, -h1 - 0.004, z1)], [[1, 4, 3, 0], [2, 5, 4, 1]], move=move)
    kit.lathe("gold", kit.curve([(0.055, 0.765), (0.062, 0.795), (0.032, 0.815), (0.048, 0.845), (0.0, 0.895)]), kit.by_detail(24, 12, 6))


def green_pavilion(kit):
    """Round: ten columns on steps, a ribbed dome."""
    sides = kit.by_detail(48, 20, 10)
    for r, z0, z1, key in ((0.43, 0.0, 0.045, "white"), (0.395, 0.045, 0.085, "green"), (0.365, 0.085, 0.12, "white")):
        kit.lathe(key, [(r, z0), (r, z1 - 0.008), (r - 0.008, z1), (0.0, z1)], sides)
    # The room behind the columns, so that they stand out.
    kit.lathe("green", [(0.22, 0.12), (0.22, 0.48)], sides)
    count = kit.by_detail(10, 9, 5)
    for i in range(count):
        a = 2 * math.pi * (i + 0.5) / count - math.pi / 2
        column(kit, 0.318 * math.cos(a), 0.318 * math.sin(a), 0.12, 0.47, 0.034)
    kit.lathe("white", [(0.27, 0.47), (0.355, 0.47), (0.355, 0.508), (0.29, 0.515)], sides)
    dome = [(0.325, 0.51), (0.330, 0.53), (0.312, 0.60), (0.245, 0.69), (0.135, 0.75), (0.075, 0.768), (0.045, 0.775), (0.0, 0.78)]
    kit.lathe("greenroof", kit.curve(dome) if kit.lod != 2 else dome, sides)
    if kit.lod != 2:
        for i in range(8):
            a = 2 * math.pi * (i + 0.5) / 8
            move = Matrix.Rotation(a, 4, "Z")
            verts = [v for r, z in dome[1:-1] for v in ((r, -0.014, z - 0.002), (r + 0.014, 0.0, z + 0.010), (r, 0.014, z - 0.002))]
            kit.put("white", verts, [[3 * k + j, 3 * k + 3 + j, 3 * k + 4 + j, 3 * k + 1 + j][::-1] for k in range(len(dome) - 3) for j in (0, 1)], smooth=True, move=move)
    kit.lathe("gold", kit.curve([(0.055, 0.77), (0.062, 0.80), (0.032, 0.82), (0.048, 0.85), (0.0, 0.90)]), kit.by_detail(24, 12, 6))


PIECES = {"piece_stone_red": red_stone, "piece_stone_green": green_stone, "piece_pavilion_red": red_pavilion, "piece_pavilion_green": green_pavilion}
