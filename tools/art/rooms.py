"""The table and what is seen beyond its edge: a study by day, a cabin by night.

A room is modelled only to be seen out of focus: its picture is a blurred panorama on the inside
of a dome. What polished things mirror of it is a second, smaller picture.
"""
import math
import os

import bpy
import numpy as np
from mathutils import Matrix
from PIL import Image

import bake
import board
import glb
import light
import shaders
from shaders import plain, plank, rgb, wood
from shapes import HIGH, Kit

TOP = board.TABLE_Z - board.CLOTH_THICK
HALF = (9.8, 5.85)
"""Half the table: 78 by 47 cm."""
BORDER = 0.46
"""How wide the table's border is, which lies along its edge."""
PLANKS = {"study": 6, "cabin": 5}
"""How many planks lie across the field."""
CORNER = {"study": 1.5, "cabin": 0.9}
EDGE = 0.20
"""How wide and how high the rounding of the edge is."""
THICK = 0.9
"""Of the table's top."""
LEG = 0.45
"""Half the width of a leg, where it begins."""
PERIOD = 16.0
"""Units after which the planks' picture repeats along the grain."""
FLOOR = -18.5
DOME = 46.0
SHEEN_BRIGHTEST = 12.0
"""The brightest light of a mirrored picture."""


def width(room):
    """Of a plank."""
    return 2 * (HALF[1] - EDGE - BORDER) / PLANKS[room]


def table(room):
    """Planks in a border that runs round rounded corners, all of whose rings have their
    points at the same places: no gap opens between them."""
    corner, wide = CORNER[room], width(room)
    mesh = board.Mesh()
    hx, hy = HALF[0] - EDGE - BORDER, HALF[1] - EDGE - BORDER
    cx, cy = HALF[0] - corner, HALF[1] - corner
    rng = np.random.default_rng(5)
    shift = [float(s) for s in rng.random(PLANKS[room])]
    columns = [-cx + 2 * cx * i / 20 for i in range(21)]
    ys = sorted({round(-hy + i * wide, 5) for i in range(1, PLANKS[room])} | {-cy, cy})

    def uv(row):
        return lambda x, y: (x / PERIOD + shift[row], ((y + hy) / wide - row + row % 4) / 4)

    rows = [-hy, *ys, hy]
    for low, high in zip(rows, rows[1:]):
        row = min(int(((low + high) / 2 + hy) / wide), PLANKS[room] - 1)
        xs = columns if abs(low + high) / 2 > cy else [-hx, *columns, hx]
        for a, b in zip(xs, xs[1:]):
            board.flat(mesh, "table", a, low, b, high, TOP, uv(row))
    points = 13
    arc = [math.pi / 2 * i / (points - 1) for i in range(points)]
    # The rings as (place of the arc's middle, its direction): from the right side, anticlockwise.
    ring = []
    for k, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        row = 0 if sy < 0 else PLANKS[room] - 1
        turn = k * math.pi / 2
        at = lambda a: (sx * cx + (hx - cx) * math.cos(turn + a), sy * cy + (hy - cy) * math.sin(turn + a))
        for a, b in zip(arc, arc[1:]):
            fan = [(sx * cx, sy * cy), at(a), at(b)]
            mesh.add("table", [(*p, TOP) for p in fan], [uv(row)(*p) for p in fan])
        straight = [[(x, cy) for x in columns[-2:0:-1]], [(-cx, y) for y in ys[-2:0:-1]], [(x, -cy) for x in columns[1:-1]], [(cx, y) for y in ys[1:-1]]][k]
        ring += [((sx * cx, sy * cy), turn + a) for a in arc] + [(at, turn + math.pi / 2) for at in straight]
    place = lambda point, inset: (point[0][0] + (corner - inset) * math.cos(point[1]), point[0][1] + (corner - inset) * math.sin(point[1]))
    outer = [place(point, 0.0) for point in ring]
    run = np.cumsum([0.0] + [math.dist(a, b) for a, b in zip(outer, outer[1:] + outer[:1])])
    # Border, rounding and side as (inset, height, place across the picture); the border's
    # seam lies at a plank's edge there.
    seam = 0.5 + 0.006
    across = lambda width: seam - width / (4 * wide)
    arc = [math.pi / 2 * i / 4 for i in range(5)]
    profile = [(EDGE + BORDER, TOP, seam)]
    profile += [(EDGE * (1 - math.sin(a)), TOP - EDGE * (1 - math.cos(a)), across(BORDER + EDGE * a)) for a in arc]
    profile += [(0.0, TOP - THICK + 0.08, across(BORDER + THICK)), (0.08, TOP - THICK, across(BORDER + THICK + 0.1))]
    n = len(ring)
    for (o0, z0, v0), (o1, z1, v1) in zip(profile, profile[1:]):
        for i in range(n):
            k = (i + 1) % n
            corners = [(*place(ring[j], o), z) for j, o, z in ((i, o1, z1), (k, o1, z1), (k, o0, z0), (i, o0, z0))]
            places = [(run[j] / PERIOD, v) for j, v in ((i, v1), (i + 1, v1), (i + 1, v0), (i, v0))]
            mesh.add("table", corners, places, smooth=True)
    legs(mesh, cx, cy)
    return mesh


def legs(mesh, cx, cy):
    """Four legs that grow thinner towards the floor."""
    for sx, sy in ((1, 1), (-1, 1), (-1, -1), (1, -1)):
        ring = lambda half: [(sx * (cx - 0.1) + x, sy * (cy - 0.1) + y) for x, y in ((half, -half), (half, half), (-half, half), (-half, -half))]
        steps = [(LEG, TOP - THICK + 0.05), (LEG, TOP - 3.0), (0.6 * LEG, FLOOR)]
        for (h0, z0), (h1, z1) in zip(steps, steps[1:]):
            high, low = ring(h0), ring(h1)
            for i in range(4):
                k = (i + 1) % 4
                corners = [(*low[i], z1), (*low[k], z1), (*high[k], z0), (*high[i], z0)]
                mesh.add("table", corners, [(z / PERIOD, 0.02 + 0.1 * (side in (1, 2))) for (_, _, z), side in zip(corners, range(4))])


def planks(room):
    """The picture of the table's planks, which repeats."""
    bake.clear()
    wide = width(room)
    kit = Kit("planks", HIGH, seed=7)
    mats = {"study": lambda: plank("walnut", "#2c190e", "#5a3a25", "#80593a", wide, rings=46.0, contrast=0.42),
            "cabin": lambda: plank("pine", "#584029", "#7a5d42", "#98795a", wide, rings=32.0, contrast=0.42, pores=0.15, rough=0.55)}[room]()
    for i in range(4):
        y = (i - 2) * wide
        kit.box("table", -10, y + 0.006, 10, y + wide - 0.006, -0.5, 0.0, 0.012, (kit.random.random(), 0.0, kit.random.random()))
    kit.objects({"table": mats})
    shaders.show("picture")


RISES = (-90.0, -62.0, -50.0, -41.0, -38.0, -35.0, -32.0, -26.0, -20.0, -10.0, 0.0, 15.0, 35.0, 62.0, 90.0)
"""Where the dome's rows lie, in degrees above the horizon."""
SEEN = ((-90.0, -90.0), (-50.0, -46.0), (-41.0, -28.0), (-32.0, -6.0), (-20.0, 10.0), (0.0, 28.0), (90.0, 90.0))
"""What a place on the dome shows, in degrees above the room's horizon: from the seat only a
strip is seen beyond the table, and there the room is shown as through a wide lens."""
TALLEST = 60.0
"""The panorama reaches from this far below the horizon to this far above it."""


def dome():
    """The inside of a sphere with the panorama, which is seen twice: its middle is the far
    side, from each seat."""
    mesh = board.Mesh()
    columns = 36
    rises, seen = zip(*SEEN)
    for i in range(columns):
        for low, high in zip(RISES, RISES[1:]):
            corners, uvs = [], []
            for u, rise in ((i, high), (i, low), (i + 1, low), (i + 1, high)):
                turn, up = (u / columns - 0.5) * 2 * math.pi, math.radians(rise)
                corners.append((DOME * math.cos(up) * math.sin(turn), DOME * math.cos(up) * math.cos(turn), DOME * math.sin(up)))
                half = (i + 0.5) / columns * 2 - 0.5
                shown = float(np.clip(np.interp(rise, rises, seen), -TALLEST, TALLEST))
                uvs.append((u / columns * 2 - 0.5 - math.floor(half), 0.5 - shown / (2 * TALLEST)))
            mesh.add("dome", corners, uvs)
    floor(mesh)
    return mesh


def floor(mesh):
    """The floor under the table, where it is: there a low camera looks under the near edge.
    The lowest rows of the panorama are one colour, or the floor would be a fan of many."""
    eye, sides, radii = 5.0, 32, (0.0, 7.0, 10.0, 13.0, 15.5, 17.5, 19.5)
    for i in range(sides):
        for near, far in zip(radii, radii[1:]):
            corners, uvs = [], []
            for turn, radius in ((i, near), (i, far), (i + 1, far), (i + 1, near))[0 if near else 1:][: 4 if near else 3]:
                a = turn / sides * 2 * math.pi - math.pi
                corners.append((radius * math.sin(a), radius * math.cos(a), FLOOR))
                down = max(math.degrees(math.atan2(FLOOR - eye, radius)), -TALLEST) if radius else -TALLEST
                # Its edge shows what the dome shows behind it.
                down += (-24.0 - down) * min(max((radius - 13.0) / 6.5, 0.0), 1.0)
                uvs.append((turn / sides, 0.5 - down / (2 * TALLEST)))
            mesh.add("dome", corners[::-1], uvs[::-1])


def under_table(thing):
    """The colours of the dome's corners: the floor lies in the table's shade, which ends on the
    lowest part of the dome, so that no edge is seen."""
    at = np.array([thing.data.vertices[loop.vertex_index].co[:] for loop in thing.data.loops])
    out = np.hypot(at[:, 0] / HALF[0], at[:, 1] / HALF[1]) - 0.7
    below = 0.26 + 0.30 * np.clip(out / 1.3, 0.0, 1.0)
    rise = np.degrees(np.arcsin(np.clip(at[:, 2] / DOME, -1.0, 1.0)))
    t = np.clip((rise + 38.0) / 14.0, 0.0, 1.0)
    lit = np.where(np.isclose(at[:, 2], FLOOR), below, 0.56 + 0.44 * t * t * (3.0 - 2.0 * t))
    return np.column_stack([lit, lit, lit, np.ones(len(lit))]).astype(np.float32)


def glow(name, colour, strength):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    emit = mat.node_tree.nodes.new("ShaderNodeEmission")
    emit.inputs[0].default_value, emit.inputs[1].default_value = rgb(colour), strength
    mat.node_tree.links.new(emit.outputs[0], mat.node_tree.nodes["Material Output"].inputs["Surface"])
    return mat


def lamp(at, target, size, energy, colour):
    thing = light.area(at, target, size, energy)
    thing.data.color = rgb(colour)[:3]
    thing.visible_camera = False
    return thing


def walls(kit, x0, x1, y0, y1, high):
    kit.box("floor", x0, y0, x1, y1, FLOOR - 1, FLOOR)
    kit.box("ceiling", x0, y0, x1, y1, high, high + 1)
    kit.box("wall", x0 - 1, y0, x0, y1, FLOOR, high)
    kit.box("wall", x1, y0, x1 + 1, y1, FLOOR, high)
    kit.box("wall", x0, y1, x1, y1 + 1, FLOOR, high)
    kit.box("wall", x0, y0 - 1, x1, y0, FLOOR, high)


def shelves(kit, x0, x1, y0, y1, low, step, count, facing_x=False):
    """A book case whose boards lie `step` apart, with books of all sizes."""
    r = kit.random
    for level in range(count + 1):
        z = low + level * step
        kit.box("shelf", x0, y0, x1, y1, z - 0.9, z)
        if level == count:
            break
        a, b = (y0, y1) if facing_x else (x0, x1)
        at = a + 0.8
        while at < b - 3:
            w, h = r.uniform(1.1, 2.3), r.uniform(0.62, 0.84) * step
            book = f"book{r.randrange(7)}"
            box = (x0 + 1, at, x1 - 0.3, at + w) if facing_x else (at, y0 + 0.3, at + w, y1 - 1)
            kit.box(book, *box, z, z + h, 0.25)
            if r.random() < 0.6 and not facing_x:
                for t in (0.18, 0.80):
                    kit.box("gilt", at + 0.05, y0 + 0.2, at + w - 0.05, y0 + 0.4, z + h * t, z + h * t + 0.35)
            at += w + (r.uniform(2, 5) if r.random() < 0.07 else 0.12)
    for at in (x0, x1) if not facing_x else ():
        kit.box("shelf", at - 0.6, y0, at + 0.6, y1, FLOOR, low + count * step + 1)
    kit.box("shelf", x0, y0, x1, y1, FLOOR, low)


def window_in_wall(kit, x0, x1, z0, z1, y, panes, sky):
    """A window with bars, a sill and the sky behind it."""
    kit.box(sky, x0, y + 1.2, x1, y + 1.4, z0, z1)
    for i in range(panes + 1):
        x = x0 + (x1 - x0) * i / panes
        kit.box("white", x - (0.9 if i in (0, panes) else 0.5), y, x + (0.9 if i in (0, panes) else 0.5), y + 1, z0, z1, 0.1)
    for t in (0.0, 0.36, 0.70, 1.0):
        z = z0 + (z1 - z0) * t
        kit.box("white", x0, y, x1, y + 1, z - 0.45, z + 0.45, 0.1)
    kit.box("white", x0 - 2, y - 2.4, x1 + 2, y + 1, z0 - 1.3, z0 - 0.4, 0.2)


def lamp_with_shade(kit, x, y, z):
    """A lamp of brass on a small table."""
    move = Matrix.Translation((x, y, 0))
    kit.lathe("shelf", [(0.0, z - 0.8), (5.0, z - 0.8), (5.0, z), (0.0, z)], 32, move)
    kit.lathe("shelf", [(0.7, FLOOR), (0.7, z)], 12, move)
    kit.lathe("brass", [(2.2, z), (2.2, z + 0.5), (0.9, z + 1.0), (1.5, z + 2.2), (0.6, z + 3.4), (0.5, z + 5.4)], 24, move)
    kit.lathe("shade", [(5.2, z + 4.0), (3.0, z + 10.5)], 32, move)


def sideboard(kit, x0, x1, y):
    """A cupboard along the wall, calm behind the far edge of the table, with what stands on it."""
    z = -6.0
    kit.box("shelf", x0, y - 7.0, x1, y, FLOOR + 2, z - 0.8, 0.3)
    kit.box("shelf", x0 - 0.8, y - 7.8, x1 + 0.8, y, z - 0.8, z, 0.3)
    wide = (x1 - x0) / 5
    for i in range(5):
        a = x0 + i * wide
        kit.box("door", a + 0.5, y - 7.3, a + wide - 0.5, y - 6.9, FLOOR + 3, z - 1.6, 0.2)
        kit.box("shelf", a + 1.8, y - 7.5, a + wide - 1.8, y - 7.1, FLOOR + 4.4, z - 3.0, 0.2)
        kit.lathe("brass", [(0.0, 0.0), (0.5, 0.3), (0.3, 0.8), (0.0, 1.0)], 12, Matrix.Translation((a + (1.0 if i % 2 else wide - 1.0), y - 7.3, z - 4.4)) @ Matrix.Rotation(math.pi / 2, 4, "X"))
    # A jug with branches, a bowl, books that lie and books that stand, a clock.
    kit.lathe("white", [(1.2, z), (2.3, z + 2.0), (1.9, z + 4.0), (1.0, z + 5.2), (1.4, z + 6.0)], 20, Matrix.Translation((x0 + 5, y - 4, 0)))
    for i in range(9):
        lean = Matrix.Rotation(0.55 * math.sin(2.4 * i), 4, "X") @ Matrix.Rotation(0.6 * math.cos(2.4 * i), 4, "Y")
        kit.lathe("leaves", [(0.1, 0.0), (0.15, 4.0), (1.1, 6.0), (0.9, 8.0), (0.0, 9.5)], 8, Matrix.Translation((x0 + 5, y - 4, z + 4.6)) @ lean)
    kit.lathe("brass", [(1.2, z), (1.0, z + 0.5), (3.0, z + 2.2), (2.8, z + 2.3), (0.8, z + 0.8)], 24, Matrix.Translation((x0 + 14, y - 4, 0)))
    for i, (key, half) in enumerate((("book1", 2.8), ("book6", 2.5), ("book0", 2.2))):
        kit.box(key, x0 + 21 - half, y - 5.6, x0 + 21 + half, y - 2.4, z + 1.1 * i, z + 1.1 * i + 1.0, 0.15)
    at = x0 + 27.0
    for i in range(5):
        w = kit.random.uniform(1.0, 1.7)
        kit.box(f"book{(3, 5, 2, 1, 4)[i]}", at, y - 5.5, at + w, y - 1.5, z, z + kit.random.uniform(4.4, 5.6), 0.15)
        at += w + 0.1
    kit.lathe("brass", [(1.6, z), (1.6, z + 0.5), (1.1, z + 0.8), (1.1, z + 3.2), (0.4, z + 4.2), (0.0, z + 4.4)], 20, Matrix.Translation((x1 - 3.5, y - 4, 0)))


def armchair(kit, x):
    """A buttoned armchair with rolled arms and wings, which faces -x."""
    z = FLOOR + 3.2
    kit.box("chair", x + 1, 4.5, x + 15, 19.5, z, z + 6, 1.6)
    kit.box("cushion", x - 0.5, 6.6, x + 12.5, 17.4, z + 5.4, z + 8.8, 1.5)
    kit.box("chair", x + 12, 4.5, x + 16.5, 19.5, z, z + 24, 2.2)
    for y in (4.6, 19.4):
        kit.box("chair", x + 1, y - 1.5, x + 15, y + 1.5, z, z + 10.5, 1.2)
        kit.lathe("chair", [(0.0, 0.0), (2.0, 0.0), (2.3, 0.6), (2.3, 14.0), (0.0, 14.0)], 20, Matrix.Translation((x + 0.4, y, z + 10.5)) @ Matrix.Rotation(math.pi / 2, 4, "Y"))
        kit.box("chair", x + 8.5, y - 1.1, x + 15.5, y + 1.1, z + 10, z + 22, 1.0)
        for at in (x + 2, x + 15):
            kit.lathe("shelf", [(0.5, FLOOR), (0.9, z + 0.5)], 10, Matrix.Translation((at, y, 0)))
    for row in range(4):
        for y in range(4 - row % 2):
            kit.lathe("rug0", [(0.5, 0.0), (0.4, 0.35), (0.0, 0.5)], 10, Matrix.Translation((x + 12, 7.5 + 3.0 * y + 1.5 * (row % 2), z + 11 + 3.2 * row)) @ Matrix.Rotation(-math.pi / 2, 4, "Y"))


def study():
    """A wall of books between a bright window and a lamp."""
    kit = Kit("study", HIGH, seed=5)
    walls(kit, -62, 62, -60, 60, 40)
    for i in range(30):
        kit.box("plank", -62, -60 + 4 * i, 62, -56.08 + 4 * i, FLOOR, FLOOR + 0.1, 0.0, (kit.random.random(), 0.0, kit.random.random()))
    for half, key in ((38, "rug0"), (35, "rug1"), (33.6, "rug2"), (30, "rug1"), (28.5, "rug0")):
        kit.box(key, -half, -half * 0.6, half, half * 0.6, FLOOR, FLOOR + 0.3 + 0.002 * (40 - half))
    y = 27
    kit.box("wall", -62, y + 1, 62, y + 2, FLOOR, -10.5)
    kit.box("wall", -62, y + 1, -41, y + 2, -10.5, 40)
    kit.box("wall", -13, y + 1, 62, y + 2, -10.5, 40)
    window_in_wall(kit, -41, -13, -10.5, 17, y, 4, "sky")
    for x, w, h in ((-38, 5, 3.4), (-32, 7, 4.6), (-25, 5, 3.0), (-19, 6, 4.2)):
        kit.lathe("garden", [(0.0, -13.0), (w, -13.0), (w * 0.8, -13 + h), (0.0, -12 + 1.4 * h)], 16, Matrix.Translation((x, y + 1.3, 0)) @ Matrix.Diagonal((1, 0.02, 1, 1)))
    for x in (-46, -12):
        for i in range(5):
            kit.lathe("curtain", [(0.9, FLOOR), (0.8, 30)], 12, Matrix.Translation((x + 1.1 * i, y - 0.8 + 0.5 * (i % 2), 0)))
    sideboard(kit, -7, 34, y)
    shelves(kit, -5, 33, y - 4, y, 8.0, 7.4, 4)
    lamp_with_shade(kit, 40.5, y - 6, -11.0)
    shelves(kit, 47, 61, y - 5, y, -9.6, 7.4, 5)
    # A picture on the wall at the left; an armchair and more books at the right.
    kit.box("brass", -61.9, -6, -61.4, 14, -4, 14, 0.2)
    kit.box("globe", -61.5, -4.4, -61.2, 12.4, -2.4, 12.4)
    kit.box("shelf", -61, 12, -53, 26, FLOOR, -9, 0.5)
    kit.lathe("globe", [(0, -8), (3.6, -6.6), (5.2, -3), (3.6, 0.6), (0, 2)], 24, Matrix.Translation((-56, 19, 0)))
    shelves(kit, 55, 61.5, -40, 2, -9.6, 7.4, 5, True)
    armchair(kit, 42)
    kit.objects({"floor": plain("f", "#5a412c", 0.6), "plank": wood("parquet", "#5d4029", "#85603f", "#a27b54", rings=1.0, pores=0.1),
                 "ceiling": plain("c", "#d9d0c0", 0.9), "wall": plain("w", "#8c937c", 0.9), "rug0": plain("r0", "#3a231c", 0.95), "rug1": plain("r1", "#6b563b", 0.95),
                 "rug2": plain("r2", "#3b4046", 0.95), "shelf": plain("s", "#6b452a", 0.6), "door": plain("d", "#7d5434", 0.6), "leaves": plain("le", "#6d8350", 0.7, mottle=0.3, grain=1.0), "sky": glow("sky", "#d3e3f4", 0.66), "garden": glow("garden", "#7f9c68", 0.42), "white": plain("wh", "#7d766a", 0.7),
                 "curtain": plain("cu", "#b08a52", 0.9), "chair": plain("ch", "#6e3424", 0.5, mottle=0.3, grain=2.0), "cushion": plain("cs", "#8c4a33", 0.6, mottle=0.2, grain=2.0), "brass": plain("br", "#c79a4b", 0.5), "gilt": plain("gi", "#dcb663", 0.6),
                 "shade": glow("shade", "#ffcb87", 0.95), "globe": plain("gl", "#4d7a86", 0.4),
                 **{f"book{i}": plain(f"b{i}", c, 0.7) for i, c in enumerate(("#8c3a2a", "#3d5a70", "#c2a468", "#4f6644", "#6a3044", "#8a5a34", "#d3c3a0"))}})
    lamp((-27, 25, 6), (0, 0, FLOOR), (22, 22), 22000.0, "#f3f6ff")
    lamp((-40, -20, 28), (10, 27, -4), (20, 20), 26000.0, "#fff4e4")
    lamp((40.5, 19, -2), (34, 27, -6), (4, 4), 900.0, "#ffcf90")
    lamp((40.5, 21, 1), (40.5, 21, -12), (5, 5), 900.0, "#ffcf90")
    return 1.35, "#cfcfca", 0.55


def cabin():
    """A hearth between logs for the night and a window into the snow."""
    kit = Kit("cabin", HIGH, seed=6)
    walls(kit, -56, 56, -60, 60, 34)
    y, r = 28, kit.random
    for i in range(10):
        z = FLOOR + 2.6 + i * 5.2
        # Where the window is, the logs end.
        spans = ((-56, -43), (-13, 56)) if -14 < z < 12 else ((-56, 56),)
        for x0, x1 in spans:
            kit.lathe("log", [(2.7, 0), (2.7, x1 - x0)], 16, Matrix.Translation((x0, y + 2, z)) @ Matrix.Rotation(math.pi / 2, 4, "Y"), (r.random(), 0.0, r.random()))
    for x in (-55, 55):
        for i in range(10):
            kit.lathe("log", [(2.7, 0), (2.7, 106)], 16, Matrix.Translation((x, 60, FLOOR + 2.6 + i * 5.2)) @ Matrix.Rotation(math.pi / 2, 4, "X"), (r.random(), 0.0, r.random()))
    for i in range(17):
        kit.box("plank", -56, -60 + 7.2 * i, 56, -52.95 + 7.2 * i, FLOOR, FLOOR + 0.1, 0.0, (r.random(), 0.0, r.random()))
    for half, key in ((32, "rug0"), (29, "rug1"), (27.5, "rug0"), (18, "rug1"), (16.5, "rug0")):
        kit.box(key, -half, -half * 0.6, half, half * 0.6, FLOOR, FLOOR + 0.3 + 0.002 * (40 - half))
    window_in_wall(kit, -42, -14, -11, 13, y, 3, "night")
    kit.box("snow", -42, y + 0.6, -14, y + 1.2, -10.6, -9.4, 0.3)
    for x, high in ((-37, 8), (-31, 12), (-22, 9), (-17, 11)):
        kit.lathe("firs", [(3.0, -11.0), (0.0, -11 + high)], 8, Matrix.Translation((x, y + 1.15, 0)) @ Matrix.Diagonal((1, 0.02, 1, 1)))
    # Logs for the night, their ends towards the table.
    for i in range(5):
        for j in range(5):
            kit.lathe("logend", [(0.0, 0.0), (1.55, 0.0), (1.6, 0.2), (1.6, 6.0)], 14,
                      Matrix.Translation((-9 + 3.4 * j + 1.7 * (i % 2), y - 5, FLOOR + 1.8 + 2.9 * i)) @ Matrix.Rotation(-math.pi / 2, 4, "X"), (r.random(), 0.0, r.random()))
    # The hearth.
    for i in range(10):
        for j in range(10):
            x, z = 11 + 3.6 * j, FLOOR + 5.0 * i
            if not (15 < x + 1.8 < 39 and z < -1):
                kit.box("stone", x, y - 6 + r.uniform(0, 0.9), x + 3.4, y, z, z + 4.7, 0.7, (r.random(), 0.0, r.random()))
    kit.box("mantel", 9, y - 9, 49, y - 4, 1.0, 3.0, 0.5)
    kit.box("soot", 14, y - 0.5, 42, y, FLOOR, 2)
    kit.box("stone", 9, y - 11, 49, y - 5, FLOOR, FLOOR + 1.5, 0.4)
    for j in range(3):
        kit.lathe("charred", [(0.0, 0.0), (1.3, 0.0), (1.3, 15.0), (0.0, 15.0)], 12, Matrix.Translation((20, y - 4 + j, FLOOR + 3.2 + 1.6 * (j % 2))) @ Matrix.Rotation(math.pi / 2, 4, "Y"))
    for x, w, h, key in ((19.5, 5, 9, "flame0"), (24, 6, 15, "flame0"), (28.5, 7, 17, "flame0"), (33, 5, 11, "flame0"), (23.6, 3.4, 10, "flame1"), (28.8, 4, 12, "flame1"), (32.4, 2.8, 7, "flame1"), (28.5, 2.2, 8, "flame2")):
        kit.lathe(key, [(w * 0.36, 0), (w * 0.5, h * 0.22), (w * 0.36, h * 0.5), (w * 0.14, h * 0.8), (0, h)], 16, Matrix.Translation((x, y - 3 - 0.6 * int(key[-1]), FLOOR + 3.4)) @ Matrix.Diagonal((1, 0.3, 1, 1)))
    # A lantern on a shelf at the right, a bench with a fleece at the left.
    kit.box("mantel", 54 - 8, 2, 54, 16, -11, -10, 0.3)
    kit.lathe("lantern", [(1.6, -9.6), (1.6, -5.0)], 16, Matrix.Translation((49, 9, 0)))
    kit.lathe("soot", [(2.0, -10), (2.0, -9.6), (0.0, -9.6)], 16, Matrix.Translation((49, 9, 0)))
    kit.lathe("soot", [(2.0, -5.0), (0.5, -3.4), (0.0, -3.4)], 16, Matrix.Translation((49, 9, 0)))
    kit.box("mantel", -54, 0, -44, 24, -12, -10.4, 0.5)
    kit.box("fleece", -53, 4, -45, 18, -10.6, -8.8, 0.8)
    kit.objects({"floor": plain("f", "#4a3320", 0.7), "plank": wood("floor", "#4a3019", "#6e4a2a", "#8c6439", rings=1.0), "ceiling": plain("c", "#5a4029", 0.9),
                 "wall": plain("w", "#4e3722", 0.9), "log": wood("log", "#523d2b", "#775c43", "#9a8062", rings=0.7), "stone": plain("st", "#8d857b", 0.9, mottle=0.4, grain=1.0),
                 "logend": wood("logend", "#7b5330", "#b78a54", "#dcb982", rings=3.0, spread=0.5), "soot": plain("so", "#14100c", 1.0), "charred": plain("ch", "#2a1a12", 1.0), "mantel": plain("ma", "#5f4025", 0.8),
                 "flame0": glow("flame0", "#ff6a12", 0.72), "flame1": glow("flame1", "#ffa030", 0.86), "flame2": glow("flame2", "#ffdc8a", 1.0), "lantern": glow("lantern", "#ffc878", 1.0),
                 "night": glow("night", "#34588f", 0.75), "firs": glow("firs", "#13233f", 0.6), "snow": glow("snow", "#b4caec", 0.85), "white": plain("wi", "#6e4b2a", 0.8),
                 "fleece": plain("fl", "#d9cdb8", 1.0), "rug0": plain("r0", "#6a4a3a", 0.95), "rug1": plain("r1", "#b3a488", 0.95)})
    lamp((27, 21, FLOOR + 9), (0, -6, FLOOR + 2), (14, 10), 15000.0, "#ffd2a8")
    lamp((10, -6, 10), (4, 28, -8), (12, 12), 15000.0, "#ffd0a0")
    lamp((-28, 26, 2), (-20, 0, -14), (18, 14), 3000.0, "#8fb0e6")
    lamp((49, 6, -7), (52, 16, -8), (3, 3), 350.0, "#ffcf90")
    return 1.3, "#8a7a6a", 0.45


def panorama(room, quick):
    """A room as the table sees it, linear, rows from the top; the middle is the far side."""
    bake.clear()
    scene = bpy.context.scene
    exposure, sky, strength = {"study": study, "cabin": cabin}[room]()
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    back = scene.world.node_tree.nodes["Background"]
    back.inputs[0].default_value, back.inputs[1].default_value = rgb(sky), strength
    # The table's shadow on the floor.
    kit = Kit("shadow", HIGH)
    kit.box("table", -HALF[0], -HALF[1], HALF[0], HALF[1], TOP - 1, TOP)
    for thing in kit.objects({"table": plain("t", "#6b5a4b", 0.6)}):
        thing.visible_camera = False
    cam = bpy.data.cameras.new("eye")
    cam.type, cam.panorama_type = "PANO", "EQUIRECTANGULAR"
    cam.latitude_min, cam.latitude_max = -math.radians(TALLEST), math.radians(TALLEST)
    eye = bpy.data.objects.new("eye", cam)
    eye.location, eye.rotation_euler = (0.0, 0.0, 5.0), (math.pi / 2, 0.0, 0.0)
    scene.collection.objects.link(eye)
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces = 4, 4
    wide = 512 if quick else 2048
    return exposure * bake.picture(None, None, wide, round(wide * TALLEST / 180), 4 if quick else 8, denoise=True, camera=eye)


def discs(rows, wide, high):
    """A panorama in which each light has become a disc of this many pixels."""
    pad = math.ceil(2 * high)
    p = np.pad(rows, ((pad, pad), (0, 0), (0, 0)), "edge")
    y, x = np.mgrid[:p.shape[0], :p.shape[1]]
    y, x = np.minimum(y, p.shape[0] - y), np.minimum(x, p.shape[1] - x)
    disc = np.clip((1.0 - np.hypot(x / wide, y / high)) * wide / 1.5 + 0.5, 0.0, 1.0)
    disc = np.fft.rfft2(disc / disc.sum())
    soft = np.stack([np.fft.irfft2(np.fft.rfft2(p[..., c]) * disc, p.shape[:2]) for c in range(3)], axis=-1)
    return np.maximum(soft[pad:pad + rows.shape[0]], 0.0)


BLUR = 1.2
"""How wide a light is that is out of focus, in degrees: books stay books."""


def out_of_focus(rows):
    """A panorama as a lens sees it that is focused on the table. The floor below the table is of one colour."""
    size = BLUR / 2 * rows.shape[1] / 360
    down = ((np.arange(len(rows)) / len(rows) * 2.0 - 1.0) * TALLEST)[:, None, None]
    near = discs(rows, size, size)
    # Flames, lamps and the window glow.
    near += 0.45 * discs(discs(np.maximum(rows - 0.5, 0.0), 4 * size, 4 * size), 3 * size, 3 * size)
    one = np.clip((down - 45.0) / 12.0, 0.0, 1.0) ** 0.7
    return near * (1.0 - one) + near[-1].mean(axis=0) * one


def lobe(at, towards, size, strength, rough=0.10):
    """A round light from a direction, as `src/app/scene/look/lighting.rs` has it."""
    towards = np.array(towards) / np.linalg.norm(towards)
    angle = np.arccos(np.clip(at @ towards, -1, 1))
    width = size + rough * 1.1
    return (strength * max((size / width) ** 2, 0.05) * (1 - np.minimum(angle / width, 1)) ** 2 * 2)[..., None]


def window(at, half=(0.24, 0.32), blur=0.05):
    """Four panes at the left, over the far edge; directions are (x, y up, z to the seat)."""
    middle = np.array((-0.62, 0.62, -0.48)) / np.linalg.norm((-0.62, 0.62, -0.48))
    right = np.cross((0, 1, 0), middle)
    right /= np.linalg.norm(right)
    above = np.cross(middle, right)
    depth = np.maximum(at @ middle, 1e-3)
    x, y = at @ right / depth, at @ above / depth
    edge = lambda d: np.clip(d / blur * 0.5 + 0.5, 0, 1)
    bar = lambda d: edge(abs(d) - 0.022)
    return (edge(half[0] - abs(x)) * edge(half[1] - abs(y)) * bar(x) * bar(y - 0.04) * (at @ middle > 0))[..., None]


def radiance(room, at):
    """What a polished surface sees of a room, as the lamps of the program have it."""
    up = (0.5 + 0.5 * at[..., 1])[..., None]
    if room == "study":
        walls = (0.10 + 0.34 * up ** 2) * np.array((1.0, 0.985, 0.96))
        wall = lobe(at, (0.0, 0.40, -0.9), 0.8, 1.1) * np.array((1.0, 0.96, 0.88))
        lamp = lobe(at, (0.75, 0.62, 0.25), 0.28, 2.6) * np.array((1.0, 0.86, 0.66))
        # Behind the table: curtains in the sun, and the light that rims what is dark.
        curtains = lobe(at, (-0.36, 0.60, -0.72), 0.42, 1.5) * np.array((1.0, 0.93, 0.80))
        rim = lobe(at, (0.50, 0.16, -0.85), 0.22, 3.2) * np.array((0.87, 0.93, 1.0))
        # Above and behind the player, for the near edges.
        card = lobe(at, (0.22, 0.56, 0.80), 0.30, 1.7) * np.array((1.0, 0.97, 0.92))
        return walls + wall + lamp + curtains + rim + card + window(at) * np.array((11.0, 11.4, 12.0))
    walls = (0.06 + 0.18 * up ** 2) * np.array((1.0, 0.78, 0.58))
    fire = lobe(at, (0.86, 0.34, -0.38), 0.40, 9.0) * np.array((1.0, 0.56, 0.22))
    lantern = lobe(at, (0.15, 0.9, 0.30), 0.24, 5.0) * np.array((1.0, 0.78, 0.50))
    wall = lobe(at, (0.15, 0.40, -0.9), 0.8, 0.9) * np.array((1.0, 0.68, 0.42))
    hearth = lobe(at, (0.40, 0.58, -0.72), 0.42, 1.3) * np.array((1.0, 0.62, 0.34))
    card = lobe(at, (0.22, 0.56, 0.80), 0.30, 1.1) * np.array((1.0, 0.74, 0.50))
    return walls + fire + lantern + wall + hearth + card + window(at) * np.array((0.9, 1.25, 1.9))


def sheen(room, size=128):
    """What a polished surface mirrors: of a mirrored direction (x, y up, z) the place
    0.5 + 0.5 (x, z) / (1 + y), z towards the seat."""
    z, x = (v / size * 2 - 1 for v in np.mgrid[0.5:size, 0.5:size])
    r2 = np.minimum(x ** 2 + z ** 2, 1.0)
    up = (1 - r2) / (1 + r2)
    out = np.sqrt(1 - up ** 2) / np.sqrt(np.maximum(x ** 2 + z ** 2, 1e-9))
    return radiance(room, np.stack([x * out, up, z * out], axis=-1)) / SHEEN_BRIGHTEST


def make(out, quick, save, parts):
    for room in PLANKS if "pictures" in parts else ():
        planks(room)
        tall = 256 if quick else 1024
        margin = 0.6
        wide = 2 * tall
        full = round(wide * (PERIOD + margin) / PERIOD)
        rows = bake.picture(None, None, full, tall, 3 if quick else 6, camera=plank_camera(width(room), margin))
        fade = np.linspace(0.0, 1.0, full - wide)[None, :, None]
        blended = rows[:, :wide].copy()
        blended[:, :full - wide] = rows[:, :full - wide] * fade + rows[:, wide:] * (1 - fade)
        save(blended, f"{room}_planks.webp", 66)
        seen = panorama(room, quick)
        soft = out_of_focus(np.minimum(seen, 2.2))
        # No finer than the blur leaves it.
        size = (soft.shape[1] // 2, soft.shape[0] // 2)
        soft = np.dstack([np.asarray(Image.fromarray(soft[..., c].astype(np.float32)).resize(size, Image.BOX)) for c in range(3)])
        save(soft, f"{room}_panorama.webp", 90)
        save(sheen(room), f"{room}_sheen.webp", 90)
        print(room, "pictures", flush=True)
    if "meshes" not in parts:
        return
    bake.clear()
    lamps = light.Lamps()
    writer = glb.Writer({"lamps": light.LAMPS, "brightest": light.BRIGHTEST, "sheen_brightest": SHEEN_BRIGHTEST})
    finish = lambda writer, group: writer.material(group, roughness=0.5 if group == "table" else 1.0)
    for room in PLANKS:
        thing = bake.to_object("table_" + room, table(room))
        lit = lamps.light(thing, 12 if quick else 96) * falloff(thing)
        writer.node("table_" + room, bake.primitives(thing, lit, None, writer, finish))
        bake.remove([thing])
    thing = bake.to_object("dome", dome())
    writer.node("dome", bake.primitives(thing, np.zeros((len(thing.data.loops), 4), np.float32), under_table(thing), writer, finish))
    for it in writer.json["meshes"][-1]["primitives"]:
        it["attributes"].pop("_LIGHT")
    writer.save(os.path.join(out, "room.glb"))


def falloff(thing):
    """The table grows darker towards its corners: what is played on stands in the light."""
    at = np.array([thing.data.vertices[loop.vertex_index].co[:2] for loop in thing.data.loops])
    far = np.clip((np.hypot(at[:, 0] / 10.5, at[:, 1] / 8.2) - 0.50) / 0.62, 0.0, 1.0)
    return (1.0 - 0.5 * far ** 1.2)[:, None]


def plank_camera(width, margin):
    """Looks down on the planks; pixels are longer along the grain than across it."""
    cam = bpy.data.cameras.new("eye")
    cam.type = "ORTHO"
    eye = bpy.data.objects.new("eye", cam)
    eye.location = (0, 0, 8)
    bpy.context.scene.collection.objects.link(eye)
    cam.sensor_fit = "HORIZONTAL"
    cam.ortho_scale = PERIOD + margin
    # A pixel's shape makes the picture as high as four planks.
    render = bpy.context.scene.render
    render.pixel_aspect_x, render.pixel_aspect_y = 1.0, 1.0
    ratio = PERIOD / (4 * width) / 2
    if ratio >= 1:
        render.pixel_aspect_x, render.pixel_aspect_y = ratio, 1.0
    else:
        render.pixel_aspect_x, render.pixel_aspect_y = 1.0, 1.0 / ratio
    return eye
