//! Letters that the game's own fonts lack come from the fonts of the system.
//!
//! They are looked for in the background, and only once such a letter is drawn. Without a
//! font that has it, egui draws its sign for an unknown letter. egui joins the letters of a
//! word, but writes each line from the left.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
};

use bevy::tasks::{AsyncComputeTaskPool, Task, block_on, futures_lite::future};
use bevy_egui::{
    EguiContext, EguiFullOutput, EguiPostUpdateSet, PrimaryEguiContext,
    egui::{FontData, epaint::ClippedShape},
};
use fontdb::{Database, FaceInfo, Style, Weight};
use skrifa::{FontRef, MetadataProvider as _};

use super::theme::NamedFont;
use crate::{app::ui::prelude::*, engines::wake};

/// The last letter of Unicode's block Latin Extended-B: the game's own fonts have these.
const LAST_OWN_LETTER: char = '\u{24f}';

/// The most fonts that one search adds: a name has letters of one or two scripts.
const MAX_FONTS: usize = 4;

/// The most fonts that are added in all: each takes memory.
const MAX_ADDED: usize = 16;

/// When the search is looked at although it has not woken the event loop.
const SEARCH_INTERVAL: Duration = Duration::from_secs(1);

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FallbackFonts>().add_systems(
        PostUpdate,
        (note_missing_letters, search)
            .chain()
            .after(EguiPostUpdateSet::EndPass)
            .before(EguiPostUpdateSet::ProcessOutput),
    );
}

/// The fonts that were added, and what is still looked for.
#[derive(Resource, Default)]
struct FallbackFonts {
    /// The letters of other scripts that were drawn.
    drawn: HashSet<char>,
    /// Those of them that no font has, and that are still to be looked for.
    missing: BTreeSet<char>,
    /// The system's fonts, once they are known.
    database: Option<Database>,
    search: Option<Task<(Database, Vec<NamedFont>)>>,
    added: Vec<NamedFont>,
    /// Whether the missing letters were noted before the last fonts were added.
    are_new: bool,
}

fn note_missing_letters(
    mut contexts: Query<(&mut EguiContext, &EguiFullOutput), With<PrimaryEguiContext>>,
    mut fonts: ResMut<FallbackFonts>,
) {
    let fonts = fonts.bypass_change_detection();
    for (mut context, output) in &mut contexts {
        let Some(output) = &output.0 else { continue };
        let mut new = BTreeSet::new();
        add_letters(output.shapes.iter().map(|ClippedShape { shape, .. }| shape), &mut |letter| {
            if fonts.drawn.insert(letter) {
                new.insert(letter);
            }
        });
        if !new.is_empty() {
            fonts.missing.extend(missing(context.get_mut(), new));
        }
    }
}

/// Passes on the letters of other scripts in the texts of these shapes.
fn add_letters<'a>(shapes: impl Iterator<Item = &'a Shape>, add: &mut impl FnMut(char)) {
    for shape in shapes {
        match shape {
            Shape::Vec(inner) => add_letters(inner.iter(), add),
            Shape::Text(text) if !text.galley.text().is_ascii() => {
                let letters = text.galley.text().chars();
                letters
                    .filter(|letter| *letter > LAST_OWN_LETTER && letter.is_alphanumeric())
                    .for_each(&mut *add);
            }
            _ => {}
        }
    }
}

/// Those of these letters that no font has.
fn missing(context: &Context, mut letters: BTreeSet<char>) -> BTreeSet<char> {
    let font = FontId::proportional(theme::BODY);
    context.fonts_mut(|fonts| letters.retain(|letter| !fonts.has_glyph(&font, *letter)));
    letters
}

/// Looks for the missing letters in the background, and adds the fonts that have them.
fn search(
    mut contexts: Query<&mut EguiContext, With<PrimaryEguiContext>>,
    mut fonts: ResMut<FallbackFonts>,
    mut next: ResMut<NextFrame>,
) {
    let fonts = fonts.bypass_change_detection();
    if let Some(task) = &mut fonts.search {
        let Some((database, found)) = block_on(future::poll_once(task)) else {
            next.within(SEARCH_INTERVAL);
            return;
        };
        (fonts.search, fonts.database) = (None, Some(database));
        if !found.is_empty() {
            fonts.added.extend(found);
            for mut context in &mut contexts {
                theme::set_fonts(context.get_mut(), &fonts.added);
            }
            // They are known in the next pass.
            fonts.are_new = true;
            next.at_once();
            return;
        }
    }
    if std::mem::take(&mut fonts.are_new) {
        for mut context in &mut contexts {
            fonts.missing = missing(context.get_mut(), std::mem::take(&mut fonts.missing));
        }
    }
    let most = MAX_FONTS.min(MAX_ADDED.saturating_sub(fonts.added.len()));
    if fonts.missing.is_empty() || most == 0 {
        return;
    }
    let known: Vec<String> = fonts.added.iter().map(|(name, _)| name.clone()).collect();
    let (letters, database) = (std::mem::take(&mut fonts.missing), fonts.database.take());
    fonts.search = Some(AsyncComputeTaskPool::get().spawn(async move {
        let database = database.unwrap_or_else(|| {
            let mut database = Database::new();
            database.load_system_fonts();
            database
        });
        let found = fonts_with(&database, letters, &known, most);
        wake();
        (database, found)
    }));
    next.within(SEARCH_INTERVAL);
}

/// The fewest fonts that have as many of these letters as possible, without those of these
/// names.
fn fonts_with(
    database: &Database,
    mut letters: BTreeSet<char>,
    names: &[String],
    most: usize,
) -> Vec<NamedFont> {
    let mut found: Vec<NamedFont> = Vec::new();
    while found.len() < most && !letters.is_empty() {
        let is_new = |face: &&FaceInfo| {
            let name = name(face);
            !names.contains(&name) && found.iter().all(|(other, _)| *other != name)
        };
        let faces = database.faces().filter(is_new);
        let known = faces.map(|face| (known_letters(database, face, &letters), face));
        let best = known.max_by_key(|(known, face)| (known.len(), suitability(face)));
        let Some((known, face)) = best.filter(|(known, _)| !known.is_empty()) else { break };
        letters.retain(|letter| !known.contains(letter));
        let font = database.with_face_data(face.id, |data, index| FontData {
            index,
            ..FontData::from_owned(data.to_vec())
        });
        found.extend(font.map(|font| (name(face), Arc::new(font))));
    }
    found
}

/// The name of a face for egui.
fn name(face: &FaceInfo) -> String {
    format!("{} {}", face.post_script_name, face.index)
}

/// Those of these letters that a face has outlines for.
fn known_letters(database: &Database, face: &FaceInfo, letters: &BTreeSet<char>) -> Vec<char> {
    let known = database.with_face_data(face.id, |data, index| {
        let font = FontRef::from_index(data, index).ok()?;
        // Letters that are pictures cannot be drawn.
        font.outline_glyphs().format()?;
        let letters_with_glyph = font.charmap();
        let has_glyph = |letter: &&char| letters_with_glyph.map(**letter).is_some();
        Some(letters.iter().filter(has_glyph).copied().collect())
    });
    known.flatten().unwrap_or_default()
}

/// How well a face goes with the game's own: an upright, regular sans-serif does best.
fn suitability(face: &FaceInfo) -> (bool, bool, bool, u16) {
    let is_sans = face.families.iter().any(|(name, _)| name.contains("Sans"));
    let distance = face.weight.0.abs_diff(Weight::NORMAL.0);
    (face.style == Style::Normal, !face.monospaced, is_sans, u16::MAX - distance)
}

#[cfg(test)]
mod tests {
    use bevy_egui::egui::{FontDefinitions, RawInput};

    use super::*;

    #[test]
    fn only_the_letters_that_no_own_font_has_are_looked_for() {
        let context = Context::default();
        theme::apply(&context);
        let text = "Åsa, Жанна, Ελένη and 漢字 – ♔ →";
        let mut letters = BTreeSet::new();
        for _ in 0..2 {
            let output = context.run_ui(RawInput::default(), |ui| _ = ui.label(text));
            let shapes = output.shapes.iter().map(|clipped| &clipped.shape);
            add_letters(shapes, &mut |letter| _ = letters.insert(letter));
        }
        assert!(letters.contains(&'Ж') && !letters.contains(&'Å') && !letters.contains(&'→'));
        assert_eq!(missing(&context, letters), ['漢', '字'].into());
    }

    #[test]
    fn a_font_is_chosen_by_the_letters_that_it_has() {
        let mut database = Database::new();
        let fonts = |database: &Database, letters: &[char], names: &[String]| {
            let found = fonts_with(database, letters.iter().copied().collect(), names, MAX_FONTS);
            found.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        assert!(fonts(&database, &['漢'], &[]).is_empty(), "there are no fonts");
        let own = FontDefinitions::default();
        for name in ["NotoEmoji-Regular", "Hack", "Ubuntu-Light"] {
            database.load_font_data(own.font_data[name].font.to_vec());
        }
        assert!(fonts(&database, &['漢'], &[]).is_empty(), "none has it");
        // Only Hack has Armenian letters.
        assert_eq!(fonts(&database, &['ա', 'բ', '漢'], &[]), ["Hack-Regular 0"]);
        // Both have Cyrillic ones, but one letter is as wide as another in Hack.
        let best = fonts(&database, &['Ж'], &[]);
        assert_eq!(best, ["Ubuntu-Light 0"]);
        assert_eq!(fonts(&database, &['Ж'], &best), ["Hack-Regular 0"], "one that is not there");
    }

    #[test]
    fn found_fonts_are_shown_in_one_frame_more_and_not_looked_for_again() {
        let mut database = Database::new();
        let own = FontDefinitions::default();
        database.load_font_data(own.font_data["Hack"].font.to_vec());
        let mut app = App::new();
        app.add_plugins(TaskPoolPlugin::default())
            .init_resource::<NextFrame>()
            .insert_resource(FallbackFonts {
                missing: ['ա'].into(),
                database: Some(database),
                ..FallbackFonts::default()
            })
            .add_systems(Update, search);
        let mut context = EguiContext::default();
        let pass = context.get_mut().clone();
        theme::apply(&pass);
        app.world_mut().spawn((context, PrimaryEguiContext));
        let frame = |app: &mut App| {
            _ = pass.run_ui(RawInput::default(), |_| {});
            app.update();
            app.world_mut().resource_mut::<NextFrame>().settle()
        };
        let start = std::time::Instant::now();
        while app.world().resource::<FallbackFonts>().added.is_empty() {
            let due = frame(&mut app);
            let is_found = !app.world().resource::<FallbackFonts>().added.is_empty();
            assert_eq!(due, Some(if is_found { Duration::ZERO } else { SEARCH_INTERVAL }));
            assert!(start.elapsed() < Duration::from_secs(60), "nothing is found");
            std::thread::yield_now();
        }
        // It was missed while the font was looked for.
        app.world_mut().resource_mut::<FallbackFonts>().missing.insert('բ');
        assert_eq!(frame(&mut app), None);
        let fonts = app.world().resource::<FallbackFonts>();
        assert!(fonts.missing.is_empty() && fonts.search.is_none());
        assert_eq!(fonts.added.len(), 1);
    }

    #[test]
    fn an_added_font_is_asked_after_all_others() {
        let context = Context::default();
        theme::apply(&context);
        let own = FontDefinitions::default();
        let added = [("Added".to_owned(), Arc::clone(&own.font_data["Hack"]))];
        theme::set_fonts(&context, &added);
        _ = context.run_ui(RawInput::default(), |_| {});
        let fonts = context.fonts(|fonts| fonts.definitions().clone());
        for family in fonts.families.values() {
            assert_eq!(family.last().map(String::as_str), Some("Added"));
        }
    }
}
