"""Makes everything in assets/scenes: python make.py [GAME|room ...] [--quick] [--meshes|--pictures]

`--quick` is for trying: small pictures, few rays. `--meshes` and `--pictures` make only these.
"""
import importlib
import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))

import bpy  # First: it brings mathutils.
import numpy as np
from mathutils import Matrix, Vector
from PIL import Image

import bake
import board
import glb
import light
import shaders
from shapes import HIGH, LOW, Kit

OUT = os.path.join(os.path.dirname(__file__), "../../assets/scenes")
GAMES = ("tablut", "tablan", "tablaaza")
QUICK = "--quick" in sys.argv


def save(rows, name, quality, alpha=None, alpha_quality=60):
    """Saves linear values, rows from the top, as WebP; without loss at quality 100."""
    pixels = bake.srgb(rows)
    if alpha is not None:
        pixels = np.dstack([pixels, np.round(np.clip(alpha, 0, 1) * 255).astype(np.uint8)])
    path = os.path.join(OUT, name)
    Image.fromarray(pixels).save(path, "WEBP", quality=quality, lossless=quality == 100, method=6, alpha_quality=alpha_quality, exact=True)
    return path


def atlas_picture(module, atlas):
    """The board's picture and its share of tint."""
    shrink = 4 if QUICK else 1
    samples = 3 if QUICK else 10
    picture = np.zeros((atlas.height // shrink, atlas.width // shrink, 3), np.float32)
    traits = picture.copy()

    def put(make, left, top, width, height, centre, reach, front=False):
        bake.clear()
        mats = module.materials()
        kit = Kit("detailed", HIGH, seed=3)
        make(kit)
        kit.objects(mats)
        width, height, left, top = (round(v / shrink) for v in (width, height, left, top))
        place = (slice(top, top + height), slice(left, left + width))
        for side, into, count in (("picture", picture, samples), ("traits", traits, 2)):
            shaders.show(side)
            into[place] = bake.picture(centre, reach, width, height, count, front=front)
        # The small shadows at half the size, without noise.
        shaders.show("hollow")
        half = (max(width // 2, 1), max(height // 2, 1))
        # A little aside: along the middle of a face's diagonal, its halves shade each other.
        aside = (centre[0] + 0.0021, centre[1] - 0.0013)
        hollow = bake.picture(aside, reach, *half, 2 if QUICK else 6, denoise=True, front=front)[..., 0]
        hollow = Image.fromarray(hollow.astype(np.float32), "F").resize((width, height), Image.BICUBIC)
        picture[place] *= np.clip(np.asarray(hollow), 0.0, 1.0)[..., None] ** 1.3

    half, reach = module.HALF, atlas.reach
    put(module.detailed, 0, 0, *atlas.board, (0, 0), reach)
    for side in range(2):
        # A side wall is seen as the front of a board of its width.
        wide = half[side] + board.FRAME + board.PLINTH
        put(lambda kit: board_from(module, kit, side), 0, atlas.board[1] + 4 + side * atlas.wall, atlas.board[0], atlas.wall,
            (0, 0.04 - 0.21), (wide / 0.98, wide / 0.98 * atlas.wall / atlas.board[0]), front=True)
    for name, make in module.SPARE.items():
        left, top = atlas.board[0] + 0.03 * atlas.scale, (0.03 + 1.06 * atlas.spare.index(name)) * atlas.scale
        put(make, left - 0.02 * atlas.scale, top - 0.02 * atlas.scale, 1.04 * atlas.scale, 1.04 * atlas.scale, (0, 0), (0.52, 0.52))
    for side, make in enumerate(getattr(module, "STICK_SIDES", ())):
        wide, high = board.STICK_PIXELS
        put(make, side * (wide + 4), atlas.sticks, wide, high, (0, 0), (1.0, 1.0 * high / wide))
    return picture, traits


def board_from(module, kit, side):
    """The board as seen from one side at the front."""
    inner = Kit("turned", HIGH, seed=3)
    module.detailed(inner)
    turn = Matrix.Rotation(side * np.pi / 2, 4, "Z")
    for key, (verts, faces, var, smooth) in inner.parts.items():
        kit.parts[key] = ([(turn @ Vector(v))[:] for v in verts], faces, var, smooth)


def light_squares(module, rules, atlas):
    """The squares of a rule set for the table."""
    mesh = board.Mesh()
    if hasattr(module, "light_squares"):
        module.light_squares(mesh, atlas.uv)
        module.light_lakes(mesh, atlas.uv)
        return mesh
    hx, hy = module.HALF
    for f, r, kind, source in module.squares(rules):
        x, y = f + 0.5 - hx, r + 0.5 - hy
        if isinstance(source, str):
            uv = lambda px, py, x=x, y=y, s=source: atlas.tile_uv(s, px - x, py - y)
        else:
            dx, dy = source[0] - f, source[1] - r
            uv = lambda px, py, dx=dx, dy=dy: atlas.uv(px + dx, py + dy)
        n = 3
        board.flat(mesh, "square_" + kind, x - 0.5, y - 0.5, x + 0.5, y + 0.5, 0.0, uv, n, n)
    return mesh


def game(name):
    started = time.time()
    module = importlib.import_module(name)
    atlas = board.Atlas(module.HALF, module.SPARE, hasattr(module, "STICK_SIDES"))
    says = lambda text: print(f"{name}: {text} ({time.time() - started:.0f} s)", flush=True)
    if "--meshes" not in sys.argv:
        picture, traits = atlas_picture(module, atlas)
        save(picture, f"{name}_board.webp", 82, traits[..., 0])
        says("board's picture")
        cloth_picture(module, name)
        says("cloth's picture")
    if "--pictures" not in sys.argv:
        meshes(name, module, atlas, says)


def meshes(name, module, atlas, says):
    """The glTF file and the shadows."""
    bake.clear()
    mats = module.materials()
    lamps = light.Lamps()
    rays = 12 if QUICK else 96
    writer = glb.Writer({"game": name, "lamps": light.LAMPS, "brightest": light.BRIGHTEST})
    counts = {}
    # The board with its cloth and the table, each in the others' shadow.
    squares = {rules: bake.to_object("squares_" + rules, light_squares(module, rules, atlas)) for rules in module.VARIANTS}
    frame = bake.to_object("frame", board.light_frame(atlas, module.HALF, 14))
    cloth = bake.to_object("cloth", board.cloth(module.HALF, **module.CLOTH))
    table = bake.to_object("ground", ground())
    first = next(iter(squares))
    traits_of = mean_colours(name, atlas, module)

    def finish(writer, group):
        rough, coat = module.FINISH.get(group, (0.3, 0.0))
        if group == "metal":
            return writer.material("metal", roughness=0.25, metallic=1.0)
        if group in traits_of or group.startswith(("square", "plot", "frame", "street", "quay", "lake")):
            return writer.material(group, roughness=0.35, extras={"texture": f"{name}_board.webp", "colour": traits_of.get(group)})
        if group.startswith("stick"):
            return writer.material(group, roughness=rough, extras={"texture": f"{name}_board.webp"})
        if group.startswith("cloth"):
            return writer.material("cloth", roughness=0.95, extras={"texture": f"{name}_cloth.webp"})
        return writer.material(group, roughness=rough, extras={"clearcoat": coat})

    def export(node, thing, group_of=lambda key: key):
        for other, it in squares.items():
            it.hide_render = it is not thing and not (thing not in squares.values() and other == first)
        lit = lamps.light(thing, rays)
        base = np.ones((len(thing.data.loops), 4), np.float32)
        if node == "cloth":
            for poly in thing.data.polygons:
                colour = thing.material_slots[poly.material_index].material.name.removeprefix("cloth") or module.CLOTH["colour"]
                base[list(poly.loop_indices), :3] = np.array(shaders.rgb(colour)[:3]) / shaders.WEAVE
        writer.node(node, bake.primitives(thing, lit, base, writer, finish, group_of))
        counts[node] = sum(len(p.vertices) - 2 for p in thing.data.polygons)

    export("frame", frame)
    for rules, thing in squares.items():
        export("squares_" + rules, thing)
    export("cloth", cloth, lambda key: "cloth")
    bake.remove([frame, cloth, table, *squares.values()])
    says("board's light")

    bowls = {name: make for name, (make, _) in getattr(module, "BOWLS", {}).items()}
    casters = [*module.PIECES.values(), *bowls.values(), *([module.stick_caster] if hasattr(module, "light_stick") else [])]
    shadows = np.concatenate([bake.shadow(make, mats, lamps, rays // 4) for make in casters], axis=1)
    Image.fromarray(np.round(shadows * 255).astype(np.uint8), "RGBA").save(os.path.join(OUT, f"{name}_shadows.png"), optimize=True)
    says("shadows")

    spot = bake.to_object("ground", ground(0.0, 6.0))
    for piece, make in (module.PIECES | bowls).items():
        kit = Kit(piece, LOW, seed=4)
        make(kit)
        made, counts[piece] = bake.lit_piece(piece, kit, mats, lamps, rays, writer, finish, module.METALS, module.TRANSLUCENT)
        writer.node(piece, made)
    if hasattr(module, "light_stick"):
        spot.location.z = -module.STICK_AXIS
        mesh = board.Mesh()
        module.light_stick(mesh, atlas.stick_uv)
        thing = bake.to_object("stick", mesh)
        # Its plain side is seen when it lies on the round one.
        lit = bake.lit_upside_down(thing, lamps, rays, {"stick_plain"}, module.STICK_RADIUS - 2 * module.STICK_AXIS)
        writer.node("stick", bake.primitives(thing, lit, np.ones((len(thing.data.loops), 4), np.float32), writer, finish))
        counts["stick"] = sum(len(p.vertices) - 2 for p in thing.data.polygons)
    says("pieces")
    writer.save(os.path.join(OUT, f"{name}.glb"))
    print(name, json.dumps(counts), {f: os.path.getsize(os.path.join(OUT, f)) for f in sorted(os.listdir(OUT)) if f.startswith(name)}, flush=True)


def ground(z=board.TABLE_Z - board.CLOTH_THICK, half=14.0):
    """A level plane that throws light back."""
    mesh = board.Mesh()
    board.flat(mesh, "ground", -half, -half, half, half, z, lambda x, y: (0, 0))
    return mesh


def mean_colours(name, atlas, module):
    """The mean linear colour of what takes a tint, by kind of square."""
    stored = np.asarray(Image.open(os.path.join(OUT, f"{name}_board.webp")).convert("RGBA"), np.float32) / 255.0
    picture, traits = stored[..., :3], stored[..., 3:]
    picture = np.where(picture <= 0.04045, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4)
    sums = {}
    scale = picture.shape[1] / atlas.width
    prefix = "plot_" if hasattr(module, "light_squares") else "square_"
    for f, r, kind, source in module.squares(module.VARIANTS[len(module.VARIANTS) // 2]):
        x, y = f + 0.5 - module.HALF[0], r + 0.5 - module.HALF[1]
        (u0, v1), (u1, v0) = atlas.uv(x - 0.4, y - 0.4), atlas.uv(x + 0.4, y + 0.4)
        rows = slice(int(v0 * atlas.height * scale), int(v1 * atlas.height * scale))
        columns = slice(int(u0 * atlas.width * scale), int(u1 * atlas.width * scale))
        weight = traits[rows, columns, :1]
        total, amount = sums.get(prefix + kind, (0.0, 0.0))
        sums[prefix + kind] = (total + (picture[rows, columns] * weight).sum((0, 1)), amount + weight.sum())
    return {kind: [round(float(c), 4) for c in total / max(amount, 1e-6)] for kind, (total, amount) in sums.items()}


def cloth_picture(module, name):
    """A piece of cloth that repeats, from the middle of a larger one."""
    bake.clear()
    mat = module.cloth_material()
    kit = Kit("cloth", HIGH)
    kit.box("cloth", -4, -4, 4, 4, -0.1, 0.0, 0.0, (0.5, 0.0, 0.5))
    kit.objects({"cloth": mat})
    shaders.show("picture")
    size = 128 if QUICK else 512
    period = board.CLOTH_PERIOD
    margin = 0.25
    wide = round(size * (period + margin) / period)
    rows = bake.picture((0, 0), ((period + margin) / 2,) * 2, wide, wide, 4 if QUICK else 16)
    save(tiled(rows, size), f"{name}_cloth.webp", 60)


def tiled(rows, size):
    """Blends the surplus of a picture over its other side, so that it repeats."""
    extra = rows.shape[0] - size
    fade = np.linspace(0.0, 1.0, extra)[:, None]
    out = rows[:, :size].copy()
    out[:, :extra] = rows[:, :extra] * fade[None, :, 0, None] + rows[:, size:] * (1 - fade[None, :, 0, None])
    final = out[:size].copy()
    final[:extra] = out[:extra] * fade[:, :, None] + out[size:] * (1 - fade[:, :, None])
    return final


if __name__ == "__main__":
    wanted = [arg for arg in sys.argv[1:] if not arg.startswith("-")] or [*GAMES, "room"]
    os.makedirs(OUT, exist_ok=True)
    for it in wanted:
        if it == "room":
            import rooms
            rooms.make(OUT, QUICK, save, [it for it, other in (("pictures", "--meshes"), ("meshes", "--pictures")) if other not in sys.argv])
        else:
            game(it)
