"""The table and what is seen beyond its edge: a study by day, a cabin by night.

A room is modelled only to be seen out of focus: its picture is a blurred panorama on the inside
of a dome. What polished things mirror of it is a second, smaller picture.
"""
import math
import os

import bpy
import numpy as np
from mathutils import Matrix

import bake
import board
import glb
import light
import shaders
from shaders import plain, plank, rgb, wood
from shapes import HIGH, Kit

TOP = board.TABLE_Z - board.CLOTH_THICK
HALF = (9.8, 6.2)
"""Half the table: 78 by 50 cm."""
BORDER = 0.46
"""How wide the table's border is, which lies along its edge."""
PLANKS = {"study": 1.8, "cabin": 2.4}
PERIOD = 16.0
"""Units after which the planks' picture repeats along the grain."""
FLOOR = -18.5
DOME = 46.0
SHEEN_BRIGHTEST = 12.0
"""The brightest light of a mirrored picture."""


def outline(corner, half=HALF, points=5):
    """The table's edge, anticlockwise."""
    hx, hy = half
    out = []
    for cx, cy, turn in ((1, -1, -90), (1, 1, 0), (-1, 1, 90), (-1, -1, 180)):
        for i in range(points):
            a = math.radians(turn + 90 * i / (points - 1))
            out.append((cx * (hx - corner) + corner * math.cos(a), cy * (hy - corner) + corner * math.sin(a)))
    return out


def table(room):
    corner = {"study": 1.5, "cabin": 0.5}[room]
    width = PLANKS[room]
    mesh = board.Mesh()
    edge, field = 0.12, 0.12 + BORDER
    rng = np.random.default_rng(5)
    rows = math.ceil(2 * HALF[1] / width)
    shift = [float(s) for s in rng.random(rows)]
    inner = max(corner - field, 0.02)

    def half_length(y):
        """Of the field at y, with its rounded corners."""
        over = abs(y) - (HALF[1] - field - inner)
        inset = inner - math.sqrt(max(inner ** 2 - over ** 2, 0.0)) if over > 0 else 0.0
        return HALF[0] - field - inset

    limit = HALF[1] - field
    ys = {round(-HALF[1] + i * width, 4) for i in range(rows)} | {s * (limit - inner * (1 - k)) for s in (-1, 1) for k in (0.0, 0.4, 0.75, 0.93, 1.0)}
    ys = sorted({y for y in ys if abs(y) <= limit + 1e-6} | {limit, -limit})
    for a, b in zip(ys, ys[1:]):
        row = min(int(((a + b) / 2 + HALF[1]) / width), rows - 1)
        uv = lambda x, y, row=row: (x / PERIOD + shift[row], ((y + HALF[1]) / width - row + row % 4) / 4)
        count = 20
        for i in range(count):
            corners = []
            for s, y in ((i, a), (i + 1, a), (i + 1, b), (i, b)):
                corners.append(((2 * s / count - 1) * half_length(y), y, TOP))
            mesh.add("table", corners, [uv(x, y) for x, y, _ in corners])
    border(mesh, corner, edge, field, width)
    # The edge: a bullnose, then the board's side.
    ring = outline(corner)
    profile = [(0.0, TOP - 0.9), (0.0, TOP - 0.16), (-0.035, TOP - 0.05), (-edge, TOP)]
    n = len(ring)
    lengths = np.cumsum([0.0] + [math.dist(ring[i], ring[(i + 1) % n]) for i in range(n)])
    for (o0, z0), (o1, z1) in zip(profile, profile[1:]):
        for i in range(n):
            corners, uvs = [], []
            for k, o, z in ((i, o0, z0), (i + 1, o0, z0), (i + 1, o1, z1), (i, o1, z1)):
                x, y = ring[k % n]
                grow = 1 + o / math.hypot(*HALF)
                sx, sy = (HALF[0] + o) / HALF[0], (HALF[1] + o) / HALF[1]
                corners.append((x * sx, y * sy, z))
                uvs.append((lengths[k] / PERIOD, 0.02 + (TOP - z) / (4 * width)))
            mesh.add("table", corners, uvs, smooth=True)
    return mesh


def border(mesh, corner, edge, field, width):
    """A plank along each side of the table, with a seam towards the field."""
    rings = []
    for inset in (edge, field):
        radius = max(corner - inset, 0.02)
        rings.append(outline(radius, (HALF[0] - inset, HALF[1] - inset)))
    n = len(rings[0])
    for i in range(n):
        k = (i + 1) % n
        (ax, ay), (bx, by) = rings[0][i], rings[0][k]
        steps = max(1, round(math.dist((ax, ay), (bx, by)) / 2.0))
        for j in range(steps):
            corners, uvs = [], []
            for ring, t in ((0, j), (0, j + 1), (1, j + 1), (1, j)):
                (px, py), (qx, qy) = rings[ring][i], rings[ring][k]
                x, y = px + (qx - px) * t / steps, py + (qy - py) * t / steps
                corners.append((x, y, TOP))
                along = x if abs(by - ay) < abs(bx - ax) else y
                # The seam lies at a plank's edge in the picture.
                uvs.append((along / PERIOD + 0.3, 0.5 - (0.0 if ring else BORDER / (4 * width)) + 0.006))
            mesh.add("table", corners, uvs)


def planks(room):
    """The picture of the table's planks, which repeats."""
    bake.clear()
    width = PLANKS[room]
    kit = Kit("planks", HIGH, seed=7)
    mats = {"study": lambda: plank("walnut", "#26170f", "#4e3322", "#6b4a33", width, rings=15.0, contrast=0.5),
            "cabin": lambda: plank("pine", "#5a371e", "#80552f", "#9c7342", width, rings=10.0, contrast=0.6, pores=0.15, rough=0.55)}[room]()
    for i in range(4):
        y = (i - 2) * width
        kit.box("table", -10, y + 0.006, 10, y + width - 0.006, -0.5, 0.0, 0.012, (kit.random.random(), 0.0, kit.random.random()))
    kit.objects({"table": mats})
    shaders.show("picture")


def dome():
    """The inside of a sphere with the panorama: its middle is the far side."""
    mesh = board.Mesh()
    columns, rows = 32, 14
    for i in range(columns):
        for j in range(rows):
            corners, uvs = [], []
            for u, v in ((i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)):
                turn, rise = (u / columns - 0.5) * 2 * math.pi, (0.5 - v / rows) * math.pi
                corners.append((DOME * math.cos(rise) * math.sin(turn), DOME * math.cos(rise) * math.cos(turn), DOME * math.sin(rise)))
                uvs.append((u / columns, v / rows))
            mesh.add("dome", corners, uvs)
    return mesh


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


def shelves(kit, x0, x1, y0, y1, high, facing_x=False):
    r = kit.random
    for level in range(6):
        z = FLOOR + 1 + level * (high - FLOOR) / 6
        kit.box("shelf", x0, y0, x1, y1, z - 0.8, z)
        a, b = (y0, y1) if facing_x else (x0, x1)
        at = a + 0.5
        while at < b - 3:
            w, h = r.uniform(0.8, 1.7), r.uniform(4.6, 8.2)
            book = r.choice(("book0", "book1", "book2", "book3", "book4"))
            box = (x0 + 1, at, x1 - 0.3, at + w) if facing_x else (at, y0 + 0.3, at + w, y1 - 1)
            kit.box(book, *box, z, z + h)
            at += w + (r.uniform(2, 6) if r.random() < 0.1 else 0.05)
    kit.box("shelf", x0, y0, x1, y1, high, high + 1)


def study():
    kit = Kit("study", HIGH, seed=5)
    walls(kit, -62, 62, -50, 74, 48)
    for i in range(31):
        kit.box("plank", -62, -50 + 4 * i, 62, -46.08 + 4 * i, FLOOR, FLOOR + 0.1, 0.0, (kit.random.random(), 0.0, kit.random.random()))
    for half, key in ((38, "rug0"), (35, "rug1"), (33.6, "rug2"), (30, "rug1"), (28.5, "rug0")):
        kit.box(key, -half, -half * 0.8, half, half * 0.8, FLOOR, FLOOR + 0.3 + 0.002 * (40 - half))
    # Behind the table, near enough to be seen from the seat: shelves, and a tall window.
    shelves(kit, -9, 44, 24, 29, 40)
    shelves(kit, 55, 61.5, -20, 60, 40, True)
    for x in (-30.5, -20.2):
        for z, key in ((-15.5, "garden"), (-4.5, "garden"), (6.5, "pane"), (17.5, "pane")):
            kit.box(key, x, 31.6, x + 9.4, 31.8, z, z + 10.2)
    kit.box("white", -32, 31.85, -9.5, 32.2, FLOOR, 30)
    for x in (-34.5, -11.5):
        kit.box("curtain", x, 29.5, x + 3.2, 31.4, FLOOR, 40)
    kit.box("wall", -62, 32.2, -9, 33, FLOOR, 48)
    # The window in the left wall, its curtains.
    kit.box("white", -61.95, -10, -61.7, 20, 1.5, 35)
    for y in (-8, 6):
        for z in (4, 19):
            kit.box("pane", -61.6, y, -61.3, y + 12.4, z, z + 13.4)
    # An armchair, a standing lamp, a globe on a chest.
    kit.box("chair", 30, 0, 48, 16, FLOOR + 4, FLOOR + 11, 2.0)
    kit.box("chair", 46, 0, 52, 16, FLOOR + 4, FLOOR + 27, 2.5)
    kit.box("chair", 30, -3, 50, 1, FLOOR + 4, FLOOR + 16, 1.5)
    kit.box("chair", 30, 15, 50, 19, FLOOR + 4, FLOOR + 16, 1.5)
    kit.lathe("brass", [(4, FLOOR), (4, FLOOR + 0.6), (0.5, FLOOR + 1), (0.5, FLOOR + 36)], 24, Matrix.Translation((50, 21, 0)))
    kit.lathe("shade", [(7, FLOOR + 34), (4, FLOOR + 44)], 24, Matrix.Translation((50, 21, 0)))
    kit.box("shelf", -58, 22, -38, 31, FLOOR, FLOOR + 17, 0.5)
    kit.lathe("globe", [(0, FLOOR + 19), (4, FLOOR + 21), (5.5, FLOOR + 24.5), (4, FLOOR + 28), (0, FLOOR + 30)], 24, Matrix.Translation((-48, 26, 0)))
    kit.objects({"floor": plain("f", "#5a412c", 0.6), "plank": wood("parquet", "#5d4029", "#85603f", "#a27b54", rings=1.0, pores=0.1),
                 "ceiling": plain("c", "#d9d0c0", 0.9), "wall": plain("w", "#8f9a86", 0.9), "rug0": plain("r0", "#7d8c97", 0.95), "rug1": plain("r1", "#a9b2b4", 0.95),
                 "rug2": plain("r2", "#d9cfb8", 0.95), "shelf": plain("s", "#6a4a31", 0.6), "pane": glow("pane", "#dfeaff", 2.0), "garden": glow("garden", "#a9bf9a", 1.0), "white": plain("wh", "#e8e2d4", 0.7),
                 "sill": plain("si", "#e3dccb", 0.7), "curtain": plain("cu", "#8a6a4a", 0.9), "chair": plain("ch", "#6b3a26", 0.6), "brass": plain("br", "#c79a4b", 0.3, 1.0),
                 "shade": glow("shade", "#ffd9a0", 2.2), "globe": plain("gl", "#4d7a86", 0.4),
                 **{f"book{i}": plain(f"b{i}", c, 0.7) for i, c in enumerate(("#7a3b2c", "#3f5560", "#b39a6b", "#4c5a3f", "#5b2f3d"))}})
    lamp((-60, 41, 18), (10, -5, FLOOR), (30, 30), 52000.0, "#f3f6ff")
    lamp((48, 19, FLOOR + 36), (20, 22, FLOOR + 10), (8, 8), 5000.0, "#ffcf90")
    lamp((-21, 31, 8), (0, 8, FLOOR), (18, 40), 16000.0, "#eef3ff")
    lamp((-6, 4, 16), (10, 24, -6), (10, 10), 9000.0, "#ffe9cc")
    return 1.5, "#cfcfca", 0.7


def cabin():
    kit = Kit("cabin", HIGH, seed=6)
    walls(kit, -52, 56, -46, 60, 36)
    for wall_y, x0, x1 in ((32, -52, 56),):
        for i in range(10):
            z = FLOOR + 2.6 + i * 5.4
            kit.lathe("log", [(2.75, 0), (2.75, x1 - x0)], 16, Matrix.Translation((x0, wall_y, z)) @ Matrix.Rotation(math.pi / 2, 4, "Y"))
    for x in (-51, 55):
        for i in range(10):
            z = FLOOR + 2.6 + i * 5.4
            kit.lathe("log", [(2.75, 0), (2.75, 106)], 16, Matrix.Translation((x, 60, z)) @ Matrix.Rotation(math.pi / 2, 4, "X"))
    for i in range(15):
        kit.box("plank", -52, -46 + 7.2 * i, 56, -38.95 + 7.2 * i, FLOOR, FLOOR + 0.1, 0.0, (kit.random.random(), 0.0, kit.random.random()))
    # The hearth: behind the table at the right, near enough to be seen from the seat.
    r = kit.random
    for i in range(10):
        for j in range(9):
            x = 8 + 3.4 * j
            if not (12 < x + 1.6 < 32 and i < 4):
                kit.box("stone", x, 24 + r.uniform(0, 0.8), x + 3.2, 30, FLOOR + 5.4 * i, FLOOR + 5.4 * i + 5.1, 0.6)
    kit.box("soot", 11, 29, 33, 30, FLOOR, FLOOR + 23)
    kit.box("stone", 8, 19, 37, 26, FLOOR, FLOOR + 1.5, 0.4)
    for x, w, h, key in ((21, 13, 6, "ember"), (16.5, 4.5, 13, "flame"), (21.5, 6.5, 18, "flame"), (26.5, 4.5, 11, "flame"), (21, 4, 11, "core")):
        kit.lathe(key, [(w / 2, 0), (w / 1.7, h * 0.25), (w / 3, h * 0.65), (0, h)], 12, Matrix.Translation((x, 26.5, FLOOR + 2.5)))
    # Logs for the night, their ends towards the table.
    for i in range(6):
        for j in range(5):
            kit.lathe("logend", [(0.0, 0.0), (1.55, 0.0), (1.6, 0.2), (1.6, 6.0)], 14,
                      Matrix.Translation((-14.5 + 3.4 * j + 1.7 * (i % 2), 24.5, FLOOR + 1.8 + 3.0 * i)) @ Matrix.Rotation(-math.pi / 2, 4, "X"), (r.random(), 0.0, r.random()))
    # A window with snow, a bench with a fleece, a lantern, a rug.
    kit.box("beam", -51, 22, -47.6, 46, 0, 24, 0.5)
    for y in (24, 35):
        for z in (2, 13):
            kit.box("night", -47.7, y, -47.4, y + 9, z, z + 9)
    kit.box("snow", -47.6, 24, -47.2, 44, 2, 3.6)
    kit.box("bench", -46, 21, -19, 29, FLOOR + 8, FLOOR + 10, 0.6)
    kit.box("fleece", -42, 20, -24, 30, FLOOR + 9.6, FLOOR + 11.5, 1.2)
    kit.box("bench", -44, 22, -41, 28, FLOOR, FLOOR + 8)
    kit.box("bench", -24, 22, -21, 28, FLOOR, FLOOR + 8)
    for half, key in ((32, "rug0"), (29, "rug1"), (27.5, "rug0"), (18, "rug1"), (16.5, "rug0")):
        kit.box(key, -half, -half * 0.8, half, half * 0.8, FLOOR, FLOOR + 0.3 + 0.002 * (40 - half))
    kit.objects({"floor": plain("f", "#4a3320", 0.7), "plank": wood("floor", "#4a3019", "#6e4a2a", "#8c6439", rings=1.0), "ceiling": plain("c", "#5a4029", 0.9),
                 "wall": plain("w", "#5e4228", 0.9), "log": wood("log", "#5a3c22", "#83592f", "#a47a48", rings=0.7), "stone": plain("st", "#8a8178", 0.9, mottle=0.4, grain=1.0),
                 "logend": wood("logend", "#6b4526", "#a87a48", "#cfa873", rings=3.0, spread=0.5), "soot": plain("so", "#120c08", 1.0), "ember": glow("ember", "#ff4a10", 0.9), "flame": glow("flame", "#ff8a2c", 1.1), "core": glow("core", "#ffc168", 1.4),
                 "beam": plain("be", "#5a3b20", 0.8), "night": glow("night", "#3c5f96", 0.9), "snow": glow("snow", "#a9c2ea", 0.9), "bench": plain("bn", "#76512e", 0.7),
                 "fleece": plain("fl", "#d9cdb8", 1.0), "rug0": plain("r0", "#6a5b4a", 0.95), "rug1": plain("r1", "#b3a488", 0.95)})
    lamp((21, 22.5, FLOOR + 9), (0, -6, FLOOR + 2), (12, 12), 16000.0, "#ffcfa4")
    lamp((6, 8, 4), (2, 28, -10), (8, 8), 7000.0, "#ffb070")
    lamp((3, 2, 30), (0, 0, FLOOR), (6, 6), 12000.0, "#ffe2bd")
    lamp((-46, 34, 12), (0, 10, FLOOR), (18, 18), 3500.0, "#8fb0e6")
    return 1.3, "#8a8a92", 0.6


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
    eye = bpy.data.objects.new("eye", cam)
    eye.location, eye.rotation_euler = (0.0, 0.0, 5.0), (math.pi / 2, 0.0, 0.0)
    scene.collection.objects.link(eye)
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces = 4, 4
    wide = 256 if quick else 1024
    return exposure * bake.picture(None, None, wide, wide // 2, 16 if quick else 20, denoise=True, camera=eye)


def blurred(rows, radius):
    """Blurs a panorama, which is closed at its sides, three times with a box."""
    for _ in range(3):
        for axis in (0, 1):
            pad = [(radius, radius) if a == axis else (0, 0) for a in range(3)]
            p = np.pad(rows, pad, "wrap" if axis == 1 else "edge")
            sums = np.cumsum(p, axis=axis)
            n = 2 * radius + 1
            take = lambda a, b: np.take(sums, range(a, b), axis=axis)
            size = rows.shape[axis]
            first = np.take(sums, [n - 1], axis=axis)
            rest = take(n, n + size - 1) - take(0, size - 1)
            rows = np.concatenate([first, rest], axis=axis) / n
    return rows


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
        wall = lobe(at, (0.0, 0.45, -0.9), 0.9, 0.34) * np.array((1.0, 0.97, 0.90))
        lamp = lobe(at, (0.75, 0.62, 0.25), 0.28, 2.6) * np.array((1.0, 0.86, 0.66))
        return walls + wall + lamp + window(at) * np.array((11.0, 11.4, 12.0))
    walls = (0.06 + 0.18 * up ** 2) * np.array((1.0, 0.78, 0.58))
    fire = lobe(at, (0.86, 0.34, -0.38), 0.40, 9.0) * np.array((1.0, 0.56, 0.22))
    lantern = lobe(at, (0.15, 0.9, 0.30), 0.24, 5.0) * np.array((1.0, 0.78, 0.50))
    wall = lobe(at, (0.15, 0.45, -0.9), 0.8, 0.30) * np.array((1.0, 0.70, 0.45))
    return walls + fire + lantern + wall + window(at) * np.array((0.9, 1.25, 1.9))


def sheen(room, size=128):
    """What a polished surface mirrors: of a mirrored direction (x, y up, z) the place
    0.5 + 0.5 (x, z) / (1 + y), z towards the seat."""
    z, x = (v / size * 2 - 1 for v in np.mgrid[0.5:size, 0.5:size])
    r2 = np.minimum(x ** 2 + z ** 2, 1.0)
    up = (1 - r2) / (1 + r2)
    out = np.sqrt(1 - up ** 2) / np.sqrt(np.maximum(x ** 2 + z ** 2, 1e-9))
    return radiance(room, np.stack([x * out, up, z * out], axis=-1)) / SHEEN_BRIGHTEST


def make(out, quick, save):
    for room in PLANKS:
        width = PLANKS[room]
        planks(room)
        tall = 256 if quick else 1024
        margin = 0.6
        wide = 2 * tall
        full = round(wide * (PERIOD + margin) / PERIOD)
        rows = bake.picture(None, None, full, tall, 3 if quick else 6, camera=plank_camera(width, margin))
        fade = np.linspace(0.0, 1.0, full - wide)[None, :, None]
        blended = rows[:, :wide].copy()
        blended[:, :full - wide] = rows[:, :full - wide] * fade + rows[:, wide:] * (1 - fade)
        save(blended, f"{room}_planks.webp", 66)
        seen = panorama(room, quick)
        soft = blurred(np.minimum(seen, 3.0), max(1, seen.shape[1] // 300))
        save(soft, f"{room}_panorama.webp", 80)
        save(sheen(room), f"{room}_sheen.webp", 90)
        print(room, "pictures", flush=True)
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
    writer.node("dome", bake.primitives(thing, np.zeros((len(thing.data.loops), 4), np.float32), None, writer, finish))
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
