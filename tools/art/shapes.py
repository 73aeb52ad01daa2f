"""Geometry: a kit that collects parts by material, lathes, prisms, outlines.

One unit is one square (4 cm); x runs along the files, y along the ranks, z up.
"""
import math
import os
import random

import bmesh
import bpy
from mathutils import Matrix, Vector

HIGH, LOW, TINY = 0, 1, 2
"""Levels of detail: for the bake, for the table, for small windows."""

FONT = os.path.join(os.path.dirname(__file__), "../../assets/fonts/Cabin-SemiBold.otf")


class Kit:
    """Collects parts, one mesh per material."""

    def __init__(self, name, lod=HIGH, seed=1):
        self.name, self.lod = name, lod
        self.parts, self.random = {}, random.Random(seed)

    def by_detail(self, high, low, tiny):
        """One of three values."""
        return (high, low, tiny)[self.lod]

    def curve(self, points):
        """A smooth profile as fine as this level of detail wants it."""
        fine = smooth_profile(points, self.by_detail(5, 6, 1))
        return fine if self.lod != LOW else simplified(fine, 0.0035)

    def var(self, turn=None):
        """Offset, turn and shade of a part."""
        r = self.random
        return (r.random(), float(r.random() > 0.5) if turn is None else float(turn), r.random())

    def put(self, key, verts, faces, var=None, smooth=False, move=None):
        mesh = self.parts.setdefault(key, ([], [], [], []))
        base = len(mesh[0])
        mesh[0].extend((move @ Vector(v))[:] if move else tuple(v) for v in verts)
        mesh[1].extend([base + i for i in face] for face in faces)
        mesh[2].extend([var or self.var()] * len(verts))
        mesh[3].extend([smooth] * len(faces))

    def prism(self, key, outline, z0, z1, bevel=0.0, var=None, move=None, segments=None):
        """An upright prism over a polygon, its upper edges rounded."""
        area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, outline[1:] + outline[:1]))
        if area < 0:
            outline = outline[::-1]
        bm = bmesh.new()
        face = bm.faces.new([bm.verts.new((x, y, z1)) for x, y in outline])
        top = face.edges[:]
        side = bmesh.ops.extrude_face_region(bm, geom=[face])
        for v in (g for g in side["geom"] if isinstance(g, bmesh.types.BMVert)):
            v.co.z = z0
        bmesh.ops.recalc_face_normals(bm, faces=bm.faces)
        if bevel:
            steps = segments or self.by_detail(3, 1, 1)
            bmesh.ops.bevel(bm, geom=top, offset=bevel, segments=steps, profile=0.5, affect="EDGES", clamp_overlap=True)
        bm.verts.index_update()
        floor = [f for f in bm.faces if f.normal.z < -0.99]
        bmesh.ops.delete(bm, geom=floor, context="FACES_ONLY")
        self.put(key, [v.co[:] for v in bm.verts], [[v.index for v in f.verts] for f in bm.faces], var, False, move)
        bm.free()

    def box(self, key, x0, y0, x1, y1, z0, z1, bevel=0.0, var=None, move=None):
        self.prism(key, [(x0, y0), (x1, y0), (x1, y1), (x0, y1)], z0, z1, bevel, var, move)

    def lathe(self, key, profile, segments=None, move=None, var=None, flat=False):
        """Turns a profile of (radius, height) from the foot to the top."""
        n = segments or self.by_detail(64, 26, 12)
        verts, faces, rows = [], [], []
        for radius, z in profile:
            if radius < 1e-4:
                rows.append([len(verts)])
                verts.append((0, 0, z))
            else:
                rows.append(list(range(len(verts), len(verts) + n)))
                verts += [(radius * math.cos(2 * math.pi * (i + 0.5) / n), radius * math.sin(2 * math.pi * (i + 0.5) / n), z) for i in range(n)]
        for a, b in zip(rows, rows[1:]):
            for i in range(n):
                j = (i + 1) % n
                if len(a) > 1 and len(b) > 1:
                    faces.append([a[i], a[j], b[j], b[i]])
                elif len(b) == 1 and len(a) > 1:
                    faces.append([a[i], a[j], b[0]])
                elif len(a) == 1 and len(b) > 1:
                    faces.append([a[0], b[j], b[i]])
        self.put(key, verts, faces, var, not flat, move)

    def text(self, key, text, x, y, z, size, var=None, thick=0.004):
        curve = bpy.data.curves.new("t", "FONT")
        curve.body, curve.size, curve.align_x, curve.align_y = text, size, "CENTER", "CENTER"
        curve.font = bpy.data.fonts.load(FONT, check_existing=True)
        curve.extrude, curve.resolution_u = thick, 3
        thing = bpy.data.objects.new("t", curve)
        bpy.context.collection.objects.link(thing)
        mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        self.put(key, [v.co[:] for v in mesh.vertices], [list(p.vertices) for p in mesh.polygons], var,
                 False, Matrix.Translation((x, y, z)))
        bpy.data.objects.remove(thing)

    def objects(self, materials, collection=None, move=None):
        made = []
        for key, (verts, faces, var, smooth) in self.parts.items():
            mesh = bpy.data.meshes.new(f"{self.name}.{key}")
            mesh.from_pydata(verts, [], faces)
            mesh.polygons.foreach_set("use_smooth", smooth)
            if any(smooth):
                mesh.set_sharp_from_angle(angle=math.radians(42))
            layer = mesh.attributes.new("var", "FLOAT_COLOR", "POINT")
            layer.data.foreach_set("color", [c for v in var for c in (*v, 1.0)])
            mesh.materials.append(materials[key])
            thing = bpy.data.objects.new(mesh.name, mesh)
            (collection or bpy.context.scene.collection).objects.link(thing)
            if move:
                thing.matrix_world = move
            made.append(thing)
        return made


def smooth_profile(points, steps):
    """A Catmull-Rom curve through points; a repeated point is a corner."""
    out = []
    for i in range(len(points) - 1):
        a, b = points[i], points[i + 1]
        if a == b:
            continue
        before = points[i - 1] if i > 0 and points[i - 1] != a else a
        after = points[i + 2] if i + 2 < len(points) and points[i + 2] != b else b
        for k in range(steps):
            t = k / steps
            out.append(tuple(max(0.0, 0.5 * (2 * a[d] + (b[d] - before[d]) * t
                       + (2 * before[d] - 5 * a[d] + 4 * b[d] - after[d]) * t * t
                       + (3 * a[d] - before[d] - 3 * b[d] + after[d]) * t ** 3)) if d == 0 else
                       0.5 * (2 * a[d] + (b[d] - before[d]) * t
                       + (2 * before[d] - 5 * a[d] + 4 * b[d] - after[d]) * t * t
                       + (3 * a[d] - before[d] - 3 * b[d] + after[d]) * t ** 3) for d in (0, 1)))
    out.append(points[-1])
    return out


def simplified(points, error):
    """A line through fewer of its points, at most this far from the others."""
    (ax, ay), (bx, by) = points[0], points[-1]
    length = math.hypot(bx - ax, by - ay)
    off = [abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length if length else math.hypot(x - ax, y - ay) for x, y in points]
    far = max(range(len(points)), key=off.__getitem__)
    if off[far] <= error:
        return [points[0], points[-1]]
    return simplified(points[:far + 1], error)[:-1] + simplified(points[far:], error)


def polar(n, *radii, turn=0.0, x=0.0, y=0.0):
    """A star or polygon: radii in turn round a centre."""
    k = n * len(radii)
    return [(x + radii[i % len(radii)] * math.cos(2 * math.pi * i / k + turn),
             y + radii[i % len(radii)] * math.sin(2 * math.pi * i / k + turn)) for i in range(k)]


def mitred_frame(kit, key, hx, hy, width, z0, z1, bevel):
    """Four mitred rails round a field; grain along each rail."""
    ox, oy = hx + width, hy + width
    for i, rail in enumerate(([(-ox, -oy), (ox, -oy), (hx, -hy), (-hx, -hy)], [(ox, oy), (-ox, oy), (-hx, hy), (hx, hy)],
                              [(-ox, oy), (-ox, -oy), (-hx, -hy), (-hx, hy)], [(ox, -oy), (ox, oy), (hx, hy), (hx, -hy)])):
        kit.prism(key, rail, z0, z1, bevel, kit.var(turn=i > 1))


def star(kit, key, x, y, radius, z, inner=0.42, points=8, turn=math.pi / 8):
    """A flat star, inlaid."""
    kit.prism(key, polar(points, radius, radius * inner, turn=turn, x=x, y=y), z - 0.01, z, 0.003)


def ring(kit, key, x, y, radius, width, z, sides=40):
    """A flat ring, inlaid."""
    outer, inner = polar(sides, radius, x=x, y=y), polar(sides, radius - width, x=x, y=y)
    kit.put(key, [(*p, z) for p in outer + inner],
            [[i, (i + 1) % sides, sides + (i + 1) % sides, sides + i] for i in range(sides)])


def stroke(kit, key, points, wide, thin, z, move):
    """A line along points that tapers towards its end."""
    left, right = [], []
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by) = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        d = math.hypot(bx - ax, by - ay)
        w = wide + (thin - wide) * i / (len(points) - 1)
        left.append((x - w * (by - ay) / d, y + w * (bx - ax) / d))
        right.append((x + w * (by - ay) / d, y - w * (bx - ax) / d))
    kit.prism(key, left + right[::-1], z - 0.01, z, 0.003, move=move)


def petals(kit, key, x, y, count, r0, r1, width, z, turn=0.0):
    """Pointed petals round a centre."""
    for i in range(count):
        move = Matrix.Translation((x, y, 0)) @ Matrix.Rotation(2 * math.pi * i / count + turn, 4, "Z")
        side = [(r0 + (r1 - r0) * t, width * math.sin(math.pi * t ** 0.85) ** 0.9) for t in (0.0, 0.2, 0.42, 0.64, 0.84, 1.0)]
        kit.prism(key, side + [(px, -py) for px, py in side[-2:0:-1]], z - 0.012, z, 0.003, move=move)


def strip(kit, key, x, y, angle, length, width, z, bevel=0.003):
    """A straight inlaid line."""
    move = Matrix.Translation((x, y, 0)) @ Matrix.Rotation(angle, 4, "Z")
    kit.box(key, -length / 2, -width / 2, length / 2, width / 2, z - 0.01, z, bevel, move=move)
