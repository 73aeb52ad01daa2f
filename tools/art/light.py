"""The lamps, and how their light gets into the vertices.

Each vertex stores how much light of four lamps reaches it. The program gives every lamp a
colour: a room and a time of day are four colours, and no light is baked twice. A lamp's light
on a level surface in the middle of an empty table is 1.
"""
import math

import bpy
import numpy as np
from mathutils import Matrix, Vector

from shapes import Kit

LAMPS = ("window", "sun", "fire", "room")
"""The channels of the attribute `_LIGHT`, in their order."""
BRIGHTEST = 2.0
"""`_LIGHT` stores the square root of a share of this."""
SUN = Vector((-1.0, 0.55, 0.95)).normalized()


def area(at, target, size, energy):
    lamp = bpy.data.lights.new("area", "AREA")
    lamp.shape, lamp.size, lamp.size_y, lamp.energy = "RECTANGLE", size[0], size[1], energy
    thing = bpy.data.objects.new("area", lamp)
    bpy.context.scene.collection.objects.link(thing)
    thing.location = at
    thing.rotation_euler = (Vector(target) - Vector(at)).to_track_quat("-Z", "Y").to_euler()
    return thing


def grey():
    """What everything is made of while light is measured."""
    mat = bpy.data.materials.get("grey") or bpy.data.materials.new("grey")
    mat.use_nodes = True
    bsdf = mat.node_tree.nodes["Principled BSDF"]
    bsdf.inputs["Base Color"].default_value = (0.42, 0.42, 0.42, 1)
    bsdf.inputs["Specular IOR Level"].default_value = 0.0
    return mat


class Lamps:
    """The window and its reflections, the sun, the fire with a lantern, and light from everywhere."""

    def __init__(self):
        scene = bpy.context.scene
        world = bpy.data.worlds.new("room")
        world.use_nodes = True
        scene.world = world
        self.sky = world.node_tree.nodes["Background"]
        self.sky.inputs[0].default_value = (1, 1, 1, 1)
        window = [area((-19.5, 10.5, 13.5), (0, 0, 0), (13.0, 13.0), 1.0),
                  area((9.0, 20.0, 9.0), (0, 0, 0), (12.0, 3.0), 0.09),
                  area((12.0, -13.0, 8.0), (0, 0, 0), (12.0, 8.0), 0.20)]
        sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
        sun.data.angle = math.radians(6.0)
        scene.collection.objects.link(sun)
        sun.rotation_euler = (-SUN).to_track_quat("-Z", "Y").to_euler()
        fire = [area((13.0, 6.0, 13.5), (0, 0, 0), (6.0, 5.0), 1.0), area((2.5, -1.0, 15.0), (0, 0, 0), (2.4, 2.4), 0.22)]
        self.lamps = {"window": window, "sun": [sun], "fire": fire, "room": []}
        self.power = {lamp: lamp.data.energy for lamps in self.lamps.values() for lamp in lamps}
        self.scale = {name: 1.0 for name in LAMPS}
        self.bars = self.window_bars()
        self.measure()

    def window_bars(self):
        """The bars of the window and the wall beside it: they cut the sun into a soft patch."""
        kit = Kit("bars")
        across = SUN.cross(Vector((0, 0, 1))).normalized()
        up = across.cross(SUN).normalized()
        where = Matrix.Translation(SUN * 24.0) @ Matrix((across, up, SUN)).transposed().to_4x4()
        for x0, x1, y0, y1 in ((-40, -9.5, -30, 30), (10.0, 40, -30, 30), (-9.5, 10.0, 7.5, 30), (-9.5, 10.0, -30, -8.5),
                               (-3.3, -2.7, -8.5, 7.5), (3.5, 4.1, -8.5, 7.5), (-9.5, 10.0, -0.3, 0.3)):
            kit.box("grey", x0, y0, x1, y1, 0.0, 0.2, move=where)
        bars = kit.objects({"grey": grey()})
        for bar in bars:
            bar.visible_camera = bar.visible_glossy = bar.visible_diffuse = False
        return bars

    def only(self, name):
        """Switches all other lamps off."""
        for other, lamps in self.lamps.items():
            for lamp in lamps:
                lamp.hide_render = other != name
                lamp.data.energy = self.power[lamp] * self.scale[other]
        self.sky.inputs[1].default_value = self.scale["room"] if name == "room" else 0.0

    def measure(self):
        """Scales every lamp so that a level surface in the middle gets 1."""
        mesh = bpy.data.meshes.new("spot")
        mesh.from_pydata([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], [], [[0, 1, 2, 3]])
        mesh.materials.append(grey())
        spot = bpy.data.objects.new("spot", mesh)
        bpy.context.scene.collection.objects.link(spot)
        for bar in self.bars:
            bar.hide_render = True
        for name in LAMPS:
            self.only(name)
            self.scale[name] = 1.0 / max(float(bake(spot, 200).mean()), 1e-9)
        for bar in self.bars:
            bar.hide_render = False
        bpy.data.objects.remove(spot)

    def light(self, thing, samples):
        """What reaches each corner of an object's faces: an array of (corners, lamps)."""
        probe = shell(thing)
        columns = []
        for name in LAMPS:
            self.only(name)
            columns.append(bake(probe, samples))
        bpy.data.objects.remove(probe)
        return np.stack(columns, axis=1)


def shell(thing):
    """A copy of an object whose faces stand apart, a little off its surface and drawn in at
    their corners: a corner where parts meet would lie within one of them, in the dark."""
    mesh = thing.data
    verts, faces, normals = [], [], []
    corner = np.empty(len(mesh.loops) * 3, np.float32)
    mesh.corner_normals.foreach_get("vector", corner)
    corner = corner.reshape(-1, 3)
    for poly in mesh.polygons:
        centre, out = np.array(poly.center), np.array(poly.normal)
        face = []
        for i in poly.loop_indices:
            at = np.array(mesh.vertices[mesh.loops[i].vertex_index].co)
            inward = centre - at
            distance = max(float(np.linalg.norm(inward)), 1e-6)
            face.append(len(verts))
            verts.append(at + inward / distance * min(0.45 * distance, 0.035) + out * 0.0025)
            normals.append(corner[i])
        faces.append(face)
    made = bpy.data.meshes.new("shell")
    made.from_pydata([tuple(v) for v in verts], [], faces)
    made.polygons.foreach_set("use_smooth", [True] * len(faces))
    made.normals_split_custom_set([tuple(map(float, n)) for n in normals])
    made.materials.append(grey())
    probe = bpy.data.objects.new("shell", made)
    probe.matrix_world = thing.matrix_world
    bpy.context.scene.collection.objects.link(probe)
    return probe


def corner_colours(thing, kind, samples, **more):
    """Bakes to the corners of the faces; returns an array of (corners, 4)."""
    mesh, scene = thing.data, bpy.context.scene
    layer = mesh.color_attributes.get("bake") or mesh.color_attributes.new("bake", "FLOAT_COLOR", "CORNER")
    mesh.color_attributes.active_color = layer
    scene.cycles.samples = max(1, samples)
    bpy.ops.object.select_all(action="DESELECT")
    thing.select_set(True)
    bpy.context.view_layer.objects.active = thing
    bpy.ops.object.bake(type=kind, target="VERTEX_COLORS", **more)
    values = np.empty(len(mesh.loops) * 4, np.float32)
    mesh.color_attributes["bake"].data.foreach_get("color", values)
    return values.reshape(-1, 4)


def bake(thing, samples):
    """The light on an object, without its colour."""
    return corner_colours(thing, "DIFFUSE", samples, pass_filter={"DIRECT", "INDIRECT"})[:, :3].mean(axis=1)


def stored(light):
    """Light as the attribute `_LIGHT` stores it."""
    return np.sqrt(np.clip(light / BRIGHTEST, 0.0, 1.0))
