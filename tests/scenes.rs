//! The scenes in `assets/scenes`: what `tools/art` made is what the program will look for.

use std::collections::BTreeMap;

use serde_json::Value;

#[path = "common/tree.rs"]
mod tree;

/// What a game's file holds: nodes with the most triangles that they may have.
type Nodes = &'static [(&'static str, u64)];

/// A board and its parts may have 6,000 triangles in all, a piece 2,000.
const GAMES: [(&str, Nodes); 3] = [
    (
        "tablut",
        &[
            ("frame", 1_600),
            ("squares_berkeley", 1_600),
            ("squares_ashton", 1_600),
            ("squares_linnaeus", 1_600),
            ("cloth", 2_700),
            ("piece_king", 2_000),
            ("piece_soldier_white", 2_000),
            ("piece_soldier_black", 2_000),
        ],
    ),
    (
        "tablan",
        &[
            ("frame", 1_600),
            ("squares_tablan", 1_600),
            ("cloth", 2_700),
            ("piece_runner_south", 2_000),
            ("piece_runner_north", 2_000),
            ("stick", 600),
        ],
    ),
    (
        "tablaaza",
        &[
            ("frame", 1_600),
            ("squares_tablaaza", 3_000),
            ("cloth", 2_000),
            ("piece_stone_red", 2_000),
            ("piece_stone_green", 2_000),
            ("piece_pavilion_red", 2_000),
            ("piece_pavilion_green", 2_000),
            ("bowl_red", 2_000),
            ("bowl_green", 2_000),
        ],
    ),
];

const ROOM: Nodes = &[("table_study", 2_000), ("table_cabin", 2_000), ("dome", 1_400)];

/// The pictures beside the meshes.
const PICTURES: [&str; 15] = [
    "tablut_board.webp",
    "tablut_cloth.webp",
    "tablut_shadows.png",
    "tablan_board.webp",
    "tablan_cloth.webp",
    "tablan_shadows.png",
    "tablaaza_board.webp",
    "tablaaza_cloth.webp",
    "tablaaza_shadows.png",
    "study_planks.webp",
    "study_panorama.webp",
    "study_sheen.webp",
    "cabin_planks.webp",
    "cabin_panorama.webp",
    "cabin_sheen.webp",
];

/// All files together.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

fn bytes(name: &str) -> Vec<u8> {
    let path = tree::root().join("assets/scenes").join(name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The JSON part of a binary glTF file.
fn gltf(name: &str) -> Value {
    let bytes = bytes(name);
    let number = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], number(4)), (&b"glTF"[..], 2), "{name}");
    assert_eq!(number(8), bytes.len(), "{name} is cut off");
    serde_json::from_slice(&bytes[20..20 + number(12)]).unwrap()
}

/// The primitives of a file's nodes.
fn primitives(file: &Value) -> BTreeMap<&str, &Vec<Value>> {
    let nodes = file["nodes"].as_array().unwrap().iter();
    let meshes = nodes.map(|node| {
        let mesh = node["mesh"].as_u64().unwrap() as usize;
        (node["name"].as_str().unwrap(), file["meshes"][mesh]["primitives"].as_array().unwrap())
    });
    meshes.collect()
}

fn accessor<'a>(file: &'a Value, index: &Value) -> &'a Value {
    &file["accessors"][index.as_u64().unwrap() as usize]
}

/// How high a node reaches, and how far from its middle.
fn extent(file: &Value, parts: &[Value]) -> (f64, f64) {
    let (mut top, mut reach) = (f64::MIN, 0.0_f64);
    for part in parts {
        let place = accessor(file, &part["attributes"]["POSITION"]);
        for end in ["min", "max"] {
            let [x, y, z] = [0, 1, 2].map(|axis| place[end][axis].as_f64().unwrap());
            top = top.max(y);
            reach = reach.max(x.abs()).max(z.abs());
        }
    }
    (top, reach)
}

#[test]
fn every_node_is_there_with_its_light_and_few_triangles() {
    let files = GAMES.into_iter().chain([("room", ROOM)]);
    for (name, expected) in files {
        let file = gltf(&format!("{name}.glb"));
        let nodes = primitives(&file);
        let found: Vec<_> = nodes.keys().copied().collect();
        let mut names: Vec<_> = expected.iter().map(|piece| piece.0).collect();
        names.sort_unstable();
        assert_eq!(found, names, "{name}");
        for &(node, most) in expected {
            let parts = nodes[node];
            let indices =
                parts.iter().map(|part| accessor(&file, &part["indices"])["count"].as_u64());
            let triangles = indices.map(Option::unwrap).sum::<u64>() / 3;
            assert!((1..=most).contains(&triangles), "{name}, {node}: {triangles} triangles");
            for part in parts {
                let attributes = &part["attributes"];
                for wanted in ["POSITION", "NORMAL", "TEXCOORD_0"] {
                    assert!(attributes[wanted].is_u64(), "{name}, {node} has no {wanted}");
                }
                assert!(attributes["_LIGHT"].is_u64() || node == "dome", "{name}, {node}");
            }
        }
    }
}

/// One square is one unit; the tops of the squares lie at 0, the table at -0.36.
#[test]
fn everything_has_its_place_and_size() {
    for (name, expected) in GAMES {
        let file = gltf(&format!("{name}.glb"));
        let nodes = primitives(&file);
        let near = |value: f64, wanted: f64| (value - wanted).abs() < 1e-3;
        for &(node, _) in expected {
            let (top, reach) = extent(&file, nodes[node]);
            match node.split('_').next().unwrap() {
                "frame" => assert!(near(top, 0.035), "{name}: {top}"),
                "squares" => assert!((0.0..0.02).contains(&top), "{name}, {node}: {top}"),
                "cloth" => assert!(near(top, -0.36), "{name}: {top}"),
                "stick" => {
                    assert!((0.06..0.10).contains(&top) && near(reach, 0.85), "{top} {reach}");
                }
                "bowl" => {
                    assert!(reach < 0.88, "{name}, {node}: {reach}");
                    assert!((0.15..0.5).contains(&top), "{name}, {node}: {top}");
                }
                _ => {
                    assert!(reach < 0.44, "{name}, {node} leaves its square: {reach}");
                    assert!((0.2..0.97).contains(&top), "{name}, {node}: {top}");
                }
            }
        }
    }
}

#[test]
fn materials_name_their_pictures_and_colours() {
    for (name, expected) in GAMES {
        let file = gltf(&format!("{name}.glb"));
        let materials = file["materials"].as_array().unwrap();
        for material in materials {
            let (known, extras) = (material["name"].as_str().unwrap(), &material["extras"]);
            if let Some(texture) = extras["texture"].as_str() {
                assert!(PICTURES.contains(&texture), "{name}, {known}: {texture}");
            } else {
                let is_piece = expected.iter().any(|piece| piece.0 == known);
                assert!(known == "metal" || is_piece, "{name}, {known} has no picture");
            }
            if known.starts_with("square_") || known.starts_with("plot_") {
                // A palette's tint starts from it.
                let colour = extras["colour"].as_array().unwrap();
                let is_share =
                    |value: &Value| value.as_f64().is_some_and(|share| (0.0..1.0).contains(&share));
                assert!(colour.len() == 3 && colour.iter().all(is_share), "{name}, {known}");
            }
        }
    }
}

#[test]
fn all_files_are_known_and_small() {
    let folder = tree::root().join("assets/scenes");
    let mut expected: Vec<String> = PICTURES.map(str::to_owned).to_vec();
    expected.extend(GAMES.map(|game| format!("{}.glb", game.0)));
    expected.push("room.glb".to_owned());
    expected.sort();
    let mut sum = 0;
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        sum += entry.metadata().unwrap().len();
        found.push(entry.file_name().into_string().unwrap());
    }
    found.sort();
    assert_eq!(found, expected);
    assert!(sum <= MOST_BYTES, "{sum} bytes");
    for name in PICTURES {
        let bytes = bytes(name);
        let is_webp = bytes.starts_with(b"RIFF") && &bytes[8..12] == b"WEBP";
        let is_png = bytes.starts_with(b"\x89PNG\r\n");
        let expected = if name.ends_with(".webp") { is_webp } else { is_png };
        assert!(expected, "{name} is not what its name says");
    }
}
