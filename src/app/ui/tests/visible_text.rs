//! The visible texts of a frame, and what is wrong with them.
//!
//! egui's shapes are read in the order they are drawn in: a text that a panel
//! covers later is not visible.

use std::collections::HashMap;

use bevy_egui::egui::{
    Rect, Shape,
    epaint::{ClippedShape, RectShape, TextShape},
};

/// A visible text.
struct SeenText {
    words: String,
    /// All of it.
    whole: Rect,
    /// What is not clipped away.
    seen: Rect,
}

/// How far what is clipped may reach beyond the bar that scrolls it.
const SCROLL_TOLERANCE: f32 = 20.0;

/// How far a text may stand out before it is cut: letters have some air.
const MARGIN: f32 = 2.0;

/// The visible texts of a frame, and what is wrong with them.
#[derive(Default)]
pub(crate) struct VisibleText {
    window: Option<Rect>,
    texts: Vec<SeenText>,
    faults: Vec<String>,
    /// The bars that scroll: what goes on above and below beside them is not
    /// lost.
    scrolled: Vec<Rect>,
}

impl VisibleText {
    /// Looks at a frame in a window of this size.
    pub(crate) fn new(shapes: &[ClippedShape], window: Rect, scrolled: &[Rect]) -> Self {
        let mut visible =
            Self { window: Some(window), scrolled: scrolled.to_vec(), ..Self::default() };
        for clipped in shapes {
            visible.add_shape(&clipped.shape, clipped.clip_rect);
        }
        visible.overlaps();
        visible
    }

    /// What is wrong: texts cut off, covered in part, or one over another.
    pub(crate) fn faults(mut self) -> Vec<String> {
        self.faults.sort_unstable();
        self.faults.dedup();
        self.faults
    }

    /// All visible texts.
    pub(crate) fn words(&self) -> Vec<String> {
        self.texts.iter().map(|text| text.words.clone()).collect()
    }

    /// How often a text with these words is seen.
    pub(crate) fn count(&self, words: &str) -> usize {
        self.texts.iter().filter(|text| text.words.contains(words)).count()
    }

    /// How high the first text with these words stands.
    pub(crate) fn top_of(&self, words: &str) -> Option<f32> {
        let text = self.texts.iter().find(|text| text.words.contains(words))?;
        Some(text.seen.top())
    }

    fn add_shape(&mut self, shape: &Shape, clip: Rect) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| self.add_shape(shape, clip)),
            Shape::Rect(rect) => self.cover(rect, clip),
            Shape::Text(text) => self.read(text, clip),
            _ => {}
        }
    }

    fn cover(&mut self, shape: &RectShape, clip: Rect) {
        let rect = shape.rect.intersect(clip);
        let window = self.window.unwrap_or(Rect::EVERYTHING);
        if !rect.is_positive() || shape.fill.a() == 0 {
            return;
        }
        if rect.contains_rect(window) {
            // A dialog's backdrop: nothing below is looked at.
            self.texts.clear();
            return;
        }
        if shape.blur_width > 0.0 || shape.fill.a() < 200 {
            return;
        }
        let faults = &mut self.faults;
        self.texts.retain(|text| {
            let shared = text.seen.intersect(rect);
            if !shared.is_positive() || shared.width() < MARGIN || shared.height() < MARGIN {
                return true;
            }
            if !rect.expand(MARGIN).contains_rect(text.seen) {
                faults.push(format!("'{}' is covered in part", text.words));
            }
            false
        });
    }

    fn read(&mut self, text: &TextShape, clip: Rect) {
        let words = text.galley.text().to_owned();
        // What fades in is not seen yet.
        if words.trim().is_empty() || text.opacity_factor < 0.5 {
            return;
        }
        // A line of an analysis ends where its room does.
        if text.galley.elided && !words.contains("  ·  ") {
            self.faults.push(format!("'{words}' is cut short"));
        }
        let clip = clip.intersect(self.window.unwrap_or(Rect::EVERYTHING));
        let whole = text.galley.rect.translate(text.pos.to_vec2());
        let seen = whole.intersect(clip);
        // Its bar stands beside what is scrolled, as high as it.
        let scrolls = self.scrolled.iter().any(|bar| {
            let beside = clip.left() < bar.right();
            let within = clip.top() > bar.top() - SCROLL_TOLERANCE
                && clip.bottom() < bar.bottom() + SCROLL_TOLERANCE;
            // A card may be clipped away whole.
            beside && (within || !clip.is_positive())
        });
        if whole.left() < clip.left() - MARGIN || whole.right() > clip.right() + MARGIN {
            self.faults.push(format!("'{words}' is cut at the side: {whole} of {clip}"));
        }
        let is_cut_vertically =
            whole.top() < clip.top() - MARGIN || whole.bottom() > clip.bottom() + MARGIN;
        if is_cut_vertically && !scrolls {
            self.faults.push(format!("'{words}' is cut: {whole} of {clip}"));
        }
        if seen.is_positive() {
            self.texts.push(SeenText { words, whole, seen });
        }
    }

    fn overlaps(&mut self) {
        for (index, one) in self.texts.iter().enumerate() {
            for other in &self.texts[index + 1..] {
                let shared = one.seen.shrink(1.0).intersect(other.seen.shrink(1.0));
                if shared.is_positive() && shared.width() > MARGIN && shared.height() > MARGIN {
                    let (one, other) = (&one, &other);
                    self.faults.push(format!(
                        "'{}' at {} lies over '{}' at {}",
                        other.words, other.whole, one.words, one.whole
                    ));
                }
            }
        }
    }
}

/// Groups faults that several sizes share, to be read by a person.
pub(crate) fn report(faults: &[(String, String)]) -> String {
    let mut by_fault: HashMap<&str, Vec<&str>> = HashMap::new();
    for (scene, fault) in faults {
        by_fault.entry(fault).or_default().push(scene);
    }
    let mut lines: Vec<String> = by_fault
        .iter()
        .map(|(fault, scenes)| format!("{fault}\n    {}", scenes.join(", ")))
        .collect();
    lines.sort_unstable();
    lines.join("\n")
}
