//! Letters that the game's own fonts lack come from the fonts of the system.
//!
//! They are looked for in the background, and only once such a letter is drawn. Without a
//! font that has it, egui draws its sign for an unknown letter. egui joins the letters of a
//! word, but writes each line from the left.

use std::collections::{BTreeSet, HashSet};

use bevy::{
    prelude::*,
    tasks::{AsyncComputeTaskPool, Task, block_on, futures_lite::future},
    window::RequestRedraw,
};
use bevy_egui::{
    EguiContext, EguiFullOutput, EguiPostUpdateSet, PrimaryEguiContext,
    egui::{Context, FontData, FontId, Shape, epaint::ClippedShape},
};
use fontdb::{Database, FaceInfo, Style, Weight};
use skrifa::{FontRef, MetadataProvider as _};

use super::theme;

/// The last letter of Unicode's block Latin Extended-B: the game's own fonts have these.
const LAST_OWN_LETTER: char = '\u{24f}';

/// The most fonts that one search adds: a name has letters of one or two scripts.
const MAX_FONTS: usize = 4;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<FallbackFonts>().add_systems(
        PostUpdate,
        (note_missing_letters, search)
            .chain()
            .after(EguiPostUpdateSet::EndPass)
            .before(EguiPostUpdateSet::ProcessOutput),
    );
}

/// A font with its name for egui.
pub(super) type NamedFont = (String, FontData);

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
                    .filter(|it| *it > LAST_OWN_LETTER && it.is_alphanumeric())
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
    mut redraw: MessageWriter<RequestRedraw>,
) {
    let fonts = fonts.bypass_change_detection();
    if let Some(task) = &mut fonts.search {
        redraw.write(RequestRedraw);
        let Some((database, found)) = block_on(future::poll_once(task)) else { return };
        (fonts.search, fonts.database) = (None, Some(database));
        if !found.is_empty() {
            fonts.added.extend(found);
            for mut context in &mut contexts {
                theme::set_fonts(context.get_mut(), &fonts.added);
            }
        }
    }
    if fonts.missing.is_empty() {
        return;
    }
    let (letters, database) = (std::mem::take(&mut fonts.missing), fonts.database.take());
    fonts.search = Some(AsyncComputeTaskPool::get().spawn(async move {
        let database = database.unwrap_or_else(|| {
            let mut database = Database::new();
            database.load_system_fonts();
            database
        });
        let found = fonts_with(&database, letters);
        (database, found)
    }));
    redraw.write(RequestRedraw);
}

/// The fewest fonts that have as many of these letters as possible.
fn fonts_with(database: &Database, mut letters: BTreeSet<char>) -> Vec<NamedFont> {
    let mut found = Vec::new();
    while found.len() < MAX_FONTS && !letters.is_empty() {
        let known = database.faces().map(|face| (known_letters(database, face, &letters), face));
        let best = known.max_by_key(|(known, face)| (known.len(), suitability(face)));
        let Some((known, face)) = best.filter(|(known, _)| !known.is_empty()) else { break };
        letters.retain(|letter| !known.contains(letter));
        found.extend(database.with_face_data(face.id, |data, index| {
            let font = FontData { index, ..FontData::from_owned(data.to_vec()) };
            (format!("{} {index}", face.post_script_name), font)
        }));
    }
    found
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
            let shapes = output.shapes.iter().map(|it| &it.shape);
            add_letters(shapes, &mut |letter| _ = letters.insert(letter));
        }
        assert!(letters.contains(&'Ж') && !letters.contains(&'Å') && !letters.contains(&'→'));
        assert_eq!(missing(&context, letters), ['漢', '字'].into());
    }

    #[test]
    fn a_font_is_chosen_by_the_letters_that_it_has() {
        let mut database = Database::new();
        assert!(fonts_with(&database, ['漢'].into()).is_empty(), "there are no fonts");
        let own = FontDefinitions::default();
        for name in ["NotoEmoji-Regular", "Hack", "Ubuntu-Light"] {
            database.load_font_data(own.font_data[name].font.to_vec());
        }
        assert!(fonts_with(&database, ['漢'].into()).is_empty(), "none has it");
        let names = |letters: &[char]| {
            let found = fonts_with(&database, letters.iter().copied().collect());
            found.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        };
        // Only Hack has Armenian letters.
        assert_eq!(names(&['ա', 'բ', '漢']), ["Hack-Regular 0"]);
        // Both have Cyrillic ones, but one letter is as wide as another in Hack.
        assert_eq!(names(&['Ж']), ["Ubuntu-Light 0"]);
    }

    #[test]
    fn an_added_font_is_asked_after_all_others() {
        let context = Context::default();
        theme::apply(&context);
        let own = FontDefinitions::default();
        let added = [("Added".to_owned(), FontData::clone(&own.font_data["Hack"]))];
        theme::set_fonts(&context, &added);
        _ = context.run_ui(RawInput::default(), |_| {});
        let fonts = context.fonts(|fonts| fonts.definitions().clone());
        for family in fonts.families.values() {
            assert_eq!(family.last().map(String::as_str), Some("Added"));
        }
    }
}
