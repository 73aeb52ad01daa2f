//! A picture of the game in place of a board that is not drawn in full yet: nothing is black
//! and no board is seen without its paint. It fades into the board.

use crate::app::{
    scene::api::{NewPosition, SceneReady},
    ui::{prelude::*, theme::GROUND_TINT, widgets::board_picture},
};

/// How long the picture fades (seconds).
const FADE: f64 = 0.3;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Curtain>()
        .add_systems(Update, follow_board.in_set(AppSet::Report))
        .add_systems(EguiPrimaryContextPass, show.in_set(UiSet::Curtain));
}

/// What stands in place of the board.
#[derive(Resource, Debug, Default)]
pub(crate) struct Curtain {
    /// The game whose board was set up last.
    game: Option<GameKind>,
    /// Whether that board is not drawn in full yet.
    pub(crate) is_closed: bool,
    /// When it was (seconds): from then on the picture fades.
    opened_at: Option<f64>,
}

/// Closes the curtain when the board of another game is set up, and opens it once that is
/// drawn. The boards of one game are drawn in the same way.
fn follow_board(mut position: NewPosition, ready: Res<SceneReady>, mut curtain: ResMut<Curtain>) {
    let shown = position.read().map(|position| position.rules.game()).or(curtain.game);
    // Whether the board is ready is known from the next frame on.
    if shown != curtain.game {
        *curtain = Curtain { game: shown, is_closed: true, opened_at: None };
    } else if curtain.is_closed && ready.0 {
        curtain.is_closed = false;
    }
}

fn show(
    mut contexts: EguiContexts,
    mut curtain: ResMut<Curtain>,
    insets: Res<ViewportInsets>,
    settings: Res<Settings>,
) {
    let Ok(context) = contexts.ctx_mut() else { return };
    let now = context.input(|input| input.time);
    let opacity = curtain.bypass_change_detection().opacity(now, settings.reduced_motion);
    if opacity > 0.0 {
        let room = scene_rect(context, &insets);
        paint(context, room, curtain.game, opacity, curtain.is_closed);
        if !curtain.is_closed {
            context.request_repaint();
        }
    }
}

impl Curtain {
    /// How opaque the picture is.
    fn opacity(&mut self, now: f64, is_still: bool) -> f32 {
        if self.is_closed {
            return 1.0;
        }
        if self.game.is_none() || is_still {
            return 0.0;
        }
        let since = now - *self.opened_at.get_or_insert(now);
        #[expect(clippy::cast_possible_truncation, reason = "a share")]
        let opacity = (1.0 - since / FADE) as f32;
        opacity.max(0.0)
    }
}

/// Paints the picture into the room of the board, its colours round it, and what is waited
/// for.
fn paint(context: &Context, room: Rect, game: Option<GameKind>, opacity: f32, waits: bool) {
    let painter = context.layer_painter(LayerId::background());
    let window = context.content_rect();
    let Some(game) = game else { return };
    painter.rect_filled(window, 0, GROUND.gamma_multiply(opacity));
    let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
    if let Some(soft) = board_picture::blurred(context, game) {
        painter.image(soft.id(), window, whole, GROUND_TINT.gamma_multiply(opacity));
    }
    let width = room.width().min(room.height() * board_picture::ASPECT);
    let place = Rect::from_center_size(room.center(), vec2(width, width / board_picture::ASPECT));
    board_picture::paint_on(&painter, place, game, CornerRadius::ZERO, opacity);
    if waits {
        let point = place.center_bottom() - vec2(0.0, space(6));
        let font = FontId::proportional(BODY);
        let galley = painter.layout_no_wrap(tr("title.setting-up").to_owned(), font, TEXT);
        let pill = Rect::from_center_size(point, galley.size() + vec2(space(8), space(4)));
        painter.rect_filled(pill, pill.height() / 2.0, GROUND);
        let text = Align2::CENTER_CENTER.anchor_size(point, galley.size());
        painter.galley(text.min, galley, Color32::WHITE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::scene::api::{SceneCommand, ShownPosition};

    fn set_up(rules: RuleSet) -> SceneCommand {
        let (pieces, captured, sticks) = (Vec::new(), Vec::new(), None);
        SceneCommand::SetPosition(ShownPosition { rules, pieces, captured, sticks })
    }

    #[test]
    fn a_new_board_is_seen_once_it_is_drawn_in_full() {
        let mut app = App::new();
        app.init_resource::<Curtain>()
            .add_message::<SceneCommand>()
            .add_systems(Update, follow_board);
        app.insert_resource(SceneReady(true));
        let is_closed = |app: &mut App, ready: bool, command: Option<SceneCommand>| {
            app.insert_resource(SceneReady(ready));
            app.world_mut().resource_mut::<Messages<SceneCommand>>().clear();
            if let Some(command) = command {
                app.world_mut().write_message(command);
            }
            app.update();
            app.world().resource::<Curtain>().is_closed
        };
        let tablut = || Some(set_up(RuleSet::TablutAshton));
        assert!(is_closed(&mut app, true, tablut()), "its painting is about to begin");
        assert!(is_closed(&mut app, false, None), "it is being painted");
        assert!(!is_closed(&mut app, true, None), "it is painted");
        assert!(!is_closed(&mut app, true, tablut()), "the same board with other pieces");
        assert!(!is_closed(&mut app, false, None), "a pipeline that is compiled late");
        let berkeley = Some(set_up(RuleSet::TablutBerkeley));
        assert!(!is_closed(&mut app, true, berkeley), "other squares of the same game");
        assert!(is_closed(&mut app, true, Some(set_up(RuleSet::Tablan))), "another game");
    }

    #[test]
    fn the_picture_fades_into_the_board_or_gives_way_at_once() {
        let mut curtain =
            Curtain { game: Some(GameKind::Tablan), is_closed: true, opened_at: None };
        assert_eq!(curtain.opacity(1.0, false), 1.0);
        curtain.is_closed = false;
        assert_eq!(curtain.opacity(2.0, false), 1.0, "the fade begins with its first frame");
        let half = curtain.opacity(2.0 + FADE / 2.0, false);
        assert!((half - 0.5).abs() < 1e-3, "{half}");
        assert_eq!(curtain.opacity(3.0, false), 0.0);
        curtain.opened_at = None;
        assert_eq!(curtain.opacity(3.0, true), 0.0, "without motion");
    }
}
