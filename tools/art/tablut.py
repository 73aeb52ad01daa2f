"""Tablut: curly birch, smoked birch, antler, bark-tanned leather and pewter thread.

The ornament follows duodji, the Sámi craft that the game was seen beside: rows of teeth along
edges as on antler sheaths, an eight-pointed star, pewter thread on leather, a reindeer's antlers.
No figures of drums, no gods, no sun crosses: they are sacred.
"""
import math

from mathutils import Matrix

import board
from shaders import antler, plain, weave, wood
from shapes import mitred_frame, petals, polar, ring, smooth_profile, star, strip, stroke

NAME, HALF = "tablut", (4.5, 4.5)
EDGE = [(f, r) for f in range(9) for r in range(9) if f in (0, 8) or r in (0, 8)]
CAMPS = [(3, 8), (4, 8), (5, 8), (4, 7), (3, 0), (4, 0), (5, 0), (4, 1),
         (0, 3), (0, 4), (0, 5), (1, 4), (8, 3), (8, 4), (8, 5), (7, 4)]
CASTLE = (4, 4)
CLOTH = dict(x=6.62, y0=-5.52, y1=5.52, colour="#8b8171", bands=((0.20, 0.035, "#8e3b22"), (0.265, 0.10, "#c9c0ac"), (0.395, 0.035, "#8e3b22"),
                                                                     (0.70, 0.03, "#c9c0ac"), (0.73, 0.57, "#6f6759"), (1.30, 0.03, "#c9c0ac")))
"""The captured pieces stand on the wide dark bands."""
METALS = {"brass", "pewter"}
TRANSLUCENT = {"white", "ring"}
FINISH = {"piece_king": (0.34, 0.4), "piece_soldier_white": (0.36, 0.35), "piece_soldier_black": (0.22, 2.4)}


def materials():
    return {
        "birch": wood("birch", "#bd925f", "#d0a775", "#dfbd8d", rings=3.0, figure=0.26, pores=0.18, rough=0.38, coat=0.22, spread=0.34),
        "lichen": wood("lichen", "#5b6a49", "#809068", "#a2b088", rings=2.6, figure=0.06, pores=0.15, rough=0.42, coat=0.15, spread=0.18),
        "smoked": wood("smoked", "#553a29", "#76543c", "#937053", rings=3.0, figure=0.08, pores=0.3, rough=0.4, coat=0.2, spread=0.18),
        "frame": wood("frame", "#382216", "#5f3d28", "#875d3c", rings=2.8, figure=0.08, pores=0.4, rough=0.36, coat=0.25),
        "ground": plain("ground", "#1d130d", 0.8),
        "antler": antler("antler", "#f1e7d0", "#ccb083", tint=0.0),
        "leather": plain("leather", "#96361f", 0.62, mottle=0.25, grain=22.0, bump=0.006),
        "pewter": plain("pewter", "#cfccc6", 0.28, 1.0, mottle=0.08, tint=0.0),
        "bark": plain("bark", "#3a1d12", 0.6, tint=0.0),
        "white": antler("white", "#fdf9ef", "#e6dac4", 0.33, low=-0.1, high=0.6, patina="#6f5a48"),
        "black": wood("black", "#141011", "#262122", "#413a3a", rings=3.0, size=2.0, pores=0.2, rough=0.26, coat=0.55, upright=True),
        "ring": antler("ring", "#efe2c4", "#cdb58a", 0.33, tint=0.0),
        "brass": plain("brass", "#d9ab57", 0.24, 1.0, mottle=0.08, tint=0.0),
        "gold": plain("gold", "#f7cd62", 0.22, coat=1.0, mottle=0.08, tint=0.0),
        "garnet": plain("garnet", "#a01424", 0.08, coat=1.0, mottle=0.0, tint=0.0),
        "red": plain("red", "#a02a1d", 0.5, mottle=0.2, grain=40.0, bump=0.004, tint=0.0),
    }


def cloth_material():
    return weave("felt", "#ffffff", thread=27.0, contrast=0.13, twill=True)


def teeth(kit, key, x, y, angle, z, count=6, half=0.40, height=0.085, at=0.415):
    """A row of triangles along an edge."""
    move = Matrix.Translation((x, y, 0)) @ Matrix.Rotation(angle, 4, "Z")
    for i in range(count):
        c, w = (i - (count - 1) / 2) * 2 * half / count, half / count * 0.86
        kit.prism(key, [(c - w, at), (c, at - height), (c + w, at)], z - 0.01, z, 0.002, move=move)


def antlers(kit, key, x, y, angle, z):
    """A reindeer's antlers that open out of the board: the way to freedom."""
    for s in (-1, 1):
        move = Matrix.Translation((x, y, 0)) @ Matrix.Rotation(angle, 4, "Z")
        for k, (points, wide) in enumerate((
                ([(0.032, -0.27), (0.075, -0.17), (0.165, -0.08), (0.225, 0.03), (0.225, 0.15), (0.165, 0.27)], 0.036),
                ([(0.09, -0.15), (0.055, -0.04), (0.065, 0.06)], 0.026), ([(0.205, -0.01), (0.29, 0.03), (0.335, 0.11)], 0.026),
                ([(0.23, 0.11), (0.30, 0.16), (0.325, 0.25)], 0.024))):
            stroke(kit, key, [(s * px, py) for px, py in smooth_profile(points, 3)], wide, 0.008, z + 0.0002 * k, move)


def outward(f, r):
    """The directions from a square out of the board, as angles from +y."""
    return [a for a, on in ((0, r == 8), (math.pi, r == 0), (math.pi / 2, f == 0), (-math.pi / 2, f == 8)) if on]


def kind_of(rules, f, r):
    if (f, r) == CASTLE:
        return "castle"
    if rules == "ashton" and (f, r) in CAMPS:
        return "camp"
    goals = [(a, b) for a in (0, 8) for b in (0, 8)] if rules == "linnaeus" else EDGE
    return "escape" if (f, r) in goals else "plain"


def square(kit, kind, x, y, f, r):
    """A square in full detail; (f, r) says where its ornament points."""
    wood_of = {"castle": "frame", "camp": "smoked", "escape": "lichen", "corner": "lichen", "plain": "birch"}[kind]
    g = 0.485
    # Laid in turns, along and across.
    kit.box(wood_of, x - g, y - g, x + g, y + g, -0.09, 0.0, 0.028, kit.var(turn=kind != "plain" or (f + r) % 2))
    if kind == "camp":
        for a in range(4):
            teeth(kit, "antler", x, y, a * math.pi / 2, 0.003, 7, 0.37, 0.06, 0.43)
        star(kit, "antler", x, y, 0.225, 0.003, 0.46)
        kit.prism("leather", polar(16, 0.085, x=x, y=y), -0.01, 0.0035, 0.002)
        kit.prism("pewter", polar(8, 0.035, x=x, y=y), -0.01, 0.004, 0.003)
    elif kind == "escape":
        ways = outward(f, r)
        for a in ways:
            teeth(kit, "antler", x, y, a, 0.003, 7, 0.42, 0.075, 0.445)
        antlers(kit, "antler", x, y, ways[0] if len(ways) == 1 else math.atan2(4 - f, r - 4), 0.003)
    elif kind == "corner":
        # A looped square, the sign of a place worth finding.
        for a in range(4):
            teeth(kit, "antler", x, y, a * math.pi / 2, 0.003, 7, 0.40, 0.06, 0.44)
            b = a * math.pi / 2 + math.pi / 4
            ring(kit, "antler", x + 0.215 * math.cos(b), y + 0.215 * math.sin(b), 0.095, 0.036, 0.0032)
            strip(kit, "antler", x + 0.10 * math.cos(a * math.pi / 2), y + 0.10 * math.sin(a * math.pi / 2), a * math.pi / 2 + math.pi / 2, 0.24, 0.036, 0.003)
    elif kind == "castle":
        # Wide enough to be seen round the king's foot.
        kit.box("leather", x - 0.415, y - 0.415, x + 0.415, y + 0.415, -0.02, 0.001, 0.006)
        for a in range(4):
            teeth(kit, "antler", x, y, a * math.pi / 2, 0.0025, 9, 0.40, 0.07, 0.414)
            b = a * math.pi / 2 + math.pi / 4
            kit.prism("pewter", polar(12, 0.034, x=x + 0.46 * math.cos(b), y=y + 0.46 * math.sin(b)), -0.01, 0.004, 0.003)
            petals(kit, "pewter", x + 0.44 * math.cos(b), y + 0.44 * math.sin(b), 1, 0.05, 0.20, 0.03, 0.003, b + math.pi)
        for half in (0.300, 0.275):
            mitred_frame(kit, "pewter", half, half, 0.012, 0.0, 0.0035, 0.002)
        star(kit, "antler", x, y, 0.24, 0.003, 0.40)


def detailed(kit):
    """The board in full detail, as the picture sees it."""
    hx, hy = HALF
    kit.box("ground", -hx - 0.1, -hy - 0.1, hx + 0.1, hy + 0.1, -0.3, -0.05)
    for f in range(9):
        for r in range(9):
            square(kit, kind_of("ashton", f, r), f - 4, r - 4, f, r)
    board.frame(kit, "frame", HALF, [
        ("antler", 0.055, 0.032, 0.0, board.FRAME_Z + 0.001, 0.004),
        ("pewter", board.FRAME - 0.095, 0.012, 0.0, board.FRAME_Z + 0.001, 0.003)])
    for sx in (-1, 1):
        for sy in (-1, 1):
            x, y = sx * (hx + 0.375), sy * (hy + 0.375)
            star(kit, "antler", x, y, 0.17, board.FRAME_Z + 0.001, 0.45)
            kit.prism("leather", polar(12, 0.06, x=x, y=y), 0.0, board.FRAME_Z + 0.002, 0.002)


SPARE = {"corner": lambda kit: (kit.box("ground", -0.6, -0.6, 0.6, 0.6, -0.3, -0.05), square(kit, "corner", 0, 0, 0, 0))}


def squares(rules):
    """Every square: file, rank, kind, and where its picture is: (file, rank) or a spare one."""
    swap = {3: 1, 4: 2, 5: 7}
    for f in range(9):
        for r in range(9):
            kind, source = kind_of(rules, f, r), (f, r)
            if rules != "ashton" and (f, r) in CAMPS:
                # The picture shows a camp there.
                if kind == "escape":
                    source = (swap[f], r) if r in (0, 8) else (f, swap[r])
                else:
                    source = (min(max(f, 2), 6), min(max(r, 2), 6))
            if rules == "linnaeus" and kind == "plain" and (f, r) in EDGE:
                source = (min(max(f, 1), 7), min(max(r, 1), 7))
                source = {(4, 7): (3, 7), (4, 1): (5, 1), (1, 4): (1, 3), (7, 4): (7, 5)}.get(source, source)
            if rules == "linnaeus" and kind == "escape":
                source = "corner"
            yield f, r, kind, source


VARIANTS = ("berkeley", "ashton", "linnaeus")


def band(kit, key, body, z, h, out=0.006):
    """A ring on a turned body, from this height on."""
    radius = lambda at: next(a + (b - a) * (at - low) / (high - low) for (a, low), (b, high) in zip(body, body[1:]) if low <= at < high)
    kit.lathe(key, [(radius(z) + out, z), (radius(z + h) + out, z + h)])


def soldier_white(kit):
    """A round head on a bell: white antler with bark lines, a pewter collar and a leather dot."""
    body = kit.curve([(0.285, 0.0), (0.305, 0.03), (0.30, 0.075), (0.30, 0.075), (0.255, 0.10), (0.175, 0.19), (0.128, 0.31),
                      (0.120, 0.375), (0.120, 0.375), (0.165, 0.395), (0.165, 0.42), (0.165, 0.42), (0.105, 0.445), (0.158, 0.52), (0.170, 0.59), (0.130, 0.675), (0.0, 0.715)])
    kit.lathe("white", body)
    # A dark foot parts the white from the birch.
    band(kit, "bark", body, 0.002, 0.034)
    if kit.lod == 2:
        return
    band(kit, "bark", body, 0.112, 0.014, 0.013)
    band(kit, "pewter", body, 0.397, 0.021)
    band(kit, "bark", body, 0.560, 0.014)
    kit.lathe("red", [(0.05, 0.702), (0.045, 0.717), (0.0, 0.724)])


def soldier_black(kit):
    """A pointed hat with a brim, dark down to the foot: alder with a brass brim and thin rims of
    antler, which give it form on a dark square."""
    body = kit.curve([(0.29, 0.0), (0.31, 0.03), (0.305, 0.085), (0.305, 0.085), (0.245, 0.115), (0.205, 0.22), (0.20, 0.33), (0.215, 0.375), (0.215, 0.375),
                      (0.272, 0.40), (0.278, 0.42), (0.278, 0.42), (0.20, 0.455), (0.155, 0.53), (0.07, 0.66), (0.022, 0.735), (0.0, 0.745)])
    kit.lathe("black", body)
    kit.lathe("brass", [(0.262, 0.396), (0.284, 0.402), (0.284, 0.424), (0.262, 0.430)])
    kit.lathe("ring", [(0.3105, 0.076), (0.309, 0.0875), (0.296, 0.0945)])
    if kit.lod == 2:
        return
    band(kit, "brass", body, 0.262, 0.020)
    kit.lathe("brass", [(0.118, 0.560), (0.134, 0.566), (0.126, 0.582), (0.110, 0.586)])


def crown(kit, key, z0, z1, tip, r0, r1, thick=0.022, points=8):
    """A flaring band whose upper edge rises to points, each with a bead."""
    steps = kit.by_detail(16, 5, 2)
    n = points * steps
    wide = lambda z: r0 + (r1 - r0) * ((z - z0) / (tip - z0)) ** 1.4
    ring = []
    for i in range(n):
        a, t = 2 * math.pi * i / n, abs(2 * (i % steps) / steps - 1)
        high = z1 + (tip - z1) * t ** 1.5
        ring.append([(r * math.cos(a), r * math.sin(a), z) for r, z in (
            (wide(z0), z0), (wide(z0) + 0.008, z0 + 0.02), (wide(high), high), (wide(high) - thick, high), (wide(z1) - thick, z1 - 0.02))])
    rows = len(ring[0])
    kit.put(key, [v for at in ring for v in at],
            [[i * rows + k, (i + 1) % n * rows + k, (i + 1) % n * rows + k + 1, i * rows + k + 1] for i in range(n) for k in range(rows - 1)], smooth=True)
    if kit.lod == 2:
        return
    for i in range(points):
        move = Matrix.Rotation(2 * math.pi * i / points, 4, "Z") @ Matrix.Translation((r1 - thick / 2, 0, tip))
        kit.lathe(key, [(0.014, -0.012), (0.023, 0.006), (0.0, 0.025)], kit.by_detail(16, 6, 4), move)


def king(kit):
    """A wide golden crown over a red cap with a garnet, on a tall bell of antler with a red mantle
    and rings of gold: broader than all others at the foot, and far broader at the top."""
    body = kit.curve([(0.385, 0.0), (0.410, 0.035), (0.402, 0.10), (0.402, 0.10), (0.335, 0.135), (0.250, 0.27), (0.205, 0.42), (0.195, 0.54), (0.195, 0.54),
                      (0.255, 0.565), (0.255, 0.605), (0.255, 0.605), (0.178, 0.635), (0.195, 0.685), (0.215, 0.735), (0.215, 0.735), (0.10, 0.75)])
    kit.lathe("white", body)
    band(kit, "bark", body, 0.002, 0.030)
    band(kit, "gold", body, 0.046, 0.042)
    if kit.lod != 2:
        band(kit, "gold", body, 0.140, 0.018)
        band(kit, "red", body, 0.44, 0.060)
    kit.lathe("gold", [(0.24, 0.560), (0.262, 0.566), (0.262, 0.606), (0.22, 0.622)])
    kit.lathe("red", kit.curve([(0.21, 0.72), (0.215, 0.775), (0.165, 0.850), (0.0, 0.895)]), kit.by_detail(64, 18, 10))
    crown(kit, "gold", 0.695, 0.780, 0.890, 0.225, 0.270, 0.026)
    kit.lathe("gold", [(0.056, 0.872), (0.056, 0.900), (0.0, 0.904)], kit.by_detail(40, 12, 6))
    kit.lathe("garnet", kit.curve([(0.034, 0.898), (0.058, 0.918), (0.063, 0.946), (0.040, 0.980), (0.0, 0.996)]), kit.by_detail(40, 12, 6))
    # So low that the crown leaves the square behind it in sight.
    for verts, *_ in kit.parts.values():
        verts[:] = [(x, y, 0.88 * z) for x, y, z in verts]


PIECES = {"piece_king": king, "piece_soldier_white": soldier_white, "piece_soldier_black": soldier_black}
