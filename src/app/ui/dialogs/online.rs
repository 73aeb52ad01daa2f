//! Playing with a person elsewhere: creating and joining a game, the invitation, and who
//! is connected.

use qrcode::{Color, EcLevel, QrCode};

use super::{
    CloseButton, DialogWindow, WindowLayout, confirmation::Confirmation, dialog_opened,
    settings::check_box, while_open,
};
#[cfg(target_arch = "wasm32")]
use crate::app::platform::notification;
use crate::{
    app::{
        capture::clipboard::PageAddress,
        game::my_games::{MyGame, MyGames},
        ui::{game_texts::sentence, prelude::*, screens::title::SelectedGame, widgets},
    },
    online::{
        GameLink, GameStatus, OnlineGame, OnlineState, Standing, Terms, calendar, describe_status,
    },
    session::player_label,
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<OnlineDialog>()
        .add_systems(Update, prepare.run_if(dialog_opened(Dialog::Online)).in_set(AppSet::Report))
        .add_systems(EguiPrimaryContextPass, while_open(Dialog::Online, show));
}

/// What is typed in the dialog, and what it offers.
#[derive(Resource, Debug, Default)]
pub(crate) struct OnlineDialog {
    /// The address of the server for a new game.
    pub(crate) server: String,
    /// The link to join.
    pub(crate) link: String,
    /// Why the typed link is none.
    problem: Option<String>,
    /// Whether it shows an invitation: then it closes once the game begins.
    is_waiting: bool,
    /// What was copied last.
    copied: String,
}

fn prepare(
    mut dialog: ResMut<OnlineDialog>,
    settings: Res<Settings>,
    page: Res<PageAddress>,
    mut my_games: ResMut<MyGames>,
) {
    let server = match &page.0 {
        _ if !settings.online_server.is_empty() => settings.online_server.clone(),
        Some(page) => page.clone(),
        None => String::new(),
    };
    my_games.is_wanted = true;
    *dialog = OnlineDialog { server, ..OnlineDialog::default() };
}

fn show(
    mut window: DialogWindow,
    mut dialog: ResMut<OnlineDialog>,
    mut choice: ResMut<SelectedGame>,
    (online, results, my_games): (Res<OnlineTable>, Res<GameResults>, Res<MyGames>),
    (referee, autosave): (Res<Referee>, Res<Autosave>),
    mut confirmation: ResMut<Confirmation>,
    mut settings: ResMut<Settings>,
) {
    // A new game is the likely choice, where there is none.
    let has_form = online.game().is_none() && !online.is_creating();
    let close = if has_form { CloseButton::Plain } else { CloseButton::Golden };
    let layout = WindowLayout { width: 560.0, close, ..WindowLayout::default() };
    // The invitation is taken: the board is what matters now.
    let has_begun = online.state() == Some(OnlineState::Playing);
    let is_waiting = online.state() == Some(OnlineState::Waiting);
    let closes = std::mem::replace(&mut dialog.is_waiting, is_waiting) && has_begun;
    let server = dialog.server.trim().to_owned();
    let mut is_created = false;
    let mut notify = settings.notify_turns;
    window.show_until(&layout, |ui, actions| {
        widgets::dialog_title(ui, tr("friend.title"));
        ui.add_space(space(1));
        if let Some(problem) = online.problem() {
            widgets::wrapped(ui, &sentence(&problem.localized()), BODY, ERROR);
        }
        match online.game() {
            Some(game) => state(ui, &online, game, &mut dialog.copied, actions),
            None if online.is_creating() => {
                widgets::wrapped(ui, tr("online.connecting"), BODY, TEXT);
                if widgets::button(ui, tr("ask.let-go")).clicked() {
                    actions.push(OnlineAction::Leave.into());
                }
            }
            None => {
                here(ui, &choice, &mut confirmation, (&referee, &autosave), actions);
                list_games(ui, &my_games.games, &choice, &mut dialog.copied, &mut notify, actions);
                is_created =
                    new_game(ui, &mut dialog, &mut choice, &results.known_names(), actions);
                ui.separator();
                join(ui, &mut dialog, &choice, actions);
            }
        }
        closes
    });
    if is_created {
        settings.online_server = server;
    }
    settings.map_unchanged(|settings| &mut settings.notify_turns).set_if_neq(notify);
}

/// The nearest friend: one at this screen.
fn here(
    ui: &mut Ui,
    choice: &NewGameChoice,
    confirmation: &mut Confirmation,
    (referee, autosave): (&Referee, &Autosave),
    actions: &mut Vec<Action>,
) {
    widgets::heading(ui, tr("title.two-players-hint"));
    if widgets::button(ui, tr("friend.play-here")).clicked() {
        let mut choice = choice.clone();
        for side in Side::BOTH {
            choice.set_seat(side, Seat::Person);
        }
        let action = GameAction::NewGame(choice.setup());
        confirmation.guard(action, referee, autosave, actions);
    }
    ui.separator();
}

/// The side that the title screen gives the player, else the first.
fn own_side(choice: &NewGameChoice) -> Side {
    if choice.seats[0] != Seat::Person && choice.seats[1] == Seat::Person {
        Side::Second
    } else {
        Side::First
    }
}

fn own_name(choice: &NewGameChoice) -> String {
    choice.names[own_side(choice).index()].clone()
}

fn list_games(
    ui: &mut Ui,
    games: &[MyGame],
    choice: &NewGameChoice,
    copied: &mut String,
    notify: &mut bool,
    actions: &mut Vec<Action>,
) {
    if games.is_empty() {
        return;
    }
    widgets::heading(ui, tr("friend.go-on"));
    for game in games {
        let status = game.status.as_ref().map(describe_status);
        let status = status.map_or_else(|| tr("online.connecting").to_owned(), |it| sentence(&it));
        ui.horizontal_wrapped(|ui| {
            if widgets::button(ui, &game.seat.label()).clicked() {
                let (link, name) = (game.seat.link.clone(), own_name(choice));
                actions.push(OnlineAction::Join { link, name }.into());
            }
            if let Some(deadline) = &game.deadline {
                let text = calendar(std::slice::from_ref(deadline));
                copy_button(ui, tr("friend.calendar"), tr("friend.calendar-hint"), text, copied);
            }
        });
        let is_ours = matches!(game.status, Some(Ok(GameStatus { standing: Standing::Yours, .. })));
        let color = if is_ours { ACCENT } else { MUTED };
        widgets::wrapped(ui, &status, SMALL, color);
    }
    check_box(ui, notify, tr("friend.notify-turns"));
    #[cfg(target_arch = "wasm32")]
    if notification::may_ask() && widgets::button(ui, tr("friend.notify")).clicked() {
        notification::request();
    }
    ui.separator();
}

/// A new game as the title screen has it; whether it was created.
fn new_game(
    ui: &mut Ui,
    dialog: &mut OnlineDialog,
    choice: &mut NewGameChoice,
    known_names: &[String],
    actions: &mut Vec<Action>,
) -> bool {
    let side = own_side(choice);
    widgets::heading(ui, tr("friend.new-game"));
    let clock = choice.clock.map_or_else(|| tr("title.no-clock").to_owned(), game_texts::clock);
    let names = [
        ("rules", rules_label(choice.rules)),
        ("clock", clock.as_str()),
        ("side", side_label(choice.rules, side)),
    ];
    widgets::note(ui, &tr_args("friend.terms", &names));
    widgets::name_field(ui, tr("title.your-name"), &mut choice.names[side.index()], known_names);
    widgets::note(ui, tr("friend.server-hint"));
    let line = widgets::text_field(ui, tr("friend.server"), &mut dialog.server, "https://");
    let is_entered = line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    let size = vec2(space(40), CONTROL_HEIGHT);
    let create = widgets::primary_button(ui, tr("friend.create"), size);
    if ui.memory(|memory| memory.focused().is_none()) {
        create.request_focus();
    }
    let is_pressed = create.clicked();
    let page = dialog.server.trim();
    if !(is_pressed || is_entered) || page.is_empty() {
        return false;
    }
    let terms = Terms { rules: choice.rules, clock: choice.clock };
    let (page, name) = (page.to_owned(), choice.names[side.index()].clone());
    actions.push(OnlineAction::Create { page, terms, side, name }.into());
    true
}

fn join(ui: &mut Ui, dialog: &mut OnlineDialog, choice: &NewGameChoice, actions: &mut Vec<Action>) {
    widgets::heading(ui, tr("friend.join"));
    let line = widgets::text_field(ui, tr("friend.link"), &mut dialog.link, tr("friend.link-hint"));
    if line.changed() {
        dialog.problem = None;
    }
    let is_entered = line.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if let Some(problem) = &dialog.problem {
        widgets::wrapped(ui, problem, BODY, ERROR);
    }
    let is_pressed = widgets::button(ui, tr("friend.join-now")).clicked();
    let link = dialog.link.trim();
    if (is_pressed || is_entered) && !link.is_empty() {
        match link.parse::<GameLink>() {
            Ok(_) => {
                let (link, name) = (link.to_owned(), own_name(choice));
                actions.push(OnlineAction::Join { link, name }.into());
            }
            Err(problem) => dialog.problem = Some(sentence(&problem.message().localized())),
        }
    }
}

/// The game that is on, or waits for the other player.
fn state(
    ui: &mut Ui,
    online: &OnlineTable,
    game: &OnlineGame,
    copied: &mut String,
    actions: &mut Vec<Action>,
) {
    for line in status_lines(game) {
        widgets::wrapped(ui, &line, BODY, TEXT);
    }
    ui.add_space(space(1));
    for code in game.asking_devices() {
        let code_of = [("code", code.as_str())];
        widgets::wrapped(ui, &tr_args("online.seat-asked", &code_of), BODY, TEXT);
        let button = widgets::button(ui, &tr_args("friend.admit", &code_of));
        if button.on_hover_text(tr("friend.admit-hint")).clicked() {
            actions.push(OnlineAction::Admit { code }.into());
        }
    }
    if game.state() == OnlineState::Waiting
        && let Some(link) = online.invitation()
    {
        widgets::heading(ui, tr("friend.invite"));
        widgets::note(ui, tr("friend.invite-hint"));
        let text = link.to_string();
        ui.horizontal_top(|ui| {
            let label = tr("friend.qr");
            qr_code(ui, &text, label);
            ui.vertical(|ui| {
                link_text(ui, &text);
                copy_button(ui, tr("friend.copy"), "", text, copied);
            });
        });
    }
    ui.horizontal_wrapped(|ui| {
        if let Some(link) = online.spectator_link() {
            copy_button(ui, tr("friend.copy-watch"), "", link.to_string(), copied);
        }
        if !game.link().is_spectator {
            let hint = tr("friend.copy-own-hint");
            copy_button(ui, tr("friend.copy-own"), hint, game.link().to_string(), copied);
        }
        if widgets::button(ui, tr("friend.leave")).on_hover_text(tr("friend.leave-hint")).clicked()
        {
            actions.push(OnlineAction::Leave.into());
        }
    });
}

/// Copies a text, and says so until another is copied.
fn copy_button(ui: &mut Ui, label: &str, hint: &str, text: String, copied: &mut String) {
    let label = if *copied == text { tr("friend.copied") } else { label };
    let mut button = widgets::button(ui, label);
    if !hint.is_empty() {
        button = button.on_hover_text(hint);
    }
    if button.clicked() {
        ui.ctx().copy_text(text.clone());
        *copied = text;
    }
}

/// The link, to be read and selected.
fn link_text(ui: &mut Ui, text: &str) {
    let mut shown = text;
    let field = TextEdit::multiline(&mut shown).desired_rows(2).desired_width(f32::INFINITY);
    let response = ui.add(field);
    response.widget_info(|| WidgetInfo::labeled(WidgetType::TextEdit, true, text));
}

/// What is going on, in sentences.
fn status_lines(game: &OnlineGame) -> Vec<String> {
    let mut lines = Vec::new();
    match (game.state(), game.session(), game.side()) {
        (OnlineState::Connecting, ..) => lines.push(tr("online.connecting").to_owned()),
        (OnlineState::Waiting, ..) => lines.push(tr("online.waiting").to_owned()),
        (_, Some(session), Some(side)) => {
            let other = side.other();
            let player = player_label(session, other);
            let key = if game.is_present(other) { "friend.here" } else { "friend.away" };
            lines.push(tr_args(key, &[("name", &player)]));
        }
        _ => lines.push(tr("online.you-watch").to_owned()),
    }
    lines.extend(connection_text(game));
    lines
}

/// The latency and the number of spectators, in a line; `None` without a connection.
pub(crate) fn connection_text(game: &OnlineGame) -> Option<String> {
    let latency = game.latency()?.as_millis().to_string();
    let spectators = game.spectators().to_string();
    let key = if game.spectators() == 0 { "friend.latency" } else { "friend.latency-watched" };
    Some(tr_args(key, &[("latency", &latency), ("count", &spectators)]))
}

/// Why the table waits, in place of whose turn it is; `None` while it does not.
pub(crate) fn waiting_text(online: &OnlineTable, table: &GameSession) -> Option<&'static str> {
    match online.state() {
        _ if !table.is_online() || table.outcome().is_some() => None,
        None => Some(tr("friend.not-connected")),
        Some(OnlineState::Playing) if waits_for_other_part(online) => {
            Some(tr("online.throw-begun"))
        }
        Some(OnlineState::Connecting) => Some(tr("online.connecting")),
        Some(OnlineState::Waiting) => Some(tr("online.waiting")),
        Some(OnlineState::Refused) => Some(tr("friend.not-connected")),
        Some(OnlineState::Playing | OnlineState::Over) => None,
    }
}

/// Whether our throw lacks the other player's part, which its program gives by itself.
fn waits_for_other_part(online: &OnlineTable) -> bool {
    online.game().is_some_and(|game| {
        let thrower = game.session().and_then(GameSession::turn);
        matches!(thrower, Some(Turn::Throw(side)) if game.waits_for() == Some(side.other()))
    })
}

/// A picture that a telephone's camera reads as the link.
fn qr_code(ui: &mut Ui, text: &str, label: &str) {
    let Ok(code) = QrCode::with_error_correction_level(text, EcLevel::L) else { return };
    // The standard wants four light modules around it.
    let (modules, quiet) = (code.width(), 4);
    #[expect(clippy::cast_precision_loss, reason = "at most 177 modules")]
    let size = (modules + 2 * quiet) as f32 * MODULE;
    let (rect, response) = ui.allocate_exact_size(vec2(size, size), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, label));
    let painter = ui.painter();
    painter.rect_filled(rect, 2, Color32::WHITE);
    for (index, color) in code.to_colors().into_iter().enumerate() {
        if color == Color::Dark {
            #[expect(clippy::cast_precision_loss, reason = "at most 177 modules")]
            let (x, y) = ((index % modules + quiet) as f32, (index / modules + quiet) as f32);
            let corner = rect.min + vec2(x, y) * MODULE;
            let module = Rect::from_min_size(pos2(corner.x, corner.y), vec2(MODULE, MODULE));
            painter.rect_filled(module, 0, Color32::BLACK);
        }
    }
}

/// The size of a module of the code, in points.
const MODULE: f32 = 4.0;
