//! `tabulae-lab corpus`: games for programs that learn.

use std::fs;

use serde_json::Value;

use crate::common::program::{path_arg, succeed};

#[test]
fn the_file_does_not_depend_on_the_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let write = |threads: &str| {
        let path = folder.path().join(threads);
        let run = ["corpus", "--rules", "tablan", "--games", "3", "--nodes", "20", "--plies", "60"];
        let told = succeed(&[&run[..], &["--threads", threads, "--out", path_arg(&path)]].concat());
        assert!(told.contains("tablan, 3 games, "), "{told}");
        fs::read_to_string(path).unwrap()
    };
    let text = write("1");
    assert_eq!(text, write("3"));
    let games: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        games.iter().map(|game| game["game"].as_u64()).collect::<Vec<_>>(),
        [Some(1), Some(2), Some(3)]
    );
    for game in &games {
        let (plies, values) = (&game["plies"], &game["values"]);
        assert_eq!(plies.as_array().unwrap().len(), values.as_array().unwrap().len());
        let throws = plies.as_array().unwrap().iter().zip(values.as_array().unwrap());
        let throws = throws.filter(|(ply, _)| ply.as_str().unwrap().starts_with('t'));
        assert!(throws.clone().count() > 5 && throws.clone().all(|(_, value)| value.is_null()));
    }
}
