//! The test vectors' files, and their boards as our position texts.
#![allow(dead_code)]

use std::{fs, path::Path};

use serde_json::Value;

/// The cases of a JSON Lines file.
pub(crate) fn cases(file: &str) -> Vec<Value> {
    // In the root folder, also for the packages in `crates`.
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let path =
        folders.map(|folder| folder.join("tests/vectors").join(file)).find(|path| path.exists());
    let text = fs::read_to_string(path.expect(file)).unwrap();
    let cases: Vec<_> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!cases.is_empty(), "{file} has no case");
    cases
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

pub(crate) fn words(value: &Value) -> Vec<&str> {
    list(value).iter().map(text).collect()
}

/// Rows with a letter for each empty square, as rows with numbers for runs.
pub(crate) fn rows<'a>(rows: impl Iterator<Item = &'a str>, empty: char) -> String {
    let row = |row: &str| {
        let (mut text, mut run) = (String::new(), 0);
        for letter in row.chars().map(Some).chain([None]) {
            if letter == Some(empty) {
                run += 1;
                continue;
            }
            if run > 0 {
                text += &run.to_string();
                run = 0;
            }
            text.extend(letter);
        }
        text
    };
    rows.map(row).collect::<Vec<_>>().join("/")
}
