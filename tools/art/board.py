"""What all boards share: their measures, the light mesh of a board, and its atlas.

The measures are those of `src/app/scene`: the tops of the squares lie at height 0, the
frame is 0.68 wide and 0.035 high, the table lies at -0.36.
"""
import math

from shapes import mitred_frame

FRAME = 0.68
FRAME_Z = 0.035
TABLE_Z = -0.36
PLINTH, PLINTH_Z = 0.05, TABLE_Z + 0.085
FOOT_Z = TABLE_Z - 0.02
"""Frames reach into the cloth."""
ATLAS = 2048
"""Width of a board's picture in pixels."""
STICK_PIXELS = (720, 208)
"""The size of each side of a stick in it."""
MARGIN = 0.78
"""How far the picture from above reaches beyond the squares."""


def frame(kit, key, half, mouldings):
    """The frame in full detail: four mitred rails, a plinth, and the game's own mouldings
    as (material, distance from the squares, width, bottom, top, bevel)."""
    mitred_frame(kit, key, half[0] + 0.012, half[1] + 0.012, FRAME - 0.012, PLINTH_Z - 0.02, FRAME_Z, 0.06)
    mitred_frame(kit, key, half[0] + 0.02, half[1] + 0.02, FRAME - 0.02 + PLINTH, FOOT_Z, PLINTH_Z, 0.03)
    for material, out, width, low, high, bevel in mouldings:
        mitred_frame(kit, material, half[0] + out, half[1] + out, width, low, high, bevel)


class Atlas:
    """Where the parts of a board's picture lie: the board from above at the upper left,
    two walls of the frame below it, then a stick's two sides, spare squares at the right."""

    def __init__(self, half, spare=(), sticks=False):
        self.half, self.spare = half, list(spare)
        self.reach = (half[0] + MARGIN, half[1] + MARGIN)
        room = 1.06 if spare else 0.0
        self.scale = int(ATLAS / (2 * self.reach[0] + room))
        self.width = ATLAS
        self.board = (round(2 * self.reach[0] * self.scale), round(2 * self.reach[1] * self.scale))
        self.wall = round(0.42 * self.scale)
        self.sticks = self.board[1] + 2 * self.wall + 8
        self.height = (self.sticks + (STICK_PIXELS[1] if sticks else 0) + 63) // 64 * 64

    def uv(self, x, y):
        """Of a point seen from above."""
        return (self.board[0] * (0.5 + x / (2 * self.reach[0])) / self.width,
                self.board[1] * (0.5 - y / (2 * self.reach[1])) / self.height)

    def wall_uv(self, along, z, half, side):
        """Of a point of the frame's outer wall; `side` 0 is the front, 1 another side."""
        top = self.board[1] + 4 + side * self.wall
        return (self.board[0] * (0.5 + 0.49 * along / half) / self.width,
                (top + self.wall * (0.04 - z) / 0.42) / self.height)

    def stick_uv(self, side, along, across):
        """Of a point of a stick's marked or plain side, as shares of its length and width."""
        wide, high = STICK_PIXELS
        return ((side * (wide + 4) + 4 + along * (wide - 8)) / self.width, (self.sticks + 4 + across * (high - 8)) / self.height)

    def tile_uv(self, name, x, y):
        """Of a point of a spare square, from its middle."""
        left = self.board[0] + 0.03 * self.scale
        top = (0.03 + 1.06 * self.spare.index(name)) * self.scale
        return ((left + (0.5 + x) * self.scale) / self.width, (top + (0.5 - y) * self.scale) / self.height)


class Mesh:
    """Faces with a texture coordinate at each corner, by material."""

    def __init__(self):
        self.verts, self.faces, self.uvs, self.groups, self.smooth = [], [], [], [], []

    def add(self, group, corners, uvs, smooth=False):
        base = len(self.verts)
        self.verts += corners
        self.faces.append(list(range(base, base + len(corners))))
        self.uvs.append(list(uvs))
        self.groups.append(group)
        self.smooth.append(smooth)


def flat(mesh, group, x0, y0, x1, y1, z, uv, nx=1, ny=1):
    """A level rectangle in pieces, so that light can change across it."""
    for i in range(nx):
        for j in range(ny):
            a, b = x0 + (x1 - x0) * i / nx, x0 + (x1 - x0) * (i + 1) / nx
            c, d = y0 + (y1 - y0) * j / ny, y0 + (y1 - y0) * (j + 1) / ny
            corners = [(a, c, z), (b, c, z), (b, d, z), (a, d, z)]
            mesh.add(group, corners, [uv(x, y) for x, y, _ in corners])


def light_frame(atlas, half, steps, group="frame", inner_z=-0.19):
    """The frame for the table: plinth, wall, rounded edge, top, inner wall."""
    mesh = Mesh()
    top = FRAME_Z
    arc = [(FRAME - 0.06 + 0.06 * math.cos(a), top - 0.06 + 0.06 * math.sin(a)) for a in (0.0, math.pi / 6, math.pi / 3, math.pi / 2)]
    profile = [(FRAME + PLINTH, FOOT_Z), (FRAME + PLINTH, PLINTH_Z - 0.025), (FRAME + PLINTH - 0.025, PLINTH_Z), (FRAME, PLINTH_Z),
               *arc, (0.34, top), (0.03, top), (0.012, top - 0.018), (0.012, -0.004), (0.012, inner_z)]
    for side in range(4):
        wide = side % 2 == 0
        along, across = (half[0], half[1]) if wide else (half[1], half[0])
        count = max(4, round(steps * along / 4.5))
        # Vertices close to the corners, where the light changes.
        stops = [-1.0 + 2.0 * i / count for i in range(count + 1)]
        for (o0, z0), (o1, z1) in zip(profile, profile[1:]):
            outer = z0 < top - 0.03 and o0 > 0.5 and o1 > 0.5 and abs(z1 - z0) > 0.7 * abs(o1 - o0)
            for s0, s1 in zip(stops, stops[1:]):
                corners, uvs = [], []
                for s, o, z in ((s0, o0, z0), (s1, o0, z0), (s1, o1, z1), (s0, o1, z1)):
                    # Mitred: only the ends reach out with the profile.
                    def at(out):
                        t = s * along if abs(s) < 1 else s * (along + out)
                        a, b = t, -(across + out)
                        for _ in range(side):
                            a, b = -b, a
                        return a, b, t
                    a, b, t = at(o)
                    corners.append((a, b, z))
                    if outer:
                        uvs.append(atlas.wall_uv(t, z, along + FRAME + PLINTH, side % 2))
                    else:
                        # The inner wall is of what lies above it.
                        uvs.append(atlas.uv(*at(max(o, 0.03))[:2]))
                mesh.add(group, corners, uvs, smooth=True)
    return mesh


CLOTH_PERIOD = 4.0
"""Units after which a cloth's picture repeats."""
CLOTH_THICK = 0.034
"""The table lies this much lower, so that things land on the cloth."""


MAT = "#7f765f"
"""The raw silk of mats for captured pieces."""
HEM = 0.17
"""Width of a cloth's hem."""


def darker(colour, by):
    return "#" + "".join(f"{round(int(colour[i:i + 2], 16) * by):02x}" for i in (1, 3, 5))


def cloth(half, x, y0, y1, colour, bands, mats=()):
    """A woven mat under the board, finer where the board's shadow ends, with a stitched hem;
    `bands` are stripes along its short ends as (distance from the end, width, colour); `mats`
    lie on it as (x0, x1, y0, y1, colour of the edge). The group of a face names its colour: an
    empty one is the cloth's own."""
    mesh = Mesh()
    edge = (half[0] + FRAME + PLINTH, half[1] + FRAME + PLINTH)
    fold = 0.014

    def stops(low, high, foot, cuts=()):
        near = [s * (foot + d) for s in (-1, 1) for d in (-0.15, 0.0, 0.06, 0.16, 0.32, 0.6)]
        near += [low + fold, high - fold, low + HEM, high - HEM, low + HEM + 0.022, high - HEM - 0.022]
        rough = [low + (high - low) * i / 10 for i in range(11)]
        fixed = sorted({round(v, 4) for v in [*near, *cuts] if low + fold <= v <= high - fold})
        return sorted(set(fixed) | {v for v in rough if min(abs(v - o) for o in fixed) > 0.3})

    cuts = [s * v for at, width, _ in bands for v in (x - at, x - at - width) for s in (-1, 1)]
    xs, ys = stops(-x, x, edge[0], cuts), stops(y0, y1, edge[1])
    uv = lambda px, py: (px / CLOTH_PERIOD, -py / CLOTH_PERIOD)
    inside = lambda a, b, foot: max(abs(a), abs(b)) <= foot - 0.14
    for a, b in zip(xs, xs[1:]):
        middle = abs(a + b) / 2
        stripe = next((c for at, width, c in bands if x - at - width < middle < x - at), "")
        for c, d in zip(ys, ys[1:]):
            if inside(a, b, edge[0]) and inside(c, d, edge[1]):
                continue
            in_hem = min((c + d) / 2 - y0, y1 - (c + d) / 2, x - middle)
            # The fold's seam, and the hem, which lies double.
            shade = 0.62 if HEM < in_hem < HEM + 0.022 else 0.90 if in_hem < HEM else 1.0
            own = darker(stripe or colour, shade) if shade < 1.0 else stripe
            corners = [(a, c, TABLE_Z), (b, c, TABLE_Z), (b, d, TABLE_Z), (a, d, TABLE_Z)]
            mesh.add("cloth" + own, corners, [uv(px, py) for px, py, _ in corners])
    # The edge is rounded, and its foot lies in the dark.
    profile = [(0.0, TABLE_Z), (0.010, TABLE_Z - 0.005), (0.014, TABLE_Z - 0.4 * CLOTH_THICK), (0.012, TABLE_Z - CLOTH_THICK)]
    ring = lambda out: [(-x + fold - out, y0 + fold - out), (x - fold + out, y0 + fold - out), (x - fold + out, y1 - fold + out), (-x + fold - out, y1 - fold + out)]
    for (o0, z0), (o1, z1) in zip(profile, profile[1:]):
        low, high = ring(o1), ring(o0)
        for k in range(4):
            (ax, ay), (bx, by), (cx, cy), (dx, dy) = low[k], low[(k + 1) % 4], high[(k + 1) % 4], high[k]
            for i in range(12):
                t0, t1 = i / 12, (i + 1) / 12
                corners = [(ax + (bx - ax) * t0, ay + (by - ay) * t0, z1), (ax + (bx - ax) * t1, ay + (by - ay) * t1, z1),
                           (dx + (cx - dx) * t1, dy + (cy - dy) * t1, z0), (dx + (cx - dx) * t0, dy + (cy - dy) * t0, z0)]
                mesh.add("cloth" + darker(colour, 0.90), corners, [uv(px, py) for px, py, _ in corners], smooth=True)
    for left, right, low, high, edge_colour in mats:
        for inset, key, z in ((0.0, edge_colour, 0.0004), (0.055, MAT, 0.0008)):
            flat(mesh, "cloth" + key, left + inset, low + inset, right - inset, high - inset, TABLE_Z + z, uv, 5, 1)
    stitches(mesh, x, y0, y1, darker(colour, 1.45 if int(colour[1:3], 16) < 128 else 0.55), uv)
    return mesh


def stitches(mesh, x, y0, y1, colour, uv):
    """Stitches along a hem, a hair above it."""
    inset, long, wide, step, z = HEM - 0.035, 0.10, 0.013, 0.19, TABLE_Z + 0.0006
    for along, sides in ((x - inset, (y0 + inset, y1 - inset)), (0, (-x + inset, x - inset))):
        low, high = (-along, along) if along else (y0 + inset, y1 - inset)
        count = int((high - low) / step)
        for i in range(count):
            a = (low + high) / 2 + (i - (count - 1) / 2) * step
            for at in sides:
                box = (a - long / 2, at - wide / 2, a + long / 2, at + wide / 2) if along else (at - wide / 2, a - long / 2, at + wide / 2, a + long / 2)
                flat(mesh, "cloth" + colour, *box, z, uv)
