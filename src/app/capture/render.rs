//! Pictures of a record without a window: one ply as a PNG, or the game as
//! an animation.
//!
//! The same scene as in play is drawn into an image. A picture is taken when
//! it has settled: no pipeline is waiting and two frames in a row are equal.

use std::{
    fs::File,
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use bevy::{
    app::PluginsState,
    audio::AudioPlugin,
    camera::RenderTarget,
    log::LogPlugin,
    prelude::*,
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

pub(crate) use super::partial_file::{beside, clear};
use super::{gif_writer::GifWriter, partial_file::PartialFile};
use crate::{
    app::{
        game::referee::read_game,
        launch::quietly,
        scene::{
            api::{Highlights, MotionStatus, SceneCommand},
            camera::{CameraRig, RenderCanvas},
            look::{BoardPainting, QualityOverride, pbr_plugin, renderer_settings},
            plies::{last_move_squares, pieces_at, set_position_command, tumble_seed},
        },
    },
    i18n::LocalizedMessage,
    records::{Record, on_one_line},
};

pub use crate::app::{
    scene::camera::{ParseViewError, View},
    settings::options::{ParseQualityError, Quality},
};

/// What to draw.
#[derive(Clone, Debug)]
pub struct RenderOptions {
    /// The record's file.
    pub record: PathBuf,
    /// Which of its games, from 1.
    pub game: usize,
    /// After so many plies; the end if none is said. An animation ends there.
    pub ply: Option<usize>,
    /// The file to write. A name that ends in `.gif` asks for an animation of
    /// the whole game, any other for a PNG.
    pub out: PathBuf,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// From where.
    pub view: View,
    /// How fine.
    pub quality: Quality,
    /// Whether things cast shadows.
    pub shadows: bool,
    /// Is told how far an animation has come: the ply that is drawn, of so
    /// many.
    pub tell: Option<fn(usize, usize)>,
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
        /// What was asked for.
        asked: usize,
        /// What there is.
        length: usize,
    },
    /// The size cannot be drawn.
    #[error("a picture of {0}x{1} pixels cannot be drawn (16 to 8192 each way)")]
    Size(u32, u32),
    /// Nothing here can draw.
    #[error(
        "nothing here can draw: no graphics adapter was found ({0}); on Linux, a software one \
         comes with Mesa (Debian: mesa-vulkan-drivers)"
    )]
    NoAdapter(String),
    /// The picture never came to rest.
    #[error("the picture did not settle")]
    Unsettled,
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
const STEP: Duration = Duration::from_millis(10 * HUNDREDTHS as u64);
/// The same as a GIF counts it.
const HUNDREDTHS: u16 = 5;
/// Frames an animation rests before and after the game, and between plies.
const PAUSES: (usize, usize) = (24, 8);
/// Frames after which an unsettled picture is given up.
const PATIENCE: usize = 400;

/// Draws what the options ask for.
///
/// # Errors
/// See [`RenderError`].
pub fn run(options: &RenderOptions) -> Result<(), RenderError> {
    let part = PartialFile::file(&options.out);
    if options.out.extension().is_some_and(|it| it.eq_ignore_ascii_case("gif")) {
        write_gif(options, part.path())?;
    } else {
        let (record, plies) = read(options)?;
        let mut studio = OffscreenRenderer::open(options)?;
        studio.set(&record, plies);
        let picture = studio.settled()?;
        write_png(&options.out, part.path(), &picture)?;
    }
    part.finish().map_err(|error| failed(&options.out, error))
}

/// Writes the animation of the whole game to `beside`.
fn write_gif(options: &RenderOptions, beside: &Path) -> Result<(), RenderError> {
    let mut file = create(&options.out, beside)?;
    let wrong = |error| failed(&options.out, error);
    let mut reel = GifWriter::new(&mut file, options.size).map_err(wrong)?;
    let mut encode = |(picture, steps): (RgbaImage, u16)| {
        reel.show(picture, steps.saturating_mul(HUNDREDTHS)).map_err(wrong)
    };
    // A picture that stands is written once, for as long as it stands.
    let mut held: Option<(RgbaImage, u16)> = None;
    animate(options, |_, picture| match &mut held {
        Some((before, steps)) if *before == picture => {
            *steps = steps.saturating_add(1);
            Ok(())
        }
        _ => held.replace((picture, 1)).map_or(Ok(()), &mut encode),
    })?;
    held.map_or(Ok(()), encode)?;
    // The end of the file is written now.
    drop(reel);
    whole(&options.out, file)
}

/// A full disk may say so only at the end.
fn whole(out: &Path, mut file: BufWriter<File>) -> Result<(), RenderError> {
    file.flush().map_err(|error| failed(out, error))
}

fn failed(path: &Path, error: io::Error) -> RenderError {
    RenderError::Write { path: path.to_owned(), error }
}

/// Draws the game from its start, 20 frames a second, as `0001.png`,
/// `0002.png`, … in `folder`; returns how many. `options.out` is not used.
///
/// # Errors
/// See [`RenderError`].
pub fn frames(options: &RenderOptions, folder: &Path) -> Result<usize, RenderError> {
    let part = PartialFile::folder(folder).map_err(|error| failed(folder, error))?;
    let mut written = 0;
    animate(options, |number, picture| {
        written = number;
        let name = format!("{number:04}.png");
        write_png(&folder.join(&name), &part.path().join(&name), &picture)
    })?;
    part.finish().map_err(|error| failed(folder, error))?;
    Ok(written)
}

fn read(options: &RenderOptions) -> Result<(Record, usize), RenderError> {
    let unread = |why: LocalizedMessage| RenderError::Record(on_one_line(&why.localized()));
    let record = read_game(&options.record, options.game).map_err(unread)?;
    let length = record.history().len();
    let plies = options.ply.unwrap_or(length);
    if plies > length {
        return Err(RenderError::NoSuchPly { asked: plies, length });
    }
    Ok((record, plies))
}

/// Plays the game up to the ply asked for and hands out each frame, counted
/// from 1.
fn animate(
    options: &RenderOptions,
    mut take: impl FnMut(usize, RgbaImage) -> Result<(), RenderError>,
) -> Result<(), RenderError> {
    let (record, plies) = read(options)?;
    let line = record.history();
    let mut studio = OffscreenRenderer::open(options)?;
    studio.set(&record, 0);
    let still = studio.settled()?;
    let mut number = 0;
    let mut hand = |picture: RgbaImage| {
        number += 1;
        take(number, picture)
    };
    for _ in 0..PAUSES.0 {
        hand(still.clone())?;
    }
    studio.step = STEP;
    let mut roster = pieces_at(line, 0);
    for ply in 1..=plies {
        if let Some(tell) = options.tell {
            tell(ply, plies);
        }
        let Some(before) = line.at(ply - 1) else { break };
        let effects = roster.follow(before, line.events(ply));
        let tumble_seed = tumble_seed(record.seed.unwrap_or(0), ply);
        studio.app.world_mut().write_message(SceneCommand::PlayPly { effects, tumble_seed });
        let last_move = last_move_squares(line, ply);
        studio.app.world_mut().insert_resource(Highlights { last_move, ..Highlights::default() });
        let mut still = studio.frame()?;
        while studio.app.world().resource::<MotionStatus>().is_busy() {
            hand(still)?;
            still = studio.frame()?;
        }
        for _ in 0..if ply == plies { PAUSES.0 } else { PAUSES.1 } {
            hand(still.clone())?;
        }
    }
    Ok(())
}

/// Opens the file beside the one that is asked for, which errors name.
fn create(out: &Path, beside: &Path) -> Result<BufWriter<File>, RenderError> {
    File::create(beside).map(BufWriter::new).map_err(|error| failed(out, error))
}

fn write_png(out: &Path, beside: &Path, picture: &RgbaImage) -> Result<(), RenderError> {
    let mut file = create(out, beside)?;
    picture
        .write_to(&mut file, ImageFormat::Png)
        .map_err(|error| RenderError::Encode { path: out.to_owned(), error })?;
    whole(out, file)
}

/// The last frame that came back from the renderer.
#[derive(Resource, Default)]
struct Screenshotted(Option<RgbaImage>);

/// The scene with an image for a window.
struct OffscreenRenderer {
    app: App,
    canvas: Handle<Image>,
    /// How far the clock goes on from frame to frame.
    step: Duration,
    shadows: bool,
}

impl OffscreenRenderer {
    fn open(options: &RenderOptions) -> Result<Self, RenderError> {
        let (width, height) = options.size;
        if !(16..=8192).contains(&width) || !(16..=8192).contains(&height) {
            return Err(RenderError::Size(width, height));
        }
        let mut app = quietly(app).map_err(RenderError::NoAdapter)?;
        let mut target =
            Image::new_target_texture(width, height, TextureFormat::Rgba8UnormSrgb, None);
        target.texture_descriptor.usage |= bevy::render::render_resource::TextureUsages::COPY_SRC;
        let canvas = app.world_mut().resource_mut::<Assets<Image>>().add(target);
        app.insert_resource(RenderCanvas(RenderTarget::Image(canvas.clone().into())))
            .insert_resource(CameraRig::at(options.view))
            .insert_resource(options.quality)
            .insert_resource(QualityOverride)
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO))
            .init_resource::<Screenshotted>();
        Ok(Self { app, canvas, step: Duration::ZERO, shadows: options.shadows })
    }

    /// Sets the table as it is after so many plies. What was captured until
    /// then stands beside the board.
    fn set(&mut self, record: &Record, plies: usize) {
        let line = record.history();
        let rules = record.rules();
        let roster = pieces_at(line, plies);
        let world = self.app.world_mut();
        world.write_message(set_position_command(rules, &roster, line, plies));
        world.insert_resource(Highlights {
            last_move: last_move_squares(line, plies),
            ..Highlights::default()
        });
        self.app.update();
        self.light(false);
        let world = self.app.world_mut();
        for mut light in world.query::<&mut DirectionalLight>().iter_mut(world) {
            light.shadow_maps_enabled = self.shadows;
        }
    }

    /// The next frame.
    fn frame(&mut self) -> Result<RgbaImage, RenderError> {
        self.app
            .insert_resource(Screenshotted::default())
            .insert_resource(TimeUpdateStrategy::ManualDuration(self.step));
        self.app.world_mut().spawn(Screenshot::image(self.canvas.clone())).observe(
            |shot: On<ScreenshotCaptured>, mut taken: ResMut<Screenshotted>| {
                taken.0 = shot.image.clone().try_into_dynamic().ok().map(|it| it.to_rgba8());
            },
        );
        // The frame is drawn in this update; reading it back may take more,
        // in which the clock must stand still and nothing need be drawn.
        self.light(true);
        self.app.update();
        self.app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
        self.light(false);
        for _ in 0..PATIENCE {
            if let Some(mut picture) = self.app.world_mut().resource_mut::<Screenshotted>().0.take()
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

    /// Whether the camera draws. A software renderer takes its time.
    fn light(&mut self, on: bool) {
        let world = self.app.world_mut();
        for mut camera in world.query::<&mut Camera>().iter_mut(world) {
            camera.is_active = on;
        }
    }

    /// The first frame that is complete and like the one before.
    fn settled(&mut self) -> Result<RgbaImage, RenderError> {
        self.light(false);
        while self.app.world().resource::<BoardPainting>().0 {
            self.app.update();
            std::thread::yield_now();
        }
        let mut before = self.frame()?;
        for _ in 0..PATIENCE {
            let now = self.frame()?;
            if now == before && !self.compiling() && !is_blank(&now) {
                return Ok(now);
            }
            before = now;
        }
        Err(RenderError::Unsettled)
    }

    /// Whether a pipeline is still being made.
    fn compiling(&self) -> bool {
        self.app
            .get_sub_app(RenderApp)
            .and_then(|render| render.world().get_resource::<PipelineCache>())
            .is_none_or(|cache| cache.waiting_pipelines().next().is_some())
    }
}

/// Whether every pixel is the same: nothing was drawn yet.
fn is_blank(picture: &RgbaImage) -> bool {
    let mut pixels = picture.pixels();
    let first = pixels.next();
    pixels.all(|pixel| Some(pixel) == first)
}

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
