"""Writes and reads binary glTF: meshes with named materials, colours and baked light."""
import json
import struct

import numpy as np

FLOAT, U16, U8 = 5126, 5123, 5121
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4"}


class Writer:
    """Collects named nodes."""

    def __init__(self, about):
        self.blob = bytearray()
        self.json = {"asset": {"version": "2.0", "generator": "tools/art", "extras": about}, "scene": 0,
                     "scenes": [{"nodes": []}], "nodes": [], "meshes": [], "materials": [], "accessors": [],
                     "bufferViews": [], "buffers": [{"byteLength": 0}]}

    def material(self, name, **values):
        """The index of a material, made at its first use."""
        for i, known in enumerate(self.json["materials"]):
            if known["name"] == name:
                return i
        rough, metal, extras = values.get("roughness", 0.5), values.get("metallic", 0.0), values.get("extras")
        made = {"name": name, "pbrMetallicRoughness": {"roughnessFactor": round(rough, 3), "metallicFactor": metal}}
        if extras:
            made["extras"] = extras
        self.json["materials"].append(made)
        return len(self.json["materials"]) - 1

    def accessor(self, array, kind, target, normalized=False):
        data = np.ascontiguousarray(array).tobytes()
        self.blob += b"\0" * (-len(self.blob) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.blob), "byteLength": len(data), "target": target})
        self.blob += data
        width = 1 if array.ndim == 1 else array.shape[1]
        made = {"bufferView": len(self.json["bufferViews"]) - 1, "componentType": kind, "count": len(array), "type": KINDS[width]}
        if normalized:
            made["normalized"] = True
        if kind == FLOAT and width == 3 and not normalized:
            made["min"], made["max"] = [[float(v) for v in f(array, axis=0)] for f in (np.min, np.max)]
        self.json["accessors"].append(made)
        return len(self.json["accessors"]) - 1

    def node(self, name, primitives=(), **more):
        """Adds a node; a primitive has position, normal, uv, colour (0 to 1), light (0 to 1),
        indices and material."""
        node = {"name": name, **more}
        if primitives:
            made = []
            for it in primitives:
                attributes = {"POSITION": self.accessor(it["position"].astype("<f4"), FLOAT, 34962),
                              "NORMAL": self.accessor(it["normal"].astype("<f4"), FLOAT, 34962)}
                if it.get("uv") is not None:
                    attributes["TEXCOORD_0"] = self.accessor(it["uv"].astype("<f4"), FLOAT, 34962)
                if it.get("colour") is not None:
                    attributes["COLOR_0"] = self.accessor(np.round(np.clip(it["colour"], 0, 1) * 65535).astype("<u2"), U16, 34962, True)
                if it.get("light") is not None:
                    attributes["_LIGHT"] = self.accessor(np.round(np.clip(it["light"], 0, 1) * 255).astype("u1"), U8, 34962, True)
                made.append({"attributes": attributes, "material": it["material"],
                             "indices": self.accessor(it["indices"].astype("<u2"), U16, 34963)})
            self.json["meshes"].append({"name": name, "primitives": made})
            node["mesh"] = len(self.json["meshes"]) - 1
        self.json["nodes"].append(node)
        self.json["scenes"][0]["nodes"].append(len(self.json["nodes"]) - 1)

    def save(self, path):
        self.blob += b"\0" * (-len(self.blob) % 4)
        self.json["buffers"][0]["byteLength"] = len(self.blob)
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        with open(path, "wb") as file:
            file.write(struct.pack("<4sII", b"glTF", 2, 12 + 8 + len(text) + 8 + len(self.blob)))
            file.write(struct.pack("<I4s", len(text), b"JSON") + text)
            file.write(struct.pack("<I4s", len(self.blob), b"BIN\0") + self.blob)
