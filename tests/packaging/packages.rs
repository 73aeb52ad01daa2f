//! The descriptions of the packages, in `Cargo.toml` and `packaging`.

use crate::{ID, packaging, text, tree, xml};

fn manifest() -> toml::Table {
    text("Cargo.toml").parse().unwrap()
}

/// The Debian packages that playing requires, by tools/system-packages.sh: those of
/// the libraries themselves, and for each library to build with, its own.
fn libraries() -> Vec<String> {
    let script = text("tools/system-packages.sh");
    let list = script.split("dpkg-query").nth(1).unwrap().split("wanted=\"").nth(1).unwrap();
    let wanted = list.split('"').next().unwrap().split_whitespace();
    let with_headers = |name: &str| match name {
        "libc6-dev" => Some("$auto"),
        "libasound2-dev" => Some("libasound2"),
        "libudev-dev" => Some("libudev1"),
        "libwayland-dev" => Some("libwayland-client0"),
        "libxkbcommon-dev" => Some("libxkbcommon0"),
        _ if name.ends_with("-dev") => panic!("which library is {name}?"),
        _ => None,
    };
    let libraries = wanted.filter(|name| name.starts_with("lib"));
    libraries.map(|name| with_headers(name).unwrap_or(name).to_owned()).collect()
}

#[test]
fn the_deb_depends_on_every_library_that_playing_needs() {
    let manifest = manifest();
    let deb = &manifest["package"]["metadata"]["deb"];
    let depends: Vec<_> = deb["depends"].as_str().unwrap().split(", ").collect();
    let libraries = libraries();
    assert!(libraries.len() >= 12, "{libraries:?}");
    for library in &libraries {
        assert!(depends.contains(&library.as_str()), "{library}");
    }
    assert_eq!(depends.len(), libraries.len(), "{depends:?}");
    assert!(deb["recommends"].as_str().unwrap().starts_with("mesa-vulkan-drivers"));
}

#[test]
fn the_rpm_requires_the_same_libraries() {
    let manifest = manifest();
    let requires = &manifest["package"]["metadata"]["generate-rpm"]["requires"];
    let required = requires.as_table().unwrap().keys();
    // Debian's libx11-6 is libX11.so.6.
    let mut required: Vec<_> = required
        .map(|name| name.strip_suffix("()(64bit)").expect(name).to_lowercase().replace(".so.", ""))
        .map(|name| name.replace('-', ""))
        .collect();
    let mut libraries = libraries();
    libraries.retain(|name| name != "$auto");
    let mut libraries: Vec<_> = libraries.iter().map(|name| name.replace('-', "")).collect();
    required.sort();
    libraries.sort();
    assert_eq!(required, libraries);
}

/// Both packages hold the tree that tools/dist.sh makes, which `make install-files`
/// fills.
#[test]
fn the_packages_hold_the_installed_files() {
    let manifest = manifest();
    let metadata = &manifest["package"]["metadata"];
    let deb = metadata["deb"]["assets"].as_array().unwrap().iter();
    let deb: Vec<_> =
        deb.map(|asset| (asset[0].as_str(), asset[1].as_str(), asset[2].as_str())).collect();
    let (program, share) = ("packages/tree/usr/bin/tabulae", "packages/tree/usr/share/**/*");
    let zsh = "packages/tree/usr/share/zsh/site-functions/*";
    assert_eq!(
        deb,
        [
            (Some(program), Some("usr/bin/"), Some("755")),
            (Some(share), Some("usr/share/"), Some("644")),
            // Where Debian's zsh looks.
            (Some(zsh), Some("usr/share/zsh/vendor-completions/"), Some("644")),
        ]
    );
    let rpm = metadata["generate-rpm"]["assets"].as_array().unwrap().iter();
    let rpm =
        rpm.map(|asset| (asset["source"].as_str(), asset["dest"].as_str(), asset["mode"].as_str()));
    assert_eq!(
        rpm.collect::<Vec<_>>(),
        [
            (Some(program), Some("/usr/bin/tabulae"), Some("755")),
            (Some(share), Some("/usr/share/"), Some("644")),
        ]
    );
    let script = text("tools/dist.sh");
    assert!(script.contains("out=packages\n") && script.contains("tree=$PWD/$out/tree\n"));
    // With the licences, of the fonts in the program, too.
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "CHANGELOG.md", "README.md"]
        .into_iter()
        .chain(["assets/CREDITS.md", "assets/fonts/OFL-Cabin.txt"])
        .chain(["assets/fonts/OFL-EBGaramond.txt", "assets/fonts/OFL-Inter.txt"])
    {
        assert!(script.contains(name) && tree::root().join(name).is_file(), "{name}");
    }
}

#[test]
fn the_packages_are_built_with_their_own_profile() {
    let manifest = manifest();
    let profile = &manifest["profile"]["dist"];
    assert_eq!(profile["inherits"].as_str(), Some("release"));
    assert_eq!(profile["strip"].as_bool(), Some(true));
    for path in ["tools/dist.sh", "tools/dist-windows.sh", ".github/workflows/release.yml"] {
        assert!(text(path).contains("--profile dist"), "{path}");
    }
}

/// The archive for Windows, which both the workflow and MinGW make.
#[test]
fn the_windows_archive_holds_both_programs_and_all_licences() {
    let script = text("tools/dist-windows.sh");
    assert!(text(".github/workflows/release.yml").contains("run: sh tools/dist-windows.sh\n"));
    for part in ["/tabulae.exe\" \"$folder/bin\"", "/play-tabulae.exe\" \"$folder\""] {
        assert!(script.contains(part), "{part}");
    }
    for name in ["LICENSE-APACHE", "LICENSE-MIT", "assets/CREDITS.md"].into_iter().chain([
        "assets/fonts/OFL-Cabin.txt",
        "assets/fonts/OFL-EBGaramond.txt",
        "assets/fonts/OFL-Inter.txt",
    ]) {
        assert!(script.contains(name), "{name}");
    }
    // The launcher starts the program where the script puts it.
    assert!(
        text("packaging/windows/launcher.rs").contains(r#"folder.join("bin").join("tabulae")"#)
    );
    // The file type opens with the launcher, and can be removed again.
    let records = text("packaging/windows/open-records.cmd");
    assert!(script.contains("packaging/windows/open-records.cmd"));
    assert!(records.contains(r#"/d "\"%~dp0play-tabulae.exe\" \"%%1\"""#), "{records}");
    assert_eq!(records.matches("Tabulae.Record").count(), 6);
    assert_eq!(records.matches("reg delete").count(), 2);
}

/// `cargo binstall` finds the archives by the names that they are given.
#[test]
fn binstall_knows_the_names_of_the_archives() {
    let manifest = manifest();
    let binstall = &manifest["package"]["metadata"]["binstall"];
    let url = binstall["pkg-url"].as_str().unwrap();
    assert!(url.ends_with("/v{ version }/tabulae-{ version }-{ target }.tar.gz"), "{url}");
    assert!(text("tools/dist.sh").contains("name=tabulae-$version-$target\n"));
    // Built on Windows, and with MinGW.
    for target in ["x86_64-pc-windows-msvc", "x86_64-pc-windows-gnu"] {
        let windows = &binstall["overrides"][target]["pkg-url"];
        assert!(windows.as_str().unwrap().ends_with("/tabulae-{ version }-{ target }.zip"));
    }
    assert!(text("tools/dist-windows.sh").contains("name=tabulae-$version-$target\n"));
    assert!(text("packaging/macos/bundle.sh").contains("name=tabulae-$version-$(rustc -vV"));
    let folder = binstall["bin-dir"].as_str().unwrap();
    assert_eq!(folder, "tabulae-{ version }-{ target }/bin/{ bin }{ binary-ext }");
}

#[test]
fn the_macos_application_has_the_id_and_starts_the_program() {
    let info = xml::parse(&text("packaging/macos/Info.plist"));
    let info = info.only("dict", None);
    let script = text("packaging/macos/bundle.sh");
    for (key, value) in [
        ("CFBundleIdentifier", ID),
        ("CFBundleExecutable", "tabulae"),
        ("CFBundleIconFile", "Tabulae.icns"),
        ("CFBundlePackageType", "APPL"),
        // Replaced by bundle.sh.
        ("CFBundleShortVersionString", "VERSION"),
        ("CFBundleVersion", "VERSION"),
    ] {
        let mut pairs = info.children.chunks(2).filter(|pair| pair[0].text == key);
        assert_eq!(pairs.next().map(|pair| pair[1].text.as_str()), Some(value), "{key}");
    }
    assert!(info.children.len().is_multiple_of(2));
    assert!(info.children.chunks(2).all(|pair| pair[0].name == "key"));
    for part in ["Contents", "s|VERSION|$version|", "MacOS/tabulae", "Resources/Tabulae.icns"] {
        assert!(script.contains(part), "{part}");
    }
}

#[test]
fn the_flatpak_builds_and_installs_what_the_packages_hold() {
    let name = format!("flatpak/{ID}.yml");
    let manifest = text(&format!("packaging/{name}"));
    let has = |line: &str| {
        manifest.lines().any(|other| other.trim_start().trim_start_matches("- ") == line)
    };
    for line in [
        &format!("id: {ID}"),
        "command: tabulae",
        // Windows, sound and the graphics card.
        "--socket=wayland",
        "--socket=fallback-x11",
        "--socket=pulseaudio",
        "--device=dri",
        "cargo build --locked --profile dist --bin tabulae",
        "make install-files PREFIX=/app PROGRAM=/app/bin/tabulae EXEC=tabulae",
    ] {
        assert!(has(line), "{line}");
    }
    // It leaves a folder where it runs.
    let folder = tempfile::tempdir().unwrap();
    let mut builder = std::process::Command::new("flatpak-builder");
    let builder = builder.current_dir(&folder).arg("--show-manifest").arg(packaging(&name));
    match builder.output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        Err(_) => println!("not checked by flatpak-builder, which is not installed"),
    }
}
