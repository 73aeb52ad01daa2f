//! The files that desktops read agree with each other, with the program and with
//! the records that it writes.

use std::{collections::BTreeMap, fs};

use tabulae_games::RuleSet;
use tabulae_records::read;

use crate::{ID, RECORD_TYPE, packaging, run_if_installed, text, tree, xml};

/// The keys and values of the desktop entry.
fn entry() -> BTreeMap<String, String> {
    let text = text(&format!("packaging/{ID}.desktop"));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("[Desktop Entry]"));
    let mut entry = BTreeMap::new();
    for line in lines {
        let (key, value) = line.split_once('=').expect(line);
        assert!(!value.is_empty(), "{line}");
        assert!(entry.insert(key.to_owned(), value.to_owned()).is_none(), "{key} stands once");
    }
    entry
}

/// The elements of the metainfo file.
fn metainfo() -> xml::Element {
    xml::parse(&text(&format!("packaging/{ID}.metainfo.xml")))
}

#[test]
fn the_desktop_entry_names_the_program_the_icon_and_the_window() {
    let entry = entry();
    for (key, value) in [
        ("Type", "Application"),
        // One file, not an address.
        ("Exec", "tabulae %f"),
        ("Icon", ID),
        ("StartupWMClass", ID),
        ("Terminal", "false"),
        ("MimeType", &format!("{RECORD_TYPE};")),
        ("Categories", "Game;BoardGame;"),
    ] {
        assert_eq!(entry.get(key).map(String::as_str), Some(value), "{key}");
    }
    for key in ["Name", "GenericName", "Comment", "Keywords"] {
        for key in [key.to_owned(), format!("{key}[it]")] {
            let value = entry.get(&key).unwrap_or_else(|| panic!("{key} is missing"));
            assert_eq!(value.ends_with(';'), key.starts_with("Keywords"), "{key}");
        }
    }
}

#[test]
fn the_window_has_the_id_of_the_desktop_entry() {
    // The app id on Wayland and the class on X11 are both set by this name.
    let (launch, platform) = (text("src/app/launch/mod.rs"), text("src/app/platform/mod.rs"));
    assert!(platform.contains(&format!("APP_ID: &str = \"{ID}\";")));
    assert!(launch.contains("name: Some(APP_ID.to_owned())"));
}

#[test]
fn the_metainfo_describes_the_desktop_entry_in_both_languages() {
    let (info, entry) = (metainfo(), entry());
    assert_eq!(
        (info.name.as_str(), info.attribute("type")),
        ("component", Some("desktop-application"))
    );
    let only = |name: &str| info.only(name, None).text.clone();
    assert_eq!(only("id"), ID);
    assert_eq!(only("launchable"), format!("{ID}.desktop"));
    assert_eq!(only("name"), entry["Name"]);
    assert_eq!(only("summary"), entry["Comment"]);
    assert_eq!(info.only("summary", Some("it")).text, entry["Comment[it]"]);
    let manifest: toml::Table = text("Cargo.toml").parse().unwrap();
    assert_eq!(
        Some(only("project_license").as_str()),
        manifest["workspace"]["package"]["license"].as_str()
    );
    let provides = info.only("provides", None);
    assert_eq!(provides.only("binary", None).text, "tabulae");
    assert_eq!(provides.only("mediatype", None).text, RECORD_TYPE);
    assert!(info.all("content_rating").count() == 1);
    // Every paragraph and every item is translated.
    let description = info.only("description", None);
    for (parent, name) in [(description, "p"), (description.only("ul", None), "li")] {
        let languages: Vec<_> = parent.all(name).map(|text| text.attribute("xml:lang")).collect();
        assert!(languages.len() >= 4, "{name}");
        assert!(languages.chunks(2).all(|pair| pair == [None, Some("it")]), "{name}");
        assert!(parent.all(name).all(|text| !text.text.is_empty()), "{name}");
    }
}

/// The (start, end) of the offsets and the value of each magic rule.
fn magic() -> Vec<(usize, usize, String)> {
    let mime = xml::parse(&text(&format!("packaging/{ID}.mime.xml")));
    assert_eq!(
        mime.attribute("xmlns"),
        Some("http://www.freedesktop.org/standards/shared-mime-info")
    );
    let record = mime.only("mime-type", None);
    assert_eq!(record.attribute("type"), Some(RECORD_TYPE));
    assert_eq!(record.only("sub-class-of", None).attribute("type"), Some("text/plain"));
    assert_ne!(record.only("comment", None).text, record.only("comment", Some("it")).text);
    // A glob would claim every .tab file, whatever is in it.
    assert_eq!(record.all("glob").count(), 0);
    let matches = record.all("magic").flat_map(|magic| magic.all("match"));
    let rules = matches.map(|rule| {
        assert_eq!(rule.attribute("type"), Some("string"));
        let offset = rule.attribute("offset").unwrap();
        let (from, to) = offset.split_once(':').unwrap_or((offset, offset));
        let value = rule.attribute("value").unwrap().replace("\\n", "\n");
        (from.parse().unwrap(), to.parse().unwrap(), value)
    });
    rules.collect()
}

/// Whether the rules find a record in this text.
fn is_record(text: &str) -> bool {
    magic().iter().any(|(from, to, value)| {
        (*from..=*to).any(|at| {
            text.as_bytes().get(at..).is_some_and(|rest| rest.starts_with(value.as_bytes()))
        })
    })
}

#[test]
fn records_are_known_by_their_content() {
    let mut seen = 0;
    for file in fs::read_dir(tree::root().join("tests/records/valid")).unwrap() {
        let path = file.unwrap().path();
        let Ok(records) = read(&tree::read(&path)) else { continue };
        for record in records {
            assert!(is_record(&record.to_string()), "{}", path.display());
            seen += 1;
        }
    }
    assert!(seen >= RuleSet::ALL.len(), "{seen} records");
    assert!(is_record("\u{feff}[Rules \"tablan\"]\n"), "after a byte order mark");
    assert!(is_record("[Event \"Cup\"]\r\n[Rules \"tablan\"]\r\n"), "after another tag");
    for other in ["", "a\tb\n1\t2\n", "[Event \"Cup\"]\n[White \"A\"]\n", "e|--0--2--[Rules"] {
        assert!(!is_record(other), "{other:?}");
    }
}

/// The desktops' own checks, where they are installed; the tests above hold the
/// essentials everywhere.
#[test]
fn the_desktop_files_pass_the_validators() {
    let path = |name: &str| packaging(&format!("{ID}.{name}")).to_str().unwrap().to_owned();
    let (desktop, info) = (path("desktop"), path("metainfo.xml"));
    if let Some(output) = run_if_installed("desktop-file-validate", &[&desktop]) {
        assert!(output.status.success() && output.stdout.is_empty(), "{output:?}");
    }
    if let Some(output) = run_if_installed("appstreamcli", &["validate", "--no-net", &info]) {
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    }
    let data = tempfile::tempdir().unwrap();
    fs::create_dir(data.path().join("packages")).unwrap();
    fs::copy(path("mime.xml"), data.path().join("packages").join(format!("{ID}.xml"))).unwrap();
    if let Some(output) = run_if_installed("update-mime-database", &[data.path().to_str().unwrap()])
    {
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && !errors.contains("rror"), "{errors}");
        let types = fs::read_to_string(data.path().join("types")).unwrap();
        assert_eq!(types.trim(), RECORD_TYPE);
    }
}
