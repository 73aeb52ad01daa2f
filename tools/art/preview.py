"""Pictures of the committed files as the lowest quality draws them:
python preview.py OUT.png GAME [study|cabin] [WIDTH HEIGHT [PITCH YAW ZOOM]] [--clear|--blue-orange]

It reads assets/scenes only and does what the program's shader does: texture times colour times
light, plus what a polished surface mirrors. No tone mapping.
"""
import importlib
import math
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))

import bpy
import numpy as np
from mathutils import Euler, Vector
from PIL import Image

import bake
import board
import glb
import light
import rooms
from make import OUT
from shapes import HIGH, Kit

# What each room gives the lamps, as red, green and blue: window, sun, fire, room.
MIXES = {
    "study": ((0.30, 0.34, 0.41), (0.98, 0.78, 0.52), (0.0, 0.0, 0.0), (0.12, 0.125, 0.145)),
    "cabin": ((0.06, 0.085, 0.13), (0.0, 0.0, 0.0), (0.98, 0.66, 0.36), (0.185, 0.15, 0.12)),
}
FIELD_OF_VIEW = 0.35
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
# Palettes in sRGB, fitted to these pictures and lamps; what is missing keeps its colour.
PALETTES = {
    "clear": {"square_plain": (0.55, 0.44, 0.31), "square_camp": (0.70, 0.57, 0.39), "square_escape": (0.33, 0.48, 0.27),
              "square_middle": (0.66, 0.55, 0.41), "square_south": (0.62, 0.37, 0.27), "square_north": (0.36, 0.46, 0.60), "plot_red": (0.46, 0.12, 0.09), "plot_green": (0.50, 0.64, 0.40),
              "piece_runner_south": (0.58, 0.08, 0.04), "piece_runner_north": (0.04, 0.12, 0.40), "piece_stone_red": (0.58, 0.05, 0.03), "piece_stone_green": (0.04, 0.33, 0.12),
              "piece_pavilion_red": (0.66, 0.07, 0.04), "piece_pavilion_green": (0.05, 0.38, 0.12)},
    "blue-orange": {"square_middle": (0.60, 0.52, 0.41), "square_south": (0.72, 0.52, 0.26), "square_north": (0.31, 0.42, 0.58), "plot_red": (0.46, 0.14, 0.07), "plot_green": (0.54, 0.68, 0.61),
                    "piece_runner_south": (0.84, 0.42, 0.04), "piece_runner_north": (0.04, 0.15, 0.42), "piece_stone_red": (0.50, 0.09, 0.02), "piece_stone_green": (0.42, 0.72, 0.60),
                    "piece_pavilion_red": (0.64, 0.12, 0.03), "piece_pavilion_green": (0.38, 0.70, 0.58)},
}


def node(tree, kind, **values):
    made = tree.nodes.new("ShaderNode" + kind)
    for key, value in values.items():
        setattr(made, key, value)
    return made


def image(name, tint=None):
    """A texture; `tint` is a wanted colour and the mean one of what takes it. The grain
    stays, weaker: multiplied alone, a dark wood would turn blotchy as a pale one."""
    path = os.path.join(OUT, name)
    key = f"{name} {tint}"
    made = bpy.data.images.get(key)
    if not made:
        pixels = np.asarray(Image.open(path).convert("RGBA"), np.float32)[::-1] / 255.0
        share, pixels = pixels[..., 3:], pixels[..., :3]
        if tint:
            linear = np.where(pixels <= 0.04045, pixels / 12.92, ((pixels + 0.055) / 1.055) ** 2.4)
            wanted, own = np.array(tint[0]), np.array(tint[1])
            grain = np.clip((linear @ LUMINANCE) / (own @ LUMINANCE), 0.0, 4.0)[..., None] ** 0.6
            pixels = bake.srgb(linear * (1 - share) + wanted * grain * share) / 255.0
        made = bpy.data.images.new(key, pixels.shape[1], pixels.shape[0], alpha=False)
        made.colorspace_settings.name = "sRGB"
        made.pixels.foreach_set(np.dstack([pixels, np.ones(pixels.shape[:2])]).astype(np.float32).ravel())
        made.update()
    return made


def material(name, texture=None, mirror=0.0, metal=0.0, room="study", repeat=True, shadow=None, tint=None):
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    tree = mat.node_tree
    tree.nodes.clear()
    out = node(tree, "OutputMaterial")
    seen = node(tree, "Attribute", attribute_name="seen").outputs[0]
    if texture:
        tex = node(tree, "TexImage", image=image(texture, tint), extension="REPEAT" if repeat else "EXTEND")
        mix = node(tree, "Mix", data_type="RGBA", blend_type="MULTIPLY")
        mix.inputs[0].default_value = 1.0
        tree.links.new(tex.outputs[0], mix.inputs[6])
        tree.links.new(seen, mix.inputs[7])
        seen = mix.outputs[2]
    emit = node(tree, "Emission")
    if mirror or metal:
        # The mirrored direction, looked up in the room's picture.
        split = node(tree, "SeparateXYZ")
        tree.links.new(node(tree, "TexCoord").outputs["Reflection"], split.inputs[0])
        def calc(op, a, b=0.0):
            n = node(tree, "Math", operation=op)
            for socket, value in zip(n.inputs, (a, b)):
                if isinstance(value, float):
                    socket.default_value = value
                else:
                    tree.links.new(value, socket)
            return n.outputs[0]
        up = calc("MAXIMUM", split.outputs[2], 0.0)
        down = calc("ADD", 1.0, up)
        place = node(tree, "CombineXYZ")
        tree.links.new(calc("ADD", 0.5, calc("DIVIDE", calc("MULTIPLY", split.outputs[0], 0.5), down)), place.inputs[0])
        # Images run upwards in Blender, and the seat is at -y.
        tree.links.new(calc("ADD", 0.5, calc("DIVIDE", calc("MULTIPLY", split.outputs[1], 0.5), down)), place.inputs[1])
        tex = node(tree, "TexImage", image=image(f"{room}_sheen.webp"), extension="EXTEND")
        tree.links.new(place.outputs[0], tex.inputs[0])
        # What points down mirrors the board, which is dark.
        fade = calc("MINIMUM", calc("MAXIMUM", calc("ADD", calc("MULTIPLY", split.outputs[2], 2.5), 0.6), 0.3), 1.0)
        fresnel = node(tree, "Fresnel")
        fresnel.inputs[0].default_value = 1.5
        tint = node(tree, "Attribute", attribute_name="tint").outputs[0]
        strength = calc("MULTIPLY", fade, calc("MULTIPLY", calc("ADD", calc("MULTIPLY", fresnel.outputs[0], mirror), metal), rooms.SHEEN_BRIGHTEST))
        shine = node(tree, "VectorMath", operation="SCALE")
        tree.links.new(tex.outputs[0], shine.inputs[0])
        tree.links.new(strength, shine.inputs["Scale"])
        coloured = node(tree, "VectorMath", operation="MULTIPLY")
        tree.links.new(shine.outputs[0], coloured.inputs[0])
        tree.links.new(tint, coloured.inputs[1])
        total = node(tree, "VectorMath", operation="ADD")
        tree.links.new(seen, total.inputs[0])
        tree.links.new(coloured.outputs[0], total.inputs[1])
        seen = total.outputs[0]
    tree.links.new(seen, emit.inputs[0])
    surface = emit.outputs[0]
    if shadow:
        clear, mix = node(tree, "BsdfTransparent"), node(tree, "MixShader")
        tree.links.new(node(tree, "TexImage", image=shadow, extension="CLIP").outputs[0], mix.inputs[0])
        tree.links.new(clear.outputs[0], mix.inputs[1])
        tree.links.new(surface, mix.inputs[2])
        surface = mix.outputs[0]
    tree.links.new(surface, out.inputs["Surface"])
    return mat


class Scene:
    def __init__(self, game, room, palette=None):
        self.palette = PALETTES.get(palette, {})
        bake.clear()
        self.game, self.room = game, room
        self.module = importlib.import_module(game)
        self.nodes, self.head = glb.read(os.path.join(OUT, f"{game}.glb"))
        self.room_nodes, _ = glb.read(os.path.join(OUT, "room.glb"))
        self.meshes, self.materials = {}, {}
        self.mix = np.array(MIXES[room])

    def meshes_of(self, name):
        if name in self.meshes:
            return self.meshes[name]
        made = []
        for i, part in enumerate((self.nodes.get(name) or self.room_nodes[name])):
            at = part["position"]
            mesh = bpy.data.meshes.new(f"{name}{i}")
            mesh.from_pydata(np.column_stack([at[:, 0], -at[:, 2], at[:, 1]]).tolist(), [], part["indices"].reshape(-1, 3).tolist())
            mesh.polygons.foreach_set("use_smooth", [True] * len(mesh.polygons))
            normal = part["normal"]
            mesh.normals_split_custom_set_from_vertices(np.column_stack([normal[:, 0], -normal[:, 2], normal[:, 1]]).tolist())
            base = part["colour"][:, :3] if part["colour"] is not None else np.ones((len(at), 3))
            reach = (part["light"] ** 2 * light.BRIGHTEST) @ self.mix if part["light"] is not None else np.ones((len(at), 3))
            info = part["material"]
            if part["colour"] is not None and "texture" not in info.get("extras", {}):
                tint = self.tint(info)
                if tint:
                    base = base * (1 + (np.array(tint[0]) / np.array(tint[1]) - 1) * part["colour"][:, 3:])
            metal = info["pbrMetallicRoughness"]["metallicFactor"]
            for key, values in (("seen", base * reach * (0.75 if metal else 1.0)), ("tint", base if metal else np.ones((len(at), 3)) * np.clip(reach.mean(1, keepdims=True), 0.2, 1.0))):
                layer = mesh.attributes.new(key, "FLOAT_COLOR", "POINT")
                layer.data.foreach_set("color", np.column_stack([values, np.ones(len(at))]).astype(np.float32).ravel())
            if part["uv"] is not None:
                layer = mesh.uv_layers.new(name="UVMap")
                loops = np.empty(len(mesh.loops), np.int32)
                mesh.loops.foreach_get("vertex_index", loops)
                uv = part["uv"][loops].copy()
                uv[:, 1] = 1.0 - uv[:, 1]
                layer.data.foreach_set("uv", uv.astype(np.float32).ravel())
            mesh.materials.append(self.material(name, info, metal))
            made.append(mesh)
        self.meshes[name] = made
        return made

    def tint(self, info):
        """The colour that a palette wants of a material, and the one that it has."""
        own = info.get("extras", {}).get("colour")
        wanted = self.palette.get(info["name"])
        if not own or not wanted:
            return None
        return tuple(((c + 0.055) / 1.055) ** 2.4 if c > 0.04045 else c / 12.92 for c in wanted), tuple(own)

    def material(self, name, info, metal):
        extras = info.get("extras", {})
        texture, mirror = extras.get("texture"), 0.0
        if info["name"] == "table":
            texture, mirror = f"{self.room}_planks.webp", 0.25
        elif info["name"] == "dome":
            texture = f"{self.room}_panorama.webp"
        elif info["name"].startswith("frame"):
            mirror = 0.3
        elif info["name"].startswith("lake") or info["name"] == "stick":
            mirror = 0.5
        elif not texture:
            mirror = 0.35 + 0.9 * extras.get("clearcoat", 0.0)
        key = (info["name"], texture)
        if key not in self.materials:
            self.materials[key] = material(info["name"], texture, 0.0 if metal else mirror, 1.0 if metal else 0.0, self.room, repeat=not (texture or "").endswith("board.webp"), tint=self.tint(info) if texture else None)
        return self.materials[key]

    def put(self, name, at=(0, 0, 0), turn=(0, 0, 0), scale=1.0):
        for mesh in self.meshes_of(name):
            thing = bpy.data.objects.new(name, mesh)
            thing.location, thing.rotation_euler, thing.scale = at, turn, (scale,) * 3
            bpy.context.scene.collection.objects.link(thing)

    def place(self, square):
        return (ord(square[0]) - 97 + 0.5 - self.module.HALF[0], int(square[1:]) - 0.5 - self.module.HALF[1])

    def build(self, position=None, rules=None):
        module = self.module
        for name in ("frame", f"squares_{rules or module.VARIANTS[len(module.VARIANTS) // 2]}", "cloth", f"table_{self.room}", "dome"):
            self.put(name)
        for kind, places in (position or module.POSITION).items():
            for square in places:
                x, y = self.place(square)
                self.shadow(kind, x, y, 0.0055)
                self.put(kind, (x, y, 0.0))
        for kind, x, y in module.TAKEN:
            self.shadow(kind, x, y, board.TABLE_Z + 0.002, 0.7)
            self.put(kind, (x, y, board.TABLE_Z), scale=0.7)
        for name, (_, x) in getattr(module, "BOWLS", {}).items():
            self.shadow(name, x, 0.0, board.TABLE_Z + 0.002)
            self.put(name, (x, 0.0, board.TABLE_Z))
        for x, y, turn, marked in getattr(module, "STICKS", ()):
            z = module.STICK_AXIS if marked else module.STICK_RADIUS - module.STICK_AXIS
            self.shadow("stick", x, y, board.TABLE_Z + 0.002, 1.0, turn)
            self.put("stick", (x, y, board.TABLE_Z + z), (0 if marked else math.pi, 0, turn))
        self.letters()

    def shadow(self, kind, x, y, z, scale=1.0, turn=0.0):
        """What the piece takes from the lamps, as a black picture with this alpha."""
        kinds = [*self.module.PIECES, *getattr(self.module, "BOWLS", {}), "stick"]
        mesh = self.meshes.get("shadow " + kind)
        if not mesh:
            stored = np.asarray(Image.open(os.path.join(OUT, f"{self.game}_shadows.png")), np.float32) / 255.0
            cell = stored[:, bake.SHADOW * kinds.index(kind):][:, :bake.SHADOW]
            weight = self.mix @ LUMINANCE
            taken = (cell @ weight / weight.sum())[::-1]
            made = bpy.data.images.new("shadow " + kind, bake.SHADOW, bake.SHADOW, float_buffer=True, is_data=True)
            made.pixels.foreach_set(np.dstack([taken] * 3 + [np.ones_like(taken)]).astype(np.float32).ravel())
            made.update()
            mesh = bpy.data.meshes.new("shadow")
            mesh.from_pydata([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], [], [[0, 1, 2, 3]])
            layer = mesh.uv_layers.new(name="UVMap")
            layer.data.foreach_set("uv", [0, 0, 1, 0, 1, 1, 0, 1])
            mesh.materials.append(material("shadow", shadow=made))
            self.meshes["shadow " + kind] = mesh
        thing = bpy.data.objects.new("shadow", mesh)
        thing.location, thing.rotation_euler.z, thing.scale = (x, y, z), turn, (scale, scale, 1.0)
        bpy.context.scene.collection.objects.link(thing)

    def letters(self):
        """The program draws them; here they only complete the picture."""
        module = self.module
        hx, hy = module.HALF
        kit = Kit("letters", HIGH)
        out, z = board.FRAME - 0.27, board.FRAME_Z + 0.003
        for f in range(round(2 * hx)):
            for s in (-1, 1):
                kit.text("letter", chr(97 + f), f + 0.5 - hx, s * (hy + out), z, 0.34, thick=0.0)
        for r in range(round(2 * hy)):
            for s in (-1, 1):
                kit.text("letter", str(r + 1), s * (hx + out), r + 0.5 - hy, z, 0.31, thick=0.0)
        mat = material("letter")
        for thing in kit.objects({"letter": mat}):
            colour = (0.10, 0.08, 0.06) if self.game == "tablaaza" else (0.72, 0.58, 0.36)
            layer = thing.data.attributes.new("seen", "FLOAT_COLOR", "POINT")
            colour = np.array(colour) * self.mix.sum(0)
            layer.data.foreach_set("color", [*colour, 1.0] * len(thing.data.vertices))

    def camera(self, width, height, pitch=0.95, yaw=0.0, zoom=1.0):
        """As src/app/scene/camera frames the board."""
        hx, hy = self.module.HALF[0] + board.FRAME, self.module.HALF[1] + board.FRAME
        near = hy + (1.75 if self.game == "tablan" else 0.05)
        wide, far = {"tablut": (hx + 0.8, hy + 0.05), "tablan": (hx + 0.05, hy + 1.1), "tablaaza": (hx + 0.05, hy + 0.05)}[self.game]
        t = board.TABLE_Z
        corners = [(s * wide, y, z) for s in (-1, 1) for y, z in ((-near, t), (-min(near, hy), 0.35), (far, t), (far, 0.45 if height < 700 else 2.1 if self.game == "tablan" else 1.45))]
        turn = Euler((math.pi / 2 - pitch, 0, yaw))
        inverse = turn.to_matrix().inverted()
        view = [inverse @ Vector(c) for c in corners]
        tangent = math.tan(FIELD_OF_VIEW / 2)
        def bounds(distance):
            xs = [v.x / (tangent * width / height * (distance - v.z)) for v in view]
            ys = [v.y / (tangent * (distance - v.z)) for v in view]
            return min(xs), max(xs), min(ys), max(ys)
        low, high = 5.0, 400.0
        for _ in range(50):
            middle = (low + high) / 2
            x0, x1, y0, y1 = bounds(middle)
            low, high = (low, middle) if max(x1 - x0, y1 - y0) / 2 < 0.965 else (middle, high)
        x0, x1, y0, y1 = bounds(high)
        cam = bpy.data.cameras.new("seat")
        cam.sensor_fit, cam.angle = "VERTICAL", FIELD_OF_VIEW
        cam.shift_x, cam.shift_y = (x0 + x1) / 4 * width / height, (y0 + y1) / 4
        eye = bpy.data.objects.new("seat", cam)
        eye.rotation_euler = turn
        eye.location = turn.to_matrix() @ Vector((0, 0, high * zoom))
        bpy.context.scene.collection.objects.link(eye)
        return eye

    def render(self, path, width=900, height=600, samples=10, **pose):
        bpy.context.scene.cycles.max_bounces = 0
        bpy.context.scene.cycles.transparent_max_bounces = 12
        rows = bake.picture(None, None, width, height, samples, camera=self.camera(width, height, **pose))
        Image.fromarray(bake.srgb(rows)).save(path)


if __name__ == "__main__":
    palette = next((arg[2:] for arg in sys.argv if arg.startswith("--")), None)
    words = [arg for arg in sys.argv[1:] if not arg.startswith("--")]
    out, game = words[:2]
    room = words[2] if len(words) > 2 else "study"
    size = [int(v) for v in words[3:5]] or [900, 600]
    pose = dict(zip(("pitch", "yaw", "zoom"), map(float, words[5:8])))
    scene = Scene(game, room, palette)
    scene.build()
    scene.render(out, *size, **pose)
