//! Renders a record without a window: one ply as a PNG, or the game as an
//! animation.
//!
//! The scene of the game is drawn into an image. A still picture is taken when
//! it has settled: no pipeline is compiling and two frames in a row are equal.

use std::{
    fs::File,
    io::{self, BufWriter, Write as _},
};

use bevy::{
    app::{PluginsState, TerminalCtrlCHandlerPlugin},
    audio::AudioPlugin,
    camera::RenderTarget,
    log::LogPlugin,
    render::{
        RenderApp, RenderPlugin,
        pipelined_rendering::PipelinedRenderingPlugin,
        render_resource::{PipelineCache, TextureFormat},
        view::screenshot::{Screenshot, ScreenshotCaptured},
    },
    time::TimeUpdateStrategy,
    window::ExitCondition,
    winit::WinitPlugin,
};
use image::{ImageFormat, RgbaImage};
use thiserror::Error;

use super::{
    gif_writer::GifWriter,
    partial_file::{self, PartialFile},
    plates::Plates,
};
use crate::{
    app::{
        core::prelude::*,
        game::record_files::read_game,
        platform::catch_panic,
        scene::{
            api::{FlatView, Highlights, MotionStatus, Photo},
            camera::{CameraRig, RenderCanvas},
            look::{QualityOverride, SoftenEveryFrame, pbr_plugin, renderer_settings},
            plies::{pieces_at, play_ply_command, set_position_command},
        },
        settings::Settings,
    },
    records::on_one_line,
};

pub use crate::app::{
    scene::{api::PhotoLens, camera::CameraView},
    settings::options::{Palette, Quality, Room, TimeOfDay},
};

/// What to render.
#[derive(Clone, Debug)]
pub struct RenderOptions {
    /// The record's file.
    pub record: PathBuf,
    /// Which of its games, from 1.
    pub game: usize,
    /// The number of plies after which the picture is taken or the animation ends;
    /// none for the end of the game.
    pub ply: Option<usize>,
    /// The number of plies after which an animation begins.
    pub from: usize,
    /// The file to write: an animation of the whole game if its name ends in
    /// `.gif`, else a PNG.
    pub out: PathBuf,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// The camera.
    pub view: CameraView,
    /// The quality of the graphics.
    pub quality: Quality,
    /// The room round the table.
    pub room: Room,
    /// The colours.
    pub palette: Palette,
    /// The lens of a photograph; without one, the table is seen as in play.
    pub lens: Option<PhotoLens>,
    /// Where the camera of a photograph stands, if not at its view: yaw and pitch in
    /// degrees, the zoom, and the point of the table looked at.
    pub camera: Option<[f32; 5]>,
    /// Whether the players, their clocks and the last move stand round the board.
    pub plates: bool,
    /// How long an animation rests after each ply.
    pub pause: Duration,
    /// Called with the ply that an animation has reached and its number of plies.
    pub progress: Option<fn(usize, usize)>,
}

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum RenderError {
    /// The record cannot be read.
    #[error("{0}")]
    Record(String),
    /// The game is shorter.
    #[error("there is no ply {asked}: the game has {length} plies")]
    NoSuchPly {
        /// The ply asked for.
        asked: usize,
        /// The plies of the game.
        length: usize,
    },
    /// The size is out of range.
    #[error("a picture of {0}x{1} pixels cannot be drawn (16 to 8192 each way)")]
    Size(u32, u32),
    /// There is no graphics adapter.
    #[error(
        "nothing here can draw: no graphics adapter was found ({0}); on Linux, a software one \
         comes with Mesa (Debian: mesa-vulkan-drivers)"
    )]
    NoAdapter(String),
    /// The picture kept changing.
    #[error("the picture did not settle")]
    Unsettled,
    /// The adapter stopped.
    #[error("the graphics adapter did not finish a frame: {0}")]
    Adapter(String),
    /// The file cannot be written.
    #[error("{path}: {error}")]
    Write {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The picture cannot be encoded.
    #[error("{path}: {error}")]
    Encode {
        /// Which file.
        path: PathBuf,
        /// Why.
        error: image::ImageError,
    },
}

/// Time between two frames of an animation.
const FRAME_TIME: Duration = Duration::from_millis(10 * FRAME_HUNDREDTHS as u64);
/// The same in hundredths of a second, the unit of GIF.
const FRAME_HUNDREDTHS: u16 = 5;
/// Frames for which an animation rests before and after the game.
const END_PAUSE: usize = 24;
/// Frames after which an unsettled picture is given up.
const MAX_FRAMES: usize = 400;

/// Renders to the file of the options.
///
/// # Errors
/// See [`RenderError`].
pub fn run(options: &RenderOptions) -> Result<(), RenderError> {
    let part = PartialFile::file(&options.out);
    if options.out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif")) {
        write_gif(options, part.path())?;
    } else {
        let (record, plies) = read_record(options)?;
        let (mut renderer, plates) = open_with_plates(options, &record)?;
        renderer.set(&record, plies);
        let picture = framed(renderer.settled()?, plates.as_ref(), plies);
        write_png(&options.out, part.path(), &picture)?;
    }
    part.finish().map_err(|error| write_failed(&options.out, error))
}

/// Writes the animation of the whole game to `part`.
fn write_gif(options: &RenderOptions, part: &Path) -> Result<(), RenderError> {
    let mut file = create(&options.out, part)?;
    let write_error = |error| write_failed(&options.out, error);
    let mut gif = GifWriter::new(&mut file, options.size).map_err(write_error)?;
    let mut encode = |(picture, steps): (RgbaImage, u16)| {
        gif.add_frame(picture, steps.saturating_mul(FRAME_HUNDREDTHS)).map_err(write_error)
    };
    // Equal pictures are written once, with their whole duration.
    let mut held: Option<(RgbaImage, u16)> = None;
    animate(options, |_, picture| match &mut held {
        Some((before, steps)) if *before == picture => {
            *steps = steps.saturating_add(1);
            Ok(())
        }
        _ => held.replace((picture, 1)).map_or(Ok(()), &mut encode),
    })?;
    held.map_or(Ok(()), encode)?;
    // Writes the end of the file.
    drop(gif);
    flush(&options.out, file)
}

/// Flushes the file: a full disk may be reported only here.
fn flush(out: &Path, mut file: BufWriter<File>) -> Result<(), RenderError> {
    file.flush().map_err(|error| write_failed(out, error))
}

fn write_failed(path: &Path, error: io::Error) -> RenderError {
    RenderError::Write { path: path.to_owned(), error }
}

/// Renders the game from its start, 20 frames per second, as `0001.png`,
/// `0002.png`, … in `folder`, and returns the number of frames. `options.out` is
/// not used.
///
/// # Errors
/// See [`RenderError`].
pub fn frames(options: &RenderOptions, folder: &Path) -> Result<usize, RenderError> {
    let part = PartialFile::folder(folder).map_err(|error| write_failed(folder, error))?;
    let mut written = 0;
    animate(options, |number, picture| {
        written = number;
        let name = format!("{number:04}.png");
        write_png(&folder.join(&name), &part.path().join(&name), &picture)
    })?;
    part.finish().map_err(|error| write_failed(folder, error))?;
    Ok(written)
}

/// Reads the game, and the number of plies after which it is shown.
pub(crate) fn read_record(options: &RenderOptions) -> Result<(Record, usize), RenderError> {
    let unread = |message: LocalizedMessage| RenderError::Record(on_one_line(&message.localized()));
    let record = read_game(&options.record, options.game).map_err(unread)?;
    let length = record.history().len();
    let plies = options.ply.unwrap_or(length);
    if plies > length {
        return Err(RenderError::NoSuchPly { asked: plies, length });
    }
    Ok((record, plies))
}

/// The renderer of a game, and the plates round its pictures, if they are wanted.
fn open_with_plates(
    options: &RenderOptions,
    record: &Record,
) -> Result<(OffscreenRenderer, Option<Plates>), RenderError> {
    if !options.plates {
        return Ok((OffscreenRenderer::open(options)?, None));
    }
    let plates = Plates::new(record, options.palette, options.size);
    let size = plates.board_size(options.size);
    let renderer = OffscreenRenderer::open(&RenderOptions { size, ..options.clone() })?;
    Ok((renderer, Some(plates)))
}

/// A picture with its plates, if it has some.
fn framed(picture: RgbaImage, plates: Option<&Plates>, ply: usize) -> RgbaImage {
    match plates {
        Some(plates) => plates.frame(&picture, ply),
        None => picture,
    }
}

/// Plays the part of the game that is asked for and passes on each frame, numbered
/// from 1.
fn animate(
    options: &RenderOptions,
    mut write: impl FnMut(usize, RgbaImage) -> Result<(), RenderError>,
) -> Result<(), RenderError> {
    let (record, plies) = read_record(options)?;
    let history = record.history();
    if options.from > plies {
        return Err(RenderError::NoSuchPly { asked: options.from, length: plies });
    }
    let (mut renderer, plates) = open_with_plates(options, &record)?;
    renderer.set(&record, options.from);
    let still = framed(renderer.settled()?, plates.as_ref(), options.from);
    let mut number = 0;
    let mut add = |picture: RgbaImage| {
        number += 1;
        write(number, picture)
    };
    let pause = frames_in(options.pause);
    for _ in 0..END_PAUSE.max(pause) {
        add(still.clone())?;
    }
    renderer.frame_time = FRAME_TIME;
    let mut tracker = pieces_at(history, options.from);
    for ply in options.from + 1..=plies {
        if let Some(progress) = options.progress {
            progress(ply, plies);
        }
        let seed = record.seed.unwrap_or(0);
        let Some(command) = play_ply_command(&mut tracker, history, ply, seed) else { break };
        renderer.app.world_mut().write_message(command);
        renderer.app.world_mut().insert_resource(Highlights::default());
        let mut picture = renderer.frame()?;
        while renderer.app.world().resource::<MotionStatus>().is_busy() {
            // The move is told, and the clock stopped, once it has been seen.
            add(framed(picture, plates.as_ref(), ply - 1))?;
            picture = renderer.frame()?;
        }
        // What has moved is marked once it has been seen.
        renderer.app.world_mut().insert_resource(Highlights::of_last_move(history, ply));
        let still = framed(renderer.frame()?, plates.as_ref(), ply);
        for _ in 0..if ply == plies { END_PAUSE.max(pause) } else { pause } {
            add(still.clone())?;
        }
    }
    Ok(())
}

/// The frames of an animation in this time.
fn frames_in(time: Duration) -> usize {
    usize::try_from(time.as_millis() / FRAME_TIME.as_millis()).unwrap_or(usize::MAX)
}

/// Removes what this process has written so far of a picture or a folder of frames, before
/// it ends without finishing.
pub fn remove_unfinished(out: &Path) {
    partial_file::remove(&partial_file::part_path(out, std::process::id()));
}

/// Creates the partial file; errors name the file asked for.
fn create(out: &Path, part: &Path) -> Result<BufWriter<File>, RenderError> {
    File::create(part).map(BufWriter::new).map_err(|error| write_failed(out, error))
}

fn write_png(out: &Path, part: &Path, picture: &RgbaImage) -> Result<(), RenderError> {
    let mut file = create(out, part)?;
    picture
        .write_to(&mut file, ImageFormat::Png)
        .map_err(|error| RenderError::Encode { path: out.to_owned(), error })?;
    flush(out, file)
}

/// The last frame that was read back from the GPU.
#[derive(Resource, Default)]
struct CapturedFrame(Option<RgbaImage>);

/// The scene, drawn into an image instead of a window.
pub(crate) struct OffscreenRenderer {
    pub(crate) app: App,
    canvas: Handle<Image>,
    /// The scene's time between two frames.
    frame_time: Duration,
}

impl OffscreenRenderer {
    pub(crate) fn open(options: &RenderOptions) -> Result<Self, RenderError> {
        let (width, height) = options.size;
        if !(16..=8192).contains(&width) || !(16..=8192).contains(&height) {
            return Err(RenderError::Size(width, height));
        }
        let mut app = catch_panic(app, RenderError::NoAdapter)?;
        let mut target =
            Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
        target.texture_descriptor.usage |= bevy::render::render_resource::TextureUsages::COPY_SRC;
        let canvas = app.world_mut().resource_mut::<Assets<Image>>().add(target);
        app.insert_resource(RenderCanvas(RenderTarget::Image(canvas.clone().into())))
            .insert_resource(
                options.camera.map_or_else(|| CameraRig::at(options.view), CameraRig::at_numbers),
            )
            .insert_resource(Photo(options.lens))
            .insert_resource(FlatView(options.view == CameraView::Diagram))
            .insert_resource(options.quality)
            .insert_resource(SoftenEveryFrame)
            .insert_resource(Settings {
                room: options.room,
                palette: options.palette,
                paper: true,
                ..Settings::default()
            })
            .insert_resource(QualityOverride)
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO))
            .init_resource::<CapturedFrame>();
        Ok(Self { app, canvas, frame_time: Duration::ZERO })
    }

    /// Sets up the position after this many plies, with the captured pieces beside
    /// the board.
    pub(crate) fn set(&mut self, record: &Record, plies: usize) {
        let history = record.history();
        let rules = record.rules();
        let tracker = pieces_at(history, plies);
        let world = self.app.world_mut();
        world.write_message(set_position_command(rules, &tracker, history, plies));
        world.insert_resource(Highlights::of_last_move(history, plies));
        self.app.update();
        self.set_camera_active(false);
    }

    /// The next frame.
    fn frame(&mut self) -> Result<RgbaImage, RenderError> {
        self.app
            .insert_resource(CapturedFrame::default())
            .insert_resource(TimeUpdateStrategy::ManualDuration(self.frame_time));
        self.app.world_mut().spawn(Screenshot::image(self.canvas.clone())).observe(
            |shot: On<ScreenshotCaptured>, mut taken: ResMut<CapturedFrame>| {
                taken.0 =
                    shot.image.clone().try_into_dynamic().ok().map(|picture| picture.to_rgba8());
            },
        );
        // This update draws the frame. Reading it back may take more updates, in
        // which time must stand still and nothing need be drawn.
        self.set_camera_active(true);
        self.app.update();
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        self.set_camera_active(false);
        for _ in 0..MAX_FRAMES {
            if let Some(mut picture) = self.app.world_mut().resource_mut::<CapturedFrame>().0.take()
            {
                for pixel in picture.pixels_mut() {
                    pixel.0[3] = u8::MAX;
                }
                return Ok(picture);
            }
            self.app.update();
        }
        Err(RenderError::Unsettled)
    }

    /// Whether the camera draws, which takes a software renderer long.
    pub(crate) fn set_camera_active(&mut self, active: bool) {
        let world = self.app.world_mut();
        for mut camera in world.query::<&mut Camera>().iter_mut(world) {
            camera.is_active = active;
        }
    }

    /// The first frame that is complete and equal to the one before.
    pub(crate) fn settled(&mut self) -> Result<RgbaImage, RenderError> {
        self.set_camera_active(false);
        let mut before = self.frame()?;
        for _ in 0..MAX_FRAMES {
            let now = self.frame()?;
            if now == before && !self.is_compiling() && !is_blank(&now) {
                return Ok(now);
            }
            before = now;
        }
        Err(RenderError::Unsettled)
    }

    /// Whether a pipeline is still compiling.
    fn is_compiling(&self) -> bool {
        self.app
            .get_sub_app(RenderApp)
            .and_then(|render| render.world().get_resource::<PipelineCache>())
            .is_none_or(|cache| cache.waiting_pipelines().next().is_some())
    }
}

/// Whether all pixels are the same: nothing was drawn yet.
fn is_blank(picture: &RgbaImage) -> bool {
    let mut pixels = picture.pixels();
    let first = pixels.next();
    pixels.all(|pixel| Some(pixel) == first)
}

/// The scene without a window, built synchronously.
fn app() -> App {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(WindowPlugin {
                primary_window: None,
                exit_condition: ExitCondition::DontExit,
                ..default()
            })
            .set(RenderPlugin {
                render_creation: renderer_settings().into(),
                synchronous_pipeline_compilation: true,
                ..default()
            })
            .set(pbr_plugin())
            .disable::<AudioPlugin>()
            // Nothing here reads its wish to end.
            .disable::<TerminalCtrlCHandlerPlugin>()
            .disable::<LogPlugin>()
            .disable::<PipelinedRenderingPlugin>()
            .disable::<WinitPlugin>(),
    );
    app.add_plugins(crate::app::scene::plugin);
    while app.plugins_state() == PluginsState::Adding {
        bevy::tasks::tick_global_task_pools_on_main_thread();
    }
    app.finish();
    app.cleanup();
    app
}
