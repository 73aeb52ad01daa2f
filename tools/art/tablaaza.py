"""Tablaaza: a small city of marble by two lakes.

The ornament is that of pietra dura: plain figures of white marble in red and green stone. Red is
always a square, a diamond, facets and a hipped roof; green is always cut corners, a ring, a dome.
"""
import math

from mathutils import Matrix, Vector

import board
from shaders import plain, stone, water, weave, wood
from shapes import Kit, mitred_frame, petals, polar

NAME, HALF = "tablaaza", (4.0, 3.5)
LAKES = [(f, r) for f in (2, 5) for r in (2, 3, 4)]
STREET_Z, LAKE_Z = -0.024, -0.170
PLOT = 0.435
CLOTH = dict(x=6.05, y0=-4.75, y1=4.75, colour="#3c4a4f", bands=((0.22, 0.05, "#b08f56"),))
METALS = {"gold", "bronze"}
TRANSLUCENT = {"white"}
FINISH = {"piece_stone_red": (0.22, 0.0), "piece_stone_green": (0.20, 0.25), "piece_pavilion_red": (0.4, 0.0), "piece_pavilion_green": (0.4, 0.0), "bowl_red": (0.35, 0.2), "bowl_green": (0.35, 0.2)}


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
        "red": stone("jasper", "#7a0a10", "#a8171a", "#cf6a5c", 0.40, 1.8, 0.2, spread=0.0),
        "green": stone("malachite", "#04402a", "#0f6a43", "#5fa886", 0.40, 1.8, 0.2, spread=0.0),
        "bowlwood": wood("bowlwood", "#3b2416", "#5e3c24", "#835a38", rings=2.2, pores=0.2, rough=0.35, coat=0.3, tint=0.0),
        "redroof": plain("redroof", "#b02a20", 0.28, coat=0.6, mottle=0.15, grain=10.0),
        "greenroof": plain("greenroof", "#156b43", 0.28, coat=0.6, mottle=0.15, grain=10.0),
        "lily": plain("lily", "#4f8049", 0.5, mottle=0.12, tint=0.0),
        "lilyrim": plain("lilyrim", "#86a968", 0.5, mottle=0.1, tint=0.0),
        "blossom": plain("blossom", "#f6e3e0", 0.5, mottle=0.1, tint=0.0),
        "water0": water("lake0", "#2f7371", "#08303d", 0.44, 1.44, (-1.5, 0.0, 0.0)),
        "water1": water("lake1", "#2f7371", "#08303d", 0.44, 1.44, (1.5, 0.0, 0.0)),
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
            kit.box("white", x + bx0 + 0.002, by0 + 0.002, x + bx1 - 0.002, by1 - 0.002, -0.3, 0.012, 0.008)
    kit.box(name, x - 0.46, -1.46, x + 0.46, 1.46, -0.3, -0.112, 0.0, (0, 0, 0.5))
    for cx, cy, size, turn in ((0.17, -1.12, 0.105, 0.4), (0.27, -0.90, 0.080, 2.6), (0.02, -0.99, 0.070, 4.4), (-0.24, 1.08, 0.090, 5.2), (-0.07, 1.17, 0.068, 1.2)):
        lily(kit, x + cx * (1 if x < 0 else -1), cy, size, turn)


def lily(kit, x, y, size, turn):
    """A leaf with a notch and a paler rim; the larger ones have a blossom beside them."""
    for radius, key, z in ((size, "lilyrim", -0.104), (size * 0.88, "lily", -0.1015)):
        kit.prism(key, [(x, y)] + [(x + radius * math.cos(turn + 0.22 + k * 0.2432), y + radius * math.sin(turn + 0.22 + k * 0.2432)) for k in range(25)], z - 0.004, z)
    if size < 0.09:
        return
    bx, by = x - 0.62 * size * math.cos(turn), y - 0.62 * size * math.sin(turn)
    petals(kit, "blossom", bx, by, 7, 0.0, 0.062, 0.017, -0.094)
    petals(kit, "blossom", bx, by, 5, 0.0, 0.042, 0.014, -0.090, 0.3)
    kit.prism("gold", polar(8, 0.012, x=bx, y=by), -0.09, -0.088)


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
        street(mesh, x, y, uv)
        for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(low, low[1:] + low[:1], high[1:] + high[:1], high):
            mesh.add("plot_" + kind, [(ax, ay, STREET_Z), (bx, by, STREET_Z), (cx, cy, 0.0), (dx, dy, 0.0)], [uv(dx, dy), uv(cx, cy), uv(cx, cy), uv(dx, dy)])
        n = len(high)
        for i in range(n):
            (ax, ay), (bx, by) = high[i], high[(i + 1) % n]
            mesh.add("plot_" + kind, [(x, y, 0.0), (ax, ay, 0.0), (bx, by, 0.0)], [uv(x, y), uv(ax, ay), uv(bx, by)])


QUAY = 0.057
"""How far a quay reaches beyond its lake."""


def street(mesh, x, y, uv):
    """The ground round a plot, up to the quays: a corner under one would be dark."""
    def stops(at, cuts):
        return sorted({at - 0.5, at, at + 0.5} | {cut for cut in cuts if abs(cut - at) < 0.5})

    xs = stops(x, [s * (1.5 + t * (0.5 + QUAY)) for s in (-1, 1) for t in (-1, 1)])
    ys = stops(y, [s * (1.5 + QUAY) for s in (-1, 1)])
    for x0, x1 in zip(xs, xs[1:]):
        for y0, y1 in zip(ys, ys[1:]):
            if abs(abs(x0 + x1) / 2 - 1.5) > 0.5 + QUAY or abs(y0 + y1) / 2 > 1.5 + QUAY:
                board.flat(mesh, "street", x0, y0, x1, y1, STREET_Z, uv)


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


def facet(kit, key, corners, bulge=0.010):
    """A facet with a little swell, so that a mirrored window does not fill it whole."""
    n = kit.by_detail(4, 2, 1)
    a, b, c, d = (Vector(v) for v in corners)
    out = (b - a).cross(d - a).normalized()
    verts = []
    for i in range(n + 1):
        for j in range(n + 1):
            u, v = i / n, j / n
            at = (a * (1 - u) + b * u) * (1 - v) + (d * (1 - u) + c * u) * v
            verts.append((at + out * bulge * 16 * u * (1 - u) * v * (1 - v))[:])
    m = n + 1
    kit.put(key, verts, [[i * m + j, (i + 1) * m + j, (i + 1) * m + j + 1, i * m + j + 1] for i in range(n) for j in range(n)], smooth=True)


def red_stone(kit):
    """A cut gem of eight sides with a white diamond on its table."""
    rows = [cushion(0.33, 0.0), cushion(0.368, 0.045), cushion(0.368, 0.085), cushion(0.315, 0.150), cushion(0.245, 0.196)]
    if kit.lod == 2:
        rows = [rows[0], rows[2], rows[4]]
    for low, high in zip(rows, rows[1:]):
        for k in range(8):
            facet(kit, "red", (low[k], low[(k + 1) % 8], high[(k + 1) % 8], high[k]), 0.007 if high is not rows[1] else 0.0)
    kit.put("red", rows[-1], [list(range(8))])
    kit.prism("white", polar(4, 0.200), 0.190, 0.204, 0.004)


def green_stone(kit):
    """A round, domed cabochon with a white ring."""
    dome = [(0.33, 0.0), (0.37, 0.04), (0.36, 0.085), (0.30, 0.145), (0.20, 0.185), (0.10, 0.204), (0.0, 0.21)]
    kit.lathe("green", kit.curve(dome), kit.by_detail(64, 36, 16))
    kit.lathe("white", [(0.205, 0.174), (0.198, 0.194), (0.135, 0.208), (0.128, 0.194)], kit.by_detail(64, 36, 16))


def column(kit, x, y, z0, z1, r):
    n = kit.by_detail(20, 9, 5)
    profile = [(r * 1.45, z0), (r * 1.45, z0 + 0.024), (r, z0 + 0.05), (r * 0.9, z1 - 0.05), (r * 1.4, z1 - 0.016), (r * 1.4, z1)]
    kit.lathe("white", [profile[0], profile[2], profile[3], profile[5]] if kit.lod else profile, n, Matrix.Translation((x, y, 0)))


FLOOR, BEAM = 0.085, 0.420
"""Where a pavilion's columns stand, and where the beam on them begins. The seat sees the columns
in front of the dark floor between them, since the roof is no wider than they stand."""
EAVES = BEAM + 0.040


def rib(kit, key, points, wide, thick, move):
    """A bar along points (distance from the axis, height), from outside to the middle."""
    half = wide / 2
    verts = [v for r, z in points for v in ((r, -half, z), (r, half, z), (r, half, z - thick), (r, -half, z - thick))]
    faces = [[4 * i + j, 4 * i + (j + 1) % 4, 4 * i + 4 + (j + 1) % 4, 4 * i + 4 + j] for i in range(len(points) - 1) for j in range(4)]
    kit.put(key, verts, faces, move=move)


def red_pavilion(kit):
    """Square: pale steps and columns round a red floor, below a plain red hipped roof with white eaves and gilt
    hips."""
    for half, z0, z1 in ((0.43, 0.0, 0.046), (0.375, 0.046, FLOOR)):
        kit.box("white", -half, -half, half, half, z0, z1, 0.010)
    # In pieces, so that the dark below the roof stays in the middle.
    cuts, z = (-0.345, -0.215, -0.08, 0.08, 0.215, 0.345), FLOOR + 0.004
    for x0, x1 in zip(cuts, cuts[1:]):
        for y0, y1 in zip(cuts, cuts[1:]):
            kit.put("redroof", [(x0, y0, z), (x1, y0, z), (x1, y1, z), (x0, y1, z)], [[0, 1, 2, 3]])
    for sx in (-1, 1):
        for sy in (-1, 1):
            for x, y in ((0.275, 0.275), (0.105, 0.275), (0.275, 0.105)):
                column(kit, x * sx, y * sy, FLOOR, BEAM, 0.037)
    mitred_frame(kit, "white", 0.225, 0.225, 0.088, BEAM - 0.006, BEAM + 0.042, 0.010)
    roof = [(0.20, EAVES - 0.004), (0.322, EAVES - 0.004), (0.328, EAVES + 0.016), (0.310, EAVES + 0.024), (0.225, EAVES + 0.072), (0.128, EAVES + 0.140), (0.026, EAVES + 0.225)]
    for k in range(4):
        move = Matrix.Rotation(k * math.pi / 2, 4, "Z")
        for (h0, z0), (h1, z1), key in zip(roof, roof[1:], ("redroof", "white", "white", "redroof", "redroof", "redroof")):
            kit.put(key, [(-h0, -h0, z0), (h0, -h0, z0), (h1, -h1, z1), (-h1, -h1, z1)], [[0, 1, 2, 3]], move=move)
        hip = move @ Matrix.Rotation(math.pi / 4, 4, "Z")
        rib(kit, "gold", [(h * math.sqrt(2) + 0.006, z + 0.010) for h, z in roof[3:]], 0.028, 0.018, hip)
    kit.lathe("gold", kit.curve([(0.034, EAVES + 0.215), (0.050, EAVES + 0.233), (0.026, EAVES + 0.249), (0.040, EAVES + 0.266), (0.0, EAVES + 0.292)]), kit.by_detail(24, 12, 6))


def green_pavilion(kit):
    """Round: pale steps and columns round a green floor, below a plain green dome with white eaves and gilt ribs."""
    sides = kit.by_detail(48, 24, 12)
    for r, z0, z1 in ((0.43, 0.0, 0.046), (0.385, 0.046, FLOOR)):
        kit.lathe("white", [(r, z0), (r, z1 - 0.012), (r - 0.012, z1), (0.0, z1)], sides)
    kit.lathe("greenroof", [(0.350, FLOOR - 0.005), (0.348, FLOOR + 0.004), (0.20, FLOOR + 0.004), (0.0, FLOOR + 0.004)], sides)
    count = 8
    for i in range(count):
        a = 2 * math.pi * (i + 0.5) / count - math.pi / 2
        column(kit, 0.298 * math.cos(a), 0.298 * math.sin(a), FLOOR, BEAM, 0.037)
    top = BEAM + 0.042
    kit.lathe("white", [(0.245, top), (0.245, BEAM - 0.006), (0.330, BEAM - 0.006), (0.330, top)], sides)
    kit.lathe("greenroof", [(0.20, EAVES - 0.004), (0.330, EAVES - 0.004)], sides)
    kit.lathe("white", [(0.330, EAVES - 0.004), (0.340, EAVES + 0.006), (0.340, EAVES + 0.016), (0.318, EAVES + 0.024)], sides)
    dome = [(0.318, EAVES + 0.022), (0.304, EAVES + 0.080), (0.258, EAVES + 0.142), (0.185, EAVES + 0.190), (0.10, EAVES + 0.218), (0.0, EAVES + 0.228)]
    kit.lathe("greenroof", kit.curve(dome), sides)
    for i in range(count):
        # From above they tell a dome from a round stone.
        move = Matrix.Rotation(2 * math.pi * (i + 0.5) / count - math.pi / 2, 4, "Z")
        rib(kit, "gold", [(r + 0.010, z + 0.006) for r, z in dome[:-1]], 0.024, 0.018, move)
    kit.lathe("gold", kit.curve([(0.055, EAVES + 0.212), (0.052, EAVES + 0.236), (0.026, EAVES + 0.250), (0.040, EAVES + 0.268), (0.0, EAVES + 0.294)]), kit.by_detail(24, 12, 6))


SUPPLY = 0.72
"""How large the stones in a bowl are."""


def row(kit, stone):
    """Three stones as they lie in a bowl, side by side: each shows its sign."""
    for y, turn in ((-0.535, 9), (0.0, -14), (0.535, 4)):
        inner = Kit("stone", kit.lod + 1, seed=3)
        stone(inner)
        move = Matrix.Translation((0.0, y, 0.036)) @ Matrix.Rotation(math.radians(turn), 4, "Z") @ Matrix.Scale(SUPPLY, 4)
        for key, (verts, faces, var, smooth) in inner.parts.items():
            kit.put(key, [(move @ Vector(v))[:] for v in verts], faces, var[0], smooth[0])


def bowl(kit, stone, outline):
    """A dish of wood with a rim of bronze; `outline` gives its edge at a share of its size."""
    rows = [(0.74, 0.0), (0.80, 0.012), (0.97, 0.12), (1.0, 0.165), (0.985, 0.175), (0.94, 0.175), (0.925, 0.165), (0.86, 0.07), (0.72, 0.035)]
    keys = ["bowlwood"] * 3 + ["bronze"] * 3 + ["bowlwood"] * 2
    for key, (low, z0), (high, z1) in zip(keys, rows, rows[1:]):
        a, b = outline(low), outline(high)
        n = len(a)
        kit.put(key, [(x, y, z0) for x, y in a] + [(x, y, z1) for x, y in b], [[i, (i + 1) % n, n + (i + 1) % n, n + i] for i in range(n)], (0.3, 1.0, 0.5), True)
    kit.put("bowlwood", [(x, y, rows[-1][1]) for x, y in outline(rows[-1][0])], [list(range(len(outline(1.0))))], (0.3, 1.0, 0.5))
    row(kit, stone)


def red_bowl(kit):
    """A dish with cut corners."""
    def outline(size):
        hx, hy, c = 0.43 - 0.3 * (1 - size), 0.86 - 0.3 * (1 - size), 0.14
        return [(hx, -hy + c), (hx, 0.0), (hx, hy - c), (hx - c, hy), (c - hx, hy), (-hx, hy - c), (-hx, 0.0), (-hx, c - hy), (c - hx, -hy), (hx - c, -hy)]
    bowl(kit, red_stone, outline)


def green_bowl(kit):
    """A dish with round ends."""
    def outline(size):
        r, reach, n = 0.43 - 0.3 * (1 - size), 0.43, 7
        turn = [math.pi * i / n for i in range(n + 1)]
        return [(r * math.cos(a), reach + r * math.sin(a)) for a in turn] + [(-r * math.cos(a), -reach - r * math.sin(a)) for a in turn]
    bowl(kit, green_stone, outline)


BOWLS = {"bowl_red": (red_bowl, -5.24), "bowl_green": (green_bowl, 5.24)}
"""Where the stones lie that are not placed yet, with the place along x on the cloth."""
PIECES = {"piece_stone_red": red_stone, "piece_stone_green": green_stone, "piece_pavilion_red": red_pavilion, "piece_pavilion_green": green_pavilion}
