"""Procedural materials for Cycles, and the pictures that are taken of them.

A material has three sides. *lit* is the physical one, for light. *picture* is what the
board's texture stores: its colour with the small shadows in grooves, and with bevels and
grain that lean towards the window. *base* is the bare colour, for vertices.
"""
import math

import bpy

WINDOW = (-0.62, 0.48, 0.62)
"""Where the light comes from in both rooms: left, far, up."""
SEAT = (0.0, -0.58, 0.81)
"""Where the player looks from."""


def rgb(code, alpha=1.0):
    """A linear colour from sRGB hex."""
    parts = [int(code[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts) + (alpha,)


class Shader:
    """A small wrapper that makes node trees readable."""

    def __init__(self, name):
        self.mat = bpy.data.materials.new(name)
        self.mat.use_nodes = True
        self.tree = self.mat.node_tree
        self.bsdf = self.tree.nodes["Principled BSDF"]

    def node(self, kind, **values):
        node = self.tree.nodes.new("ShaderNode" + kind)
        for key, value in values.items():
            if key[0].islower():
                setattr(node, key, value)
            else:
                self.put(node.inputs[key.replace("_", " ")], value)
        return node

    def put(self, socket, value):
        if isinstance(value, bpy.types.NodeSocket):
            self.tree.links.new(value, socket)
        else:
            socket.default_value = value

    def math(self, op, a, b=0.0, clamp=False):
        node = self.node("Math", operation=op, use_clamp=clamp)
        self.put(node.inputs[0], a)
        self.put(node.inputs[1], b)
        return node.outputs[0]

    def scale(self, vector, by):
        node = self.node("VectorMath", operation="MULTIPLY")
        self.put(node.inputs[0], vector)
        self.put(node.inputs[1], by)
        return node.outputs[0]

    def dot(self, a, b):
        node = self.node("VectorMath", operation="DOT_PRODUCT")
        self.put(node.inputs[0], a)
        self.put(node.inputs[1], b)
        return node.outputs["Value"]

    def noise(self, vector, scale, detail=3.0, distortion=0.0, rough=0.5):
        return self.node("TexNoise", Vector=vector, Scale=scale, Detail=detail,
                         Distortion=distortion, Roughness=rough).outputs["Fac"]

    def ramp(self, value, *stops):
        node = self.node("ValToRGB", Fac=value)
        while len(node.color_ramp.elements) < len(stops):
            node.color_ramp.elements.new(0.5)
        for element, (at, colour) in zip(node.color_ramp.elements, stops):
            element.position = at
            element.color = colour if len(colour) == 4 else colour + (1,)
        return node.outputs[0]

    def mix(self, factor, a, b, mode="MIX"):
        node = self.node("Mix", data_type="RGBA", blend_type=mode)
        self.put(node.inputs[0], factor)
        self.put(node.inputs[6], a)
        self.put(node.inputs[7], b)
        return node.outputs[2]

    def at(self, upright=False):
        """Where to sample: each part has its own offset, turn and shade in the attribute `var`."""
        var = self.node("Attribute", attribute_name="var")
        split = self.node("SeparateColor", Color=var.outputs["Color"])
        coords = self.node("TexCoord").outputs["Object"]
        turn = self.node("VectorRotate", rotation_type="Y_AXIS" if upright else "Z_AXIS", Vector=coords,
                         Angle=math.pi / 2 if upright else self.math("MULTIPLY", split.outputs[1], math.pi / 2))
        shift = self.node("VectorMath", operation="ADD")
        self.put(shift.inputs[0], turn.outputs[0])
        self.put(shift.inputs[1], self.scale(var.outputs["Color"], (91.0, 57.0, 0.0)))
        return shift.outputs[0], split.outputs[2]

    def shade(self, colour, amount, by=0.35):
        """Parts of one material differ in lightness."""
        node = self.node("HueSaturation", Color=colour)
        self.put(node.inputs["Value"], self.math("ADD", 1 - by / 2, self.math("MULTIPLY", amount, by)))
        return node.outputs[0]

    def done(self, colour, rough, metal=0.0, coat=0.0, bump=None, bump_size=0.01, tint=1.0, relief=0.8):
        """Connects the sides. `tint` is the share of a palette's tint that the material
        takes: none for inlay."""
        self.put(self.bsdf.inputs["Base Color"], colour)
        self.put(self.bsdf.inputs["Roughness"], rough)
        self.put(self.bsdf.inputs["Metallic"], metal)
        self.put(self.bsdf.inputs["Coat Weight"], coat)
        normal = self.node("NewGeometry").outputs["Normal"]
        if bump is not None:
            node = self.node("Bump", Height=bump, Distance=bump_size, Strength=1.0)
            self.put(self.bsdf.inputs["Normal"], node.outputs[0])
            normal = node.outputs[0]
        # The picture.
        hollow = self.node("AmbientOcclusion", samples=8, Distance=0.11).outputs["AO"]
        if metal:
            # What a bead or a line of metal mirrors towards the seat.
            mirror = self.node("VectorMath", operation="REFLECT")
            self.put(mirror.inputs[0], tuple(-c for c in SEAT))
            self.put(mirror.inputs[1], normal)
            bright = self.math("POWER", self.math("MAXIMUM", self.dot(mirror.outputs[0], WINDOW), 0.0), 3.0)
            lean = self.math("ADD", 0.45, self.math("MULTIPLY", bright, 1.5))
        else:
            lean = self.math("DIVIDE", self.dot(normal, WINDOW), WINDOW[2])
            lean = self.math("ADD", 1.0 - relief, self.math("MULTIPLY", lean, relief))
            lean = self.math("MINIMUM", self.math("MAXIMUM", lean, 0.35), 2.1)
        seen = self.node("VectorMath", operation="SCALE")
        self.put(seen.inputs[0], colour)
        self.put(seen.inputs["Scale"], lean)
        traits = self.node("CombineXYZ")
        for socket, value in zip(traits.inputs, (tint, rough, metal)):
            self.put(socket, value)
        for name, value in (("picture", seen.outputs[0]), ("base", colour), ("traits", traits.outputs[0]), ("hollow", hollow)):
            emit = self.node("Emission", name=name)
            self.put(emit.inputs[0], value)
        return self.mat


def show(side):
    """Shows one side of all materials: `lit`, `picture` without its small shadows, these as
    `hollow`, `base`, or `traits`, which are tint, roughness and metal as red, green and blue."""
    for mat in bpy.data.materials:
        if mat.node_tree and "picture" in mat.node_tree.nodes:
            node = mat.node_tree.nodes["Principled BSDF" if side == "lit" else side]
            mat.node_tree.links.new(node.outputs[0], mat.node_tree.nodes["Material Output"].inputs["Surface"])


def wood(name, dark, mid, light, rings=5.0, size=1.0, figure=0.0, pores=0.35, rough=0.42, coat=0.15,
         bump=0.006, upright=False, spread=0.3, relief=1.1, **more):
    """Growth rings, fibres and pores along x; `figure` adds the shimmer of curly wood."""
    s = Shader(name)
    at, tone = s.at(upright)
    at = s.scale(at, (size, size, size))
    slow = s.noise(s.scale(at, (0.22, 1.0, 1.0)), 0.8, 2.0, 0.3)
    grain = s.noise(s.scale(at, (0.07 * rings, 1.6 * rings, 1.6 * rings)), 1.0, 5.0, 0.25, 0.62)
    fibre = s.noise(s.scale(at, (2.2, 60.0, 60.0)), 1.0, 2.0, 0.0, 0.65)
    value = s.math("ADD", s.math("MULTIPLY", grain, 0.62),
                   s.math("ADD", s.math("MULTIPLY", slow, 0.26), s.math("MULTIPLY", fibre, 0.14)))
    if figure:
        # Flames across the grain, with sharp and soft edges.
        curl = s.noise(s.scale(at, (4.6, 0.9, 1.0)), 1.0, 3.0, 1.6, 0.55)
        value = s.math("ADD", value, s.math("MULTIPLY", s.math("SUBTRACT", curl, 0.5), figure))
    colour = s.ramp(value, (0.34, rgb(dark)), (0.51, rgb(mid)), (0.67, rgb(light)))
    if pores:
        pore = s.noise(s.scale(at, (1.6, 42.0, 42.0)), 2.2, 1.0)
        mask = s.math("MULTIPLY", s.math("GREATER_THAN", pore, 0.645), pores)
        colour = s.mix(mask, colour, rgb(dark), "MULTIPLY")
    roughness = s.math("ADD", rough - 0.10, s.math("MULTIPLY", fibre, 0.2))
    return s.done(s.shade(colour, tone, spread), roughness, coat=coat, bump=fibre, bump_size=bump, relief=relief, **more)


def plank(name, dark, mid, light, width, rings=8.0, contrast=0.5, pores=0.4, rough=0.42, coat=0.12, bump=0.004):
    """A sawn plank of this width, along x: growth rings that run out in arches, fibres, pores."""
    s = Shader(name)
    at, tone = s.at()
    split = s.node("SeparateXYZ", Vector=at)
    across = s.math("SUBTRACT", s.math("FRACT", s.math("DIVIDE", split.outputs[1], width)), 0.5)
    along = s.node("CombineXYZ")
    s.put(along.inputs[0], split.outputs[0])
    # The saw runs through the rings of a trunk that is not straight.
    depth = s.math("ADD", 0.10, s.math("MULTIPLY", s.noise(along.outputs[0], 0.05, 1.0), 1.1))
    bend = s.math("MULTIPLY", s.math("SUBTRACT", s.noise(along.outputs[0], 0.21, 1.0), 0.5), 0.55)
    off = s.math("MULTIPLY", s.math("ADD", across, bend), width * 0.8)
    radius = s.math("SQRT", s.math("ADD", s.math("MULTIPLY", off, off), s.math("MULTIPLY", depth, depth)))
    wobble = s.noise(s.scale(at, (0.35, 2.2, 1.0)), 1.0, 4.0, 0.0, 0.55)
    ring = s.math("FRACT", s.math("MULTIPLY", s.math("ADD", radius, s.math("MULTIPLY", wobble, 0.07)), rings))
    late = s.math("MINIMUM", s.math("POWER", ring, 3.0), s.math("MULTIPLY", s.math("SUBTRACT", 1.0, ring), 5.0))
    slow = s.noise(s.scale(at, (0.25, 0.9, 1.0)), 1.0, 2.0)
    fibre = s.noise(s.scale(at, (3.5, 75.0, 1.0)), 1.0, 3.0, 0.0, 0.7)
    value = s.math("ADD", s.math("MULTIPLY", s.math("SUBTRACT", 1.0, late), contrast),
                   s.math("ADD", s.math("MULTIPLY", slow, 0.45), s.math("MULTIPLY", fibre, 0.60)))
    value = s.math("DIVIDE", value, contrast + 1.05)
    colour = s.ramp(value, (0.25, rgb(dark)), (0.52, rgb(mid)), (0.75, rgb(light)))
    pore = s.noise(s.scale(at, (5.0, 95.0, 1.0)), 1.0, 1.0)
    colour = s.mix(s.math("MULTIPLY", s.math("GREATER_THAN", pore, 0.66), pores), colour, rgb(dark), "MULTIPLY")
    return s.done(s.shade(colour, tone, 0.34), rough, coat=coat, bump=fibre, bump_size=bump)


def stone(name, deep, mid, vein, veins=0.5, size=1.0, rough=0.22, coat=0.0, spread=0.25, bump=0.0015, **more):
    """Clouded polished stone with veins."""
    s = Shader(name)
    at, tone = s.at()
    at = s.scale(at, (size, size, size))
    cloud = s.noise(at, 2.0, 6.0, 0.9, 0.62)
    fleck = s.noise(at, 26.0, 3.0, 0.0, 0.7)
    warp = s.node("VectorMath", operation="ADD")
    s.put(warp.inputs[0], at)
    s.put(warp.inputs[1], s.scale(s.node("TexNoise", Vector=at, Scale=1.7, Detail=4.0).outputs["Color"], (0.8,) * 3))
    crack = s.node("TexVoronoi", feature="DISTANCE_TO_EDGE", Vector=warp.outputs[0], Scale=1.4).outputs["Distance"]
    line = s.ramp(crack, (0.0, (1, 1, 1)), (0.035, (0, 0, 0)))
    mixed = s.math("ADD", s.math("MULTIPLY", cloud, 0.8), s.math("MULTIPLY", fleck, 0.25))
    colour = s.ramp(mixed, (0.36, rgb(deep)), (0.68, rgb(mid)))
    colour = s.mix(s.math("MULTIPLY", line, veins), colour, rgb(vein))
    return s.done(s.shade(colour, tone, spread), s.math("ADD", rough - 0.05, s.math("MULTIPLY", fleck, 0.12)),
                  coat=coat, bump=fleck, bump_size=bump, **more)


def plain(name, colour, rough, metal=0.0, coat=0.0, mottle=0.12, grain=30.0, bump=0.0015, **more):
    """Metal, lacquer, leather: one colour with fine variation."""
    s = Shader(name)
    at, tone = s.at()
    fine = s.noise(at, grain, 4.0, 0.0, 0.6)
    broad = s.noise(at, 2.5, 3.0)
    base = s.mix(s.math("MULTIPLY", broad, mottle * 2), rgb(colour), rgb("#000000"), "MULTIPLY") if mottle else rgb(colour)
    hue = s.shade(base, s.math("ADD", s.math("MULTIPLY", fine, 0.5), s.math("MULTIPLY", tone, 0.5)), mottle)
    return s.done(hue, s.math("ADD", rough - 0.05, s.math("MULTIPLY", fine, 0.12)), metal, coat, fine, bump, **more)


def antler(name, pale, shaded, rough=0.38, low=None, high=None, patina=None, **more):
    """Polished antler or bone: pale with warm clouds and fine grain along its axis. Between
    the heights `low` and `high` it grows paler, as thin parts do against the light. Where
    hands do not reach, it has a `patina` of this colour."""
    s = Shader(name)
    at, tone = s.at()
    cloud = s.noise(at, 1.8, 4.0, 0.6)
    streak = s.noise(s.scale(at, (9.0, 9.0, 1.6)), 3.0, 4.0)
    value = s.math("ADD", s.math("MULTIPLY", cloud, 0.65), s.math("MULTIPLY", streak, 0.4))
    if high:
        z = s.node("SeparateXYZ", Vector=s.node("TexCoord").outputs["Object"]).outputs[2]
        rise = s.math("DIVIDE", s.math("SUBTRACT", z, low), high - low, True)
        value = s.math("ADD", s.math("MULTIPLY", value, 0.6), s.math("MULTIPLY", rise, 0.34))
    colour = s.ramp(value, (0.28, rgb(shaded)), (0.56, rgb(pale)))
    if patina:
        open_air = s.node("AmbientOcclusion", samples=16, Distance=0.16).outputs["AO"]
        colour = s.mix(s.math("MULTIPLY", s.math("SUBTRACT", 1.0, open_air), 1.5, True), colour, rgb(patina))
    return s.done(s.shade(colour, tone, 0.12), rough, coat=0.25, bump=streak, bump_size=0.002, **more)


WEAVE = 0.6
"""The mean lightness of white cloth in its picture."""


def weave(name, colour, thread=46.0, contrast=0.5, twill=False, **more):
    """Woven cloth, thread over thread; a twill runs in diagonals."""
    s = Shader(name)
    at, _ = s.at()
    bend = s.node("VectorMath", operation="ADD")
    s.put(bend.inputs[0], at)
    s.put(bend.inputs[1], s.scale(s.node("TexNoise", Vector=at, Scale=1.1, Detail=2.0).outputs["Color"], (0.03, 0.03, 0.0)))
    split = s.node("SeparateXYZ", Vector=bend.outputs[0])
    wave = [s.math("SINE", s.math("MULTIPLY", it, thread * math.pi)) for it in split.outputs[:2]]
    over = s.math("MULTIPLY", wave[0], wave[1])
    if twill:
        over = s.math("SINE", s.math("MULTIPLY", s.math("ADD", split.outputs[0], split.outputs[1]), thread * math.pi))
    slub = s.noise(s.scale(at, (2.0, 34.0, 1.0)), 1.0, 2.0)
    cross = s.noise(s.scale(at, (34.0, 2.0, 1.0)), 1.0, 2.0)
    height = s.math("ADD", s.math("MULTIPLY", over, 0.5), s.math("ADD", slub, cross))
    light = s.math("ADD", WEAVE, s.math("MULTIPLY", s.math("SUBTRACT", height, 1.0), contrast))
    tone = s.node("VectorMath", operation="SCALE")
    s.put(tone.inputs[0], rgb(colour)[:3])
    s.put(tone.inputs["Scale"], light)
    return s.done(tone.outputs[0], 0.95, bump=height, bump_size=0.004, **more)


def mixed(one, other):
    """The colour between two, as sRGB hex."""
    return "#" + "".join(f"{(int(one[i:i + 2], 16) + int(other[i:i + 2], 16)) // 2:02x}" for i in (1, 3, 5))


def water(name, shallow, deep, half_x, half_y, centre):
    """Clear, still water in a basin: a shore of sand with pebbles, a wet line, deeper in the
    middle, and light on its bed. What it mirrors is the program's."""
    s = Shader(name)
    coords = s.node("TexCoord").outputs["Object"]
    local = s.node("VectorMath", operation="SUBTRACT")
    s.put(local.inputs[0], coords)
    s.put(local.inputs[1], centre)
    split = s.node("SeparateXYZ", Vector=local.outputs[0])
    to_x = s.math("SUBTRACT", half_x, s.math("ABSOLUTE", split.outputs[0]), True)
    to_y = s.math("SUBTRACT", half_y, s.math("ABSOLUTE", split.outputs[1]), True)
    depth = s.math("DIVIDE", s.math("MULTIPLY", to_x, to_y), s.math("ADD", s.math("ADD", to_x, to_y), 0.001))
    wobble = s.noise(coords, 1.5, 2.0, 0.3)
    depth = s.math("ADD", depth, s.math("MULTIPLY", s.math("SUBTRACT", wobble, 0.5), 0.13))
    colour = s.ramp(depth, (0.0, rgb("#cfbf92")), (0.034, rgb("#bda878")), (0.048, rgb("#6f5d3e")), (0.058, rgb("#a9bda8")), (0.066, rgb("#5f8a78")),
                    (0.10, rgb(shallow)), (0.145, rgb(mixed(shallow, deep))), (0.205, rgb(deep)))
    # Pebbles on the shore and in the shallows, and ripples of sand below them.
    cell = s.node("TexVoronoi", Vector=coords, Scale=17.0)
    shade = s.node("SeparateColor", Color=cell.outputs["Color"])
    stone = s.math("MULTIPLY", s.math("LESS_THAN", cell.outputs["Distance"], 0.30), s.math("GREATER_THAN", shade.outputs[0], 0.62))
    stone = s.math("MULTIPLY", stone, s.math("LESS_THAN", depth, 0.15))
    colour = s.mix(s.math("MULTIPLY", stone, 0.55), colour, s.ramp(shade.outputs[1], (0.0, rgb("#7c745f")), (1.0, rgb("#efe7d2"))))
    # Light that the ripples gather on the bed.
    bend = s.node("VectorMath", operation="ADD")
    s.put(bend.inputs[0], coords)
    s.put(bend.inputs[1], s.scale(s.node("TexNoise", Vector=coords, Scale=2.6, Detail=2.0).outputs["Color"], (0.34, 0.34, 0.0)))
    net = [s.ramp(s.node("TexVoronoi", feature="DISTANCE_TO_EDGE", Vector=bend.outputs[0], Scale=scale).outputs["Distance"],
                  (0.0, (1, 1, 1)), (0.20, (0, 0, 0))) for scale in (2.6, 4.3)]
    wet = s.math("MULTIPLY", s.math("SUBTRACT", depth, 0.07), 14.0, True)
    colour = s.mix(s.math("MULTIPLY", s.math("MULTIPLY", net[0], net[1]), s.math("MULTIPLY", wet, 0.13)), colour, rgb("#b9d8cf"))
    # The quay's walls shade it at the far side and at the left: it lies lower.
    for to_wall in (s.math("ADD", split.outputs[0], half_x), s.math("SUBTRACT", half_y, split.outputs[1])):
        near = s.math("SUBTRACT", 1.0, s.math("DIVIDE", to_wall, 0.17), True)
        colour = s.mix(s.math("MULTIPLY", near, 0.72), colour, rgb("#061519"), "MIX")
    return s.done(colour, 0.04, bump=wobble, bump_size=0.003, tint=0.0)
