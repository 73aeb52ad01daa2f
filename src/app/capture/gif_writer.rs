//! Writes an animated GIF whose frames contain only what has changed.
//!
//! A frame after the first is the bounding box of the pixels that differ from
//! what was last written; unchanged pixels in it are transparent. Each frame has
//! its own palette, learnt by NeuQuant (Dekker 1994) from its colours rather than
//! its pixels, so that a king's few red pixels count beside the brown board.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use color_quant::NeuQuant;
use gif::{Encoder, EncodingError, Frame, Repeat};
use image::{Rgba, RgbaImage};

/// How much each channel of a pixel may differ from what was written without
/// counting as a change.
const TOLERANCE: u8 = 3;
/// Colours of a palette, which has one more entry for transparent pixels.
const COLOURS: usize = 255;
/// The palette entry of transparent pixels.
const TRANSPARENT: u8 = 255;
/// How many colours NeuQuant learns; the others go to colours far from these.
const LEARNT_COLOURS: usize = 215;

/// A GIF being written.
pub(crate) struct GifWriter<W: Write> {
    gif: Encoder<W>,
    /// The picture shown so far.
    shown: Option<RgbaImage>,
}

impl<W: Write> GifWriter<W> {
    /// Starts a looping animation of pictures of this size.
    pub(crate) fn new(out: W, (width, height): (u32, u32)) -> io::Result<Self> {
        let mut gif = Encoder::new(out, length(width)?, length(height)?, &[]).map_err(io_error)?;
        gif.set_repeat(Repeat::Infinite).map_err(io_error)?;
        Ok(Self { gif, shown: None })
    }

    /// Adds a picture that is shown for this many hundredths of a second.
    pub(crate) fn add_frame(&mut self, picture: RgbaImage, hundredths: u16) -> io::Result<()> {
        let at = changed_box(self.shown.as_ref(), &picture);
        let [left, top, width, height] = at;
        let part = || (top..top + height).flat_map(|y| (left..left + width).map(move |x| (x, y)));
        let mut seen = self.shown.take().unwrap_or_else(|| {
            // All transparent: it differs from every picture.
            RgbaImage::new(picture.width(), picture.height())
        });
        let new: Vec<bool> =
            part().map(|(x, y)| !is_same(seen.get_pixel(x, y), picture.get_pixel(x, y))).collect();
        let pixels = || part().zip(&new).map(|((x, y), new)| new.then(|| *picture.get_pixel(x, y)));
        let palette = Palette::from_pixels(pixels().flatten());
        let frame = Frame {
            delay: hundredths,
            left: length(left)?,
            top: length(top)?,
            width: length(width)?,
            height: length(height)?,
            transparent: Some(TRANSPARENT),
            buffer: pixels()
                .map(|pixel| pixel.map_or(TRANSPARENT, |colour| palette.index(colour)))
                .collect(),
            palette: Some(palette.table),
            ..Frame::default()
        };
        self.gif.write_frame(&frame).map_err(io_error)?;
        for ((x, y), _) in part().zip(&new).filter(|(_, new)| **new) {
            seen.put_pixel(x, y, *picture.get_pixel(x, y));
        }
        self.shown = Some(seen);
        Ok(())
    }
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// A length in the format's type.
fn length(pixels: u32) -> io::Result<u16> {
    u16::try_from(pixels).map_err(|_| io::Error::other(format!("{pixels} pixels")))
}

fn is_same(one: &Rgba<u8>, other: &Rgba<u8>) -> bool {
    one.0.iter().zip(other.0).all(|(&one, other)| one.abs_diff(other) <= TOLERANCE)
}

/// The bounding box of the pixels that have changed, as left, top, width and
/// height; one pixel where none has.
fn changed_box(before: Option<&RgbaImage>, now: &RgbaImage) -> [u32; 4] {
    let Some(before) = before else { return [0, 0, now.width(), now.height()] };
    let mut places = now
        .enumerate_pixels()
        .filter(|(x, y, pixel)| !is_same(before.get_pixel(*x, *y), pixel))
        .map(|(x, y, _)| (x, y));
    let Some((x, y)) = places.next() else { return [0, 0, 1, 1] };
    let [left, top, right, bottom] = places
        .fold([x, y, x, y], |[left, top, right, bottom], (x, y)| {
            [left.min(x), top.min(y), right.max(x), bottom.max(y)]
        });
    [left, top, right - left + 1, bottom - top + 1]
}

/// The palette of a frame.
struct Palette {
    /// Red, green and blue of 256 entries.
    table: Vec<u8>,
    /// The entry for each colour that occurs.
    entries: HashMap<Rgba<u8>, u8>,
}

impl Palette {
    fn from_pixels(pixels: impl Iterator<Item = Rgba<u8>>) -> Self {
        let mut counts: HashMap<Rgba<u8>, u32> = HashMap::new();
        for pixel in pixels {
            *counts.entry(pixel).or_default() += 1;
        }
        // Sorted, so that the same pictures make the same file.
        let mut colours: Vec<_> = counts.into_iter().collect();
        colours.sort_unstable_by_key(|(colour, _)| colour.0);
        let few = colours.len() <= COLOURS;
        let mut table: Vec<Rgba<u8>> =
            if few { colours.iter().map(|colour| colour.0).collect() } else { learn(&colours) };
        let mut nearest: Vec<_> = colours.iter().map(|colour| nearest(colour.0, &table)).collect();
        // The colours furthest from all learnt ones get the remaining entries.
        while !few && table.len() < COLOURS {
            let most = nearest.iter().enumerate().max_by_key(|(_, (_, off))| *off);
            let Some((furthest, _)) = most else { break };
            let colour = colours[furthest].0;
            for (known, (other, _)) in nearest.iter_mut().zip(&colours) {
                let off = distance(*other, colour);
                if off < known.1 {
                    *known = (table.len(), off);
                }
            }
            table.push(colour);
        }
        let entry = |at: usize| u8::try_from(at).unwrap_or(0);
        let entries = colours.iter().zip(nearest).map(|(it, (at, _))| (it.0, entry(at))).collect();
        let mut table: Vec<u8> =
            table.iter().flat_map(|table| [table.0[0], table.0[1], table.0[2]]).collect();
        table.resize(3 * (COLOURS + 1), 0);
        Self { table, entries }
    }

    fn index(&self, colour: Rgba<u8>) -> u8 {
        self.entries.get(&colour).copied().unwrap_or(0)
    }
}

/// Most of a palette, learnt from each colour that occurs, weighted by the
/// logarithm of its number of pixels.
fn learn(colours: &[(Rgba<u8>, u32)]) -> Vec<Rgba<u8>> {
    let times = |count: u32| 1 + count.max(1).ilog2() as usize;
    let samples: Vec<u8> =
        colours.iter().flat_map(|&(colour, count)| colour.0.repeat(times(count))).collect();
    let table = NeuQuant::new(1, LEARNT_COLOURS, &samples).color_map_rgb();
    table
        .as_chunks()
        .0
        .iter()
        .map(|&[red, green, blue]| Rgba([red, green, blue, u8::MAX]))
        .collect()
}

/// The index of the nearest entry, and its distance.
fn nearest(colour: Rgba<u8>, table: &[Rgba<u8>]) -> (usize, u32) {
    let all = table.iter().enumerate().map(|(at, &entry)| (at, distance(colour, entry)));
    all.min_by_key(|(_, off)| *off).unwrap_or((0, 0))
}

/// The squared distance of two colours.
fn distance(one: Rgba<u8>, other: Rgba<u8>) -> u32 {
    one.0.iter().zip(other.0).map(|(&one, other)| u32::from(one.abs_diff(other)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use image::AnimationDecoder as _;
    use image::codecs::gif::GifDecoder;

    use super::*;

    /// A gradient of more colours than a palette has, with a spot on it.
    fn picture(spot: u32) -> RgbaImage {
        RgbaImage::from_fn(120, 60, |x, y| {
            if (spot..spot + 3).contains(&x) && (20..23).contains(&y) {
                return Rgba([220, 20, 30, 255]);
            }
            #[expect(clippy::cast_possible_truncation, reason = "below 256")]
            let (x, y) = (x as u8, y as u8);
            Rgba([90 + x / 2, 70 + y, 40 + (x + y) / 3, 255])
        })
    }

    #[test]
    fn pictures_read_back_and_only_changes_are_written() {
        let pictures: Vec<_> = [10, 10, 50, 90].map(picture).into();
        let mut bytes = Vec::new();
        let mut first = 0;
        let mut sizes = Vec::new();
        {
            let mut gif = GifWriter::new(&mut bytes, (120, 60)).expect("begun");
            for picture in &pictures {
                gif.add_frame(picture.clone(), 5).expect("written");
                let size = gif.gif.get_ref().len();
                sizes.push(size - std::mem::replace(&mut first, size));
            }
        }
        assert!(sizes[1..].iter().all(|size| 4 * size < sizes[0]), "{sizes:?}");
        let decoder = GifDecoder::new(io::Cursor::new(bytes)).expect("a GIF");
        let frames = decoder.into_frames().collect_frames().expect("frames");
        assert_eq!(frames.len(), pictures.len());
        for (frame, picture) in frames.iter().zip(&pictures) {
            let (mut off, mut most) = (0, 0);
            for (seen, meant) in frame.buffer().pixels().zip(picture.pixels()) {
                let far = seen.0.iter().zip(meant.0).map(|(&seen, meant)| seen.abs_diff(meant));
                let far = far.max().map_or(0, u32::from);
                (off, most) = (off + far, most.max(far));
            }
            assert!(off < 4 * 120 * 60, "{off}");
            assert!(most < 40, "the spot keeps its colour: {most}");
        }
    }
}
