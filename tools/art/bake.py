"""From modelled parts to what the program loads: meshes with light, pictures from above."""
import os
import tempfile

import bpy
import numpy as np

import light
import shaders


def engine():
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.use_adaptive_sampling = False
    scene.cycles.use_denoising = False
    scene.cycles.max_bounces, scene.cycles.diffuse_bounces, scene.cycles.glossy_bounces = 3, 2, 1
    scene.cycles.caustics_reflective = scene.cycles.caustics_refractive = False
    scene.render.threads_mode, scene.render.threads = "FIXED", 2
    scene.view_settings.view_transform = "Standard"
    scene.render.film_transparent = False


def clear():
    """An empty scene."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    engine()


def remove(things):
    for thing in things:
        bpy.data.objects.remove(thing)


def join(things, name):
    bpy.ops.object.select_all(action="DESELECT")
    for thing in things:
        thing.select_set(True)
    bpy.context.view_layer.objects.active = things[0]
    if len(things) > 1:
        bpy.ops.object.join()
    bpy.context.object.name = name
    return bpy.context.object


def to_object(name, mesh):
    """A `board.Mesh` as an object; corners at the same place become one vertex, so that
    normals are smooth."""
    places, index, faces = {}, [], []
    for at in mesh.verts:
        index.append(places.setdefault(tuple(round(c, 5) for c in at), len(places)))
    faces = [[index[i] for i in face] for face in mesh.faces]
    made = bpy.data.meshes.new(name)
    made.from_pydata(list(places), [], faces)
    groups = sorted(set(mesh.groups))
    for group in groups:
        material = bpy.data.materials.get(group) or bpy.data.materials.new(group)
        made.materials.append(material)
    made.polygons.foreach_set("material_index", [groups.index(group) for group in mesh.groups])
    made.polygons.foreach_set("use_smooth", mesh.smooth)
    if any(mesh.smooth):
        made.set_sharp_from_angle(angle=np.radians(40))
    layer = made.uv_layers.new(name="UVMap")
    layer.data.foreach_set("uv", [c for uvs in mesh.uvs for uv in uvs for c in uv])
    thing = bpy.data.objects.new(name, made)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def primitives(thing, lit, base, writer, finish, group_of=lambda key: key, uv=None):
    """An object's triangles by group of materials. `lit` and `base` are colours of corners;
    `finish` gives a group's glTF material."""
    mesh = thing.data
    mesh.calc_loop_triangles()
    corner = np.empty(len(mesh.loop_triangles) * 3, np.int32)
    mesh.loop_triangles.foreach_get("loops", corner)
    owner = np.empty(len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("material_index", owner)
    vertex = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", vertex)
    at = np.empty(len(mesh.vertices) * 3, np.float32)
    mesh.vertices.foreach_get("co", at)
    at = at.reshape(-1, 3)[vertex]
    normal = np.empty(len(mesh.loops) * 3, np.float32)
    mesh.corner_normals.foreach_get("vector", normal)
    normal = normal.reshape(-1, 3)
    if uv is None and mesh.uv_layers:
        uv = np.empty(len(mesh.loops) * 2, np.float32)
        mesh.uv_layers[0].data.foreach_get("uv", uv)
        uv = uv.reshape(-1, 2)
    group_names = [group_of(slot.material.name if slot.material else "none") for slot in thing.material_slots]
    slot_of = np.empty(len(mesh.loops), np.int32)
    slot_of[corner] = np.repeat(owner, 3)
    # Corners of one vertex with one normal and one material get the mean of what was baked.
    key = np.column_stack([vertex, slot_of, np.round(normal * 50).astype(np.int32)])
    _, same = np.unique(key, axis=0, return_inverse=True)
    same = same.reshape(-1)
    count = np.bincount(same).astype(np.float32)

    def mean(values):
        return np.column_stack([np.bincount(same, values[:, c]) / count for c in range(values.shape[1])])[same]

    lit = light.stored(mean(lit))
    dark = float((lit.max(axis=1) < 0.02).mean())
    if dark > 0.35:
        print(f"{thing.name}: {dark:.0%} of its corners lie in the dark; are faces inside out?", flush=True)
    base = mean(base) if base is not None else None
    made = []
    for group in dict.fromkeys(group_names):
        members = [i for i, name in enumerate(group_names) if name == group]
        triangles = corner.reshape(-1, 3)[np.isin(owner, members)]
        if not len(triangles):
            continue
        used = triangles.reshape(-1)
        columns = [np.round(at[used] * 1e5), np.round(normal[used] * 1e3), np.round(lit[used] * 255)]
        if uv is not None:
            columns.append(np.round(uv[used] * 1e5))
        if base is not None:
            columns.append(np.round(base[used] * 2000))
        _, first, index = np.unique(np.column_stack(columns), axis=0, return_index=True, return_inverse=True)
        pick = used[first]
        # Blender's z is up; glTF's y is.
        up = lambda v: np.column_stack([v[:, 0], v[:, 2], -v[:, 1]])
        made.append({"position": up(at[pick]), "normal": up(normal[pick]), "light": lit[pick],
                     "uv": uv[pick] if uv is not None else None, "colour": base[pick] if base is not None else None,
                     "indices": whole(index), "material": finish(writer, group)})
    return made


def whole(index):
    """Triangles without those that have shrunk to a line."""
    t = index.reshape(-1, 3)
    return t[(t[:, 0] != t[:, 1]) & (t[:, 1] != t[:, 2]) & (t[:, 2] != t[:, 0])].reshape(-1)


def picture(centre, reach, width, height, samples, denoise=False, front=False, camera=None):
    """A linear picture, rows from the top, of `reach` round a point: straight from above, or
    from the front."""
    scene = bpy.context.scene
    if camera is None:
        cam = bpy.data.cameras.new("eye")
        cam.type, cam.ortho_scale = "ORTHO", 2 * max(reach[0], reach[1])
        camera = bpy.data.objects.new("eye", cam)
        camera.location = (centre[0], centre[1], 8.0)
        if front:
            camera.location = (centre[0], -30.0, centre[1])
            camera.rotation_euler = (np.pi / 2, 0, 0)
        scene.collection.objects.link(camera)
    scene.camera = camera
    scene.cycles.samples, scene.cycles.use_denoising = samples, denoise
    scene.render.resolution_x, scene.render.resolution_y = width, height
    scene.render.resolution_percentage = 100
    scene.render.image_settings.file_format = "OPEN_EXR"
    scene.render.image_settings.color_depth = "32"
    path = os.path.join(tempfile.gettempdir(), f"tabulae-art-{os.getpid()}.exr")
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)
    image = bpy.data.images.load(path)
    data = np.empty(width * height * 4, np.float32)
    image.pixels.foreach_get(data)
    bpy.data.images.remove(image)
    os.remove(path)
    bpy.data.objects.remove(camera)
    return data.reshape(height, width, 4)[::-1, :, :3].copy()


def srgb(linear):
    """Linear values as bytes."""
    v = np.clip(linear, 0, 1)
    v = np.where(v <= 0.0031308, v * 12.92, 1.055 * v ** (1 / 2.4) - 0.055)
    return np.round(v * 255).astype(np.uint8)


def piece_uv(thing):
    """Texture coordinates round the axis, for a piece's grain: once round is 2, a height of 1 is 1."""
    mesh = thing.data
    at = np.array([mesh.vertices[loop.vertex_index].co[:] for loop in mesh.loops], np.float32)
    u = np.arctan2(at[:, 1], at[:, 0]) / np.pi
    for poly in mesh.polygons:
        loops = list(poly.loop_indices)
        if max(u[loops]) - min(u[loops]) > 1.0:
            for i in loops:
                if u[i] < 0:
                    u[i] += 2.0
    return np.column_stack([u, 1.0 - at[:, 2]]).astype(np.float32)


def with_colour(finish, mean):
    """Also says the mean colour of what takes a tint."""
    def inner(writer, group):
        index = finish(writer, group)
        if group != "metal" and mean is not None:
            extras = writer.json["materials"][index].setdefault("extras", {})
            extras.setdefault("colour", [round(float(c), 4) for c in mean])
        return index
    return inner


def lit_upside_down(thing, lamps, samples, flip, floor):
    """The light on an object whose materials in `flip` are lit as if it lay upside down."""
    lit = lamps.light(thing, samples)
    thing.rotation_euler.x, thing.location.z = np.pi, floor
    bpy.context.view_layer.update()
    other = lamps.light(thing, samples)
    flipped = {i for i, slot in enumerate(thing.material_slots) if slot.material.name in flip}
    for poly in thing.data.polygons:
        if poly.material_index in flipped:
            lit[list(poly.loop_indices)] = other[list(poly.loop_indices)]
    return lit


GLOW = np.array((1.0, 0.80, 0.56))
"""What is left of white light that has gone through antler, bone or marble."""


def shine_through(thing, materials, lit, base):
    """Light goes on within these materials: their dark side is brighter, and warm. Thin parts,
    which lie high, let more through."""
    keys = [slot.material.name for slot in thing.material_slots]
    corners = [i for poly in thing.data.polygons if keys[poly.material_index] in materials for i in poly.loop_indices]
    if not corners:
        return
    at = np.array([thing.data.vertices[thing.data.loops[i].vertex_index].co[2] for i in corners])
    thin = (0.6 + 0.4 * at / max(at.max(), 1e-6))[:, None]
    own = lit[corners]
    bright = np.percentile(own, 92, axis=0)
    within = np.maximum(bright - own, 0.0)
    lit[corners] = own + 0.26 * thin * within
    # What the sun and the fire do not reach directly.
    hidden = (within / np.maximum(bright, 1e-6))[:, 1:3].mean(axis=1, keepdims=True)
    base[corners, :3] *= 1.0 - 0.55 * thin * hidden * (1.0 - GLOW)


def lit_piece(name, kit, mats, lamps, samples, writer, finish, metals, translucent):
    """A node's primitives: a piece on its own, with base colour and light in its vertices."""
    thing = join(kit.objects(mats), name)
    shaders.show("traits")
    traits = light.corner_colours(thing, "EMIT", 2)
    shaders.show("base")
    base = light.corner_colours(thing, "EMIT", 6)
    base[:, 3] = traits[:, 0]
    shaders.show("lit")
    lit = lamps.light(thing, samples)
    shine_through(thing, translucent, lit, base)
    takes = base[:, 3] > 0.5
    mean = base[takes, :3].mean(axis=0) if takes.any() else None
    finish = with_colour(finish, mean)
    made = primitives(thing, lit, base, writer, finish, lambda key: "metal" if key in metals else name, piece_uv(thing))
    count = sum(len(p.vertices) - 2 for p in thing.data.polygons)
    bpy.data.objects.remove(thing)
    return made, count


SHADOW = 64
"""Width of a shadow's picture in pixels; it reaches one unit round the foot."""


def shadow(make, mats, lamps, samples):
    """What a piece takes from each lamp on the ground round it: (rows from the far side,
    columns, lamps), from 0 to 1."""
    import board
    import shapes

    n = SHADOW
    ground = board.Mesh()
    board.flat(ground, "ground", -1.0, -1.0, 1.0, 1.0, 0.0, lambda x, y: (0, 0), n, n)
    plane = to_object("ground", ground)
    for bar in lamps.bars:
        bar.hide_render = True

    def lit():
        corners = lamps.light(plane, samples)
        cells = corners.reshape(n * n, 4, -1).mean(axis=1)
        return cells.reshape(n, n, -1).transpose(1, 0, 2)[::-1]

    kit = shapes.Kit("caster", shapes.LOW, seed=4)
    make(kit)
    bare = np.maximum(np.median(lit().reshape(n * n, -1), axis=0), 1e-4)
    things = kit.objects(mats)
    taken = np.clip(1.0 - lit() / bare, 0.0, 1.0)
    remove([plane, *things])
    for bar in lamps.bars:
        bar.hide_render = False
    # Smooth, and nothing at the edge.
    p = np.pad(taken, ((1, 1), (1, 1), (0, 0)), "edge")
    taken = sum(p[i:i + n, j:j + n] for i in range(3) for j in range(3)) / 9
    yy, xx = np.mgrid[-1:1:n * 1j, -1:1:n * 1j]
    fade = np.clip((1.0 - np.maximum(abs(xx), abs(yy))) / 0.25, 0, 1)[..., None]
    taken = np.clip(taken - 0.02, 0, 1) * fade
    # Where the thing touches the ground a soft seam ties it to it.
    seam = (taken[..., light.LAMPS.index("room")] > 0.5).astype(np.float32)
    for _ in range(3):
        p = np.pad(seam, 3)
        seam = sum(p[i:i + n, j:j + n] for i in range(7) for j in range(7)) / 49
    taken = 1.0 - (1.0 - taken) * (1.0 - 0.62 * np.clip(1.7 * seam, 0, 1) * fade[..., 0])[..., None]
    # The fire is so wide and low that nothing would seem to stand in its light.
    fire = light.LAMPS.index("fire")
    taken[..., fire] = 1.0 - (1.0 - taken[..., fire]) ** 3.0
    return taken
