//! Everything that the player can ask for by name: one table of commands.
//!
//! A [`Command`] has an id, its words, a hint, an icon, its default keys, when it is
//! offered, whether it is on, and its action. Menus, bars, panels, the list of keys, the
//! help, the command palette and the page's keys are made from [`COMMANDS`].
//!
//! To add a command, add a row to [`COMMANDS`] and its words as `act.ID` to
//! `assets/words`: the row says which of `act.ID-hint` (what it does, in a sentence),
//! `act.ID-also` (other words by which the palette finds it), `act.ID-off` (why it cannot be
//! used now), `act.ID-short` (the words beside its icon)
//! and `act.ID-on` (the words while it is on) it has. Commands that a list joins in one row have `act.SERIES-series`.

mod chord;
mod table;

use crate::{
    app::{core::prelude::*, platform::IS_WEB},
    i18n::lookup,
};

#[cfg(test)]
pub(crate) use self::chord::alt;
#[cfg(any(test, target_arch = "wasm32"))]
pub(crate) use self::chord::key_of_code;
pub(crate) use self::chord::{ctrl, ctrl_shift, is_letter_key, plain, shift};
pub use self::{
    chord::{Chord, KeyPress},
    table::COMMANDS,
};

/// The screens on which a command has its keys, in the order of the lists of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum Scope {
    /// Every screen.
    Everywhere,
    /// Every screen with a board.
    Board,
    /// The screens with a game: the current game and a replay.
    Game,
    /// The screens where squares are selected: the game and the editor.
    Squares,
    /// The current game.
    Table,
    /// A replay.
    Replay,
    /// The position editor.
    Editor,
}

impl Scope {
    /// Whether the scope includes a screen.
    pub const fn is_on(self, screen: Screen) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Board => !matches!(screen, Screen::Title),
            Self::Game => matches!(screen, Screen::Table | Screen::Replay),
            Self::Squares => matches!(screen, Screen::Table | Screen::Editor),
            Self::Table => matches!(screen, Screen::Table),
            Self::Replay => matches!(screen, Screen::Replay),
            Self::Editor => matches!(screen, Screen::Editor),
        }
    }

    /// Whether some screen belongs to both scopes: there a key can mean only
    /// one command.
    pub(crate) fn overlaps(self, other: Self) -> bool {
        [Screen::Title, Screen::Table, Screen::Replay, Screen::Editor]
            .into_iter()
            .any(|screen| self.is_on(screen) && other.is_on(screen))
    }
}

/// The part of the menu in which a command stands, in the order of the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub(crate) enum Menu {
    /// The game on the board.
    Game,
    /// Its moves and variations.
    Moves,
    /// Analysis and learning.
    Study,
    /// Saving, copying and exporting.
    Files,
    /// How the board is seen.
    View,
    /// The program.
    Program,
}

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Icon {
    /// An arrow that turns back.
    Undo,
    /// A light bulb.
    Hint,
    /// A rising line.
    Evaluation,
    /// Three dots.
    More,
    /// An arrow head to the right.
    Open,
    /// A window with a panel at its right.
    Panels,
    /// An arrow head to the left at a bar.
    First,
    /// An arrow head to the left.
    Previous,
    /// A filled triangle.
    Play,
    /// Two bars.
    Pause,
    /// An arrow head to the right, as in [`Icon::Open`].
    Next,
    /// An arrow head to the right at a bar.
    Last,
    /// Two arrows in a ring.
    Loop,
    /// An open book.
    Book,
    /// A target.
    Target,
    /// An arrow that leaves a tray.
    Export,
    /// A square of four squares, as a board is seen from above.
    Board,
    /// The corners of a picture.
    Frame,
}

/// What commands depend on: what the screen shows and what is possible there. The default
/// is the title screen with nothing on the table.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommandContext {
    /// The screen.
    pub screen: Screen,
    /// The rules of the game shown, edited or chosen.
    pub rules: RuleSet,
    /// Whether something lies over the board that can be dismissed.
    pub dismissible: bool,
    /// Whether the panels are hidden.
    pub panels_hidden: bool,
    /// Whether photo mode is on.
    pub photographing: bool,
    /// Whether an earlier position of the game is shown.
    pub views_earlier_ply: bool,
    /// Whether a square is selected or a question is open.
    pub has_selection: bool,
    /// What is on the table; on other screens, a game.
    pub on_table: OnTable,
    /// The command of the exercise's golden button, if it has one.
    pub(crate) golden: Option<&'static str>,
    /// Whether the exercise has a step before this one, and one after it.
    pub(crate) has_steps: [bool; 2],
    /// Whether the step is the last one of a lesson, or of its part about other rules.
    pub(crate) ends_lesson: bool,
    /// Whether all mistakes of a game are practised.
    pub(crate) ends_practice: bool,
    /// Whether an earlier game can be practised then.
    pub(crate) has_earlier_game: bool,
    /// Whether the keyboard's cursor waits on the board for a move.
    pub(crate) cursor_waits: bool,
    /// Whether there is a game on the table, or one that waits.
    pub has_game: bool,
    /// Whether that game, or the replay, has moves or throws.
    pub has_plies: bool,
    /// Whether the game on the table is over.
    pub is_over: bool,
    /// Whether it is played with a person elsewhere.
    pub is_online: bool,
    /// Whether its match goes on with another game.
    pub awaits_next_game: bool,
    /// Whether a person played in it.
    pub has_moves_by_person: bool,
    /// Whether a person has to move.
    pub move_due: bool,
    /// Whether a person has to throw.
    pub throw_due: bool,
    /// Whether the sticks are thrown by hand.
    pub by_hand: bool,
    /// Whether the sticks of a person are thrown without a click.
    pub throws_by_itself: bool,
    /// Whether a hint can be asked for.
    pub can_hint: bool,
    /// Whether there is something to undo on this screen.
    pub can_undo: bool,
    /// Whether there is something to redo on this screen.
    pub can_redo: bool,
    /// The number of plies of the replay.
    pub replay_plies: usize,
    /// The number of them that are shown.
    pub replay_ply: usize,
    /// The speed of the replay, as a factor.
    pub replay_speed: f32,
    /// Whether it plays by itself.
    pub playing: bool,
    /// Whether it starts over at the end.
    pub looping: bool,
    /// Whether the camera follows its moves.
    pub auto_camera: bool,
    /// Whether a variation is shown.
    pub in_variation: bool,
    /// Whether the opened file has several games.
    pub several_games: bool,
    /// Whether the position set up can be played from.
    pub is_playable: bool,
    /// The kinds of pieces of the editor's game.
    pub editor_pieces: [Option<PieceKind>; 3],
    /// The side that is not to move in the editor.
    pub editor_other_side: Option<Side>,
    /// Whether threats are shown.
    pub shows_threats: bool,
    /// Whether the evaluation is shown.
    pub shows_evaluation: bool,
    /// Whether every position is analysed.
    pub analyses: bool,
    /// Whether the opening explorer is open.
    pub explores: bool,
    /// Whether the board is a flat diagram.
    pub diagram: bool,
    /// Whether the course of the pieces is shown.
    pub shows_course: bool,
    /// Whether a picture or an animation is being written.
    pub exports: bool,
    /// Whether saving the replay replaces its file.
    pub saves_in_place: bool,
}

impl CommandContext {
    /// A context that differs from the default one in all that actions depend on.
    fn other() -> Self {
        Self {
            screen: Screen::Editor,
            rules: RuleSet::Tablan,
            golden: Some("next-step"),
            dismissible: true,
            replay_plies: 1,
            replay_speed: 2.0,
            editor_pieces: [Some(PieceKind::King); 3],
            editor_other_side: Some(Side::Second),
            ..Self::default()
        }
    }

    /// Whether an exercise is on the table and shown.
    pub(crate) const fn is_exercise(&self) -> bool {
        self.on_table.is_exercise()
    }

    /// Whether a game, not an exercise, is on the table and shown.
    fn shows_game(&self) -> bool {
        self.screen == Screen::Table && !self.is_exercise()
    }

    /// Whether help would give an exercise away.
    fn solves(&self) -> bool {
        matches!(self.on_table, OnTable::Practice | OnTable::Puzzle)
    }
}

/// Where a command exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Platform {
    Any,
    /// In a window of its own, not on a page.
    Window,
    /// On a page only.
    Page,
}

type GetAction = fn(&CommandContext) -> Action;
type Test = fn(&CommandContext) -> bool;

/// Something that the player can ask for by its name, its key or its button.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// The stable name in the settings file and of its texts.
    pub id: &'static str,
    /// The screens on which it has its keys.
    pub scope: Scope,
    action: GetAction,
    /// The keys it has unless the player changes them.
    default_chords: &'static [Chord],
    /// The same on a page, where browsers keep those for themselves.
    page_chords: Option<&'static [Chord]>,
    platform: Platform,
    pub(crate) menu: Option<Menu>,
    icon: Option<Icon>,
    /// Whether only its keys ask for it: no list has it.
    is_key_only: bool,
    is_offered: Option<Test>,
    is_enabled: Option<Test>,
    is_on: Option<Test>,
    /// The end of the key of its words, where they differ by the context.
    words: Option<fn(&CommandContext) -> &'static str>,
}

/// Commands are the same if their names are.
impl PartialEq for Command {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Command {}

/// A row of the table.
impl Command {
    const fn new(scope: Scope, id: &'static str, action: GetAction) -> Self {
        Self {
            id,
            scope,
            action,
            default_chords: &[],
            page_chords: None,
            platform: Platform::Any,
            menu: None,
            icon: None,
            is_key_only: false,
            is_offered: None,
            is_enabled: None,
            is_on: None,
            words: None,
        }
    }

    const fn keys(self, default_chords: &'static [Chord]) -> Self {
        Self { default_chords, ..self }
    }

    const fn keys_on_page(self, page_chords: &'static [Chord]) -> Self {
        Self { page_chords: Some(page_chords), ..self }
    }

    const fn only_in(self, platform: Platform) -> Self {
        Self { platform, ..self }
    }

    const fn in_menu(self, menu: Menu) -> Self {
        Self { menu: Some(menu), ..self }
    }

    const fn icon_of(self, icon: Icon) -> Self {
        Self { icon: Some(icon), ..self }
    }

    const fn key_only(self) -> Self {
        Self { is_key_only: true, ..self }
    }

    /// Lists have it only where this holds.
    const fn offered(self, test: Test) -> Self {
        Self { is_offered: Some(test), ..self }
    }

    /// It is disabled where this does not hold; `act.ID-off` says why.
    const fn enabled(self, test: Test) -> Self {
        Self { is_enabled: Some(test), ..self }
    }

    /// It switches something that is on where this holds.
    const fn switch(self, test: Test) -> Self {
        Self { is_on: Some(test), ..self }
    }

    /// Its words end with this, in the key of their text.
    const fn words(self, words: fn(&CommandContext) -> &'static str) -> Self {
        Self { words: Some(words), ..self }
    }
}

impl Command {
    /// The command of this id.
    ///
    /// # Panics
    /// Without one; a test presses every button that names a command.
    pub(crate) fn named(id: &str) -> &'static Self {
        Self::find(id).unwrap_or_else(|| panic!("no command {id}"))
    }

    /// The lesson of a game.
    pub(crate) fn lesson(game: GameKind) -> &'static Self {
        Self::named(match game {
            GameKind::Tablut => "start-lesson-tablut",
            GameKind::Tablan => "start-lesson-tablan",
            GameKind::Tablaaza => "start-lesson-tablaaza",
        })
    }

    /// The command of this id, if there is one.
    pub fn find(id: &str) -> Option<&'static Self> {
        COMMANDS.iter().find(|command| command.id == id)
    }

    /// The keys it has unless the player changes them.
    pub fn default_chords(&self) -> &'static [Chord] {
        self.default_chords_on(IS_WEB)
    }

    /// The default keys in a window of its own, or on a page.
    pub(crate) fn default_chords_on(&self, page: bool) -> &'static [Chord] {
        self.page_chords.filter(|_| page).unwrap_or(self.default_chords)
    }

    /// Whether it stands for different actions in different contexts.
    pub(crate) fn depends_on_context(&self) -> bool {
        self.action(&CommandContext::default()) != self.action(&CommandContext::other())
    }

    /// Whether this platform has the command.
    pub const fn exists(&self) -> bool {
        match self.platform {
            Platform::Any => true,
            Platform::Window => !IS_WEB,
            Platform::Page => IS_WEB,
        }
    }

    /// Whether it has a use here: lists of commands show it.
    pub fn is_offered(&self, context: &CommandContext) -> bool {
        self.exists()
            && self.scope.is_on(context.screen)
            && self.is_offered.is_none_or(|test| test(context))
    }

    /// Whether the menu shows it here.
    pub(crate) fn is_in_menu(&self, context: &CommandContext) -> bool {
        self.menu.is_some() && self.is_offered(context)
    }

    /// Whether the palette lists it here.
    pub(crate) fn is_in_palette(&self, context: &CommandContext) -> bool {
        !self.is_key_only && self.is_offered(context)
    }

    /// Whether it can be used now.
    pub fn is_enabled(&self, context: &CommandContext) -> bool {
        self.is_enabled.is_none_or(|test| test(context))
    }

    /// Whether it switches something.
    pub(crate) const fn is_switch(&self) -> bool {
        self.is_on.is_some()
    }

    /// Whether what it switches is on.
    pub fn is_on(&self, context: &CommandContext) -> bool {
        self.is_on.is_some_and(|test| test(context))
    }

    /// The action it stands for.
    pub fn action(&self, context: &CommandContext) -> Action {
        (self.action)(context)
    }

    /// Its icon, if it has one.
    pub(crate) fn icon(&self, context: &CommandContext) -> Option<Icon> {
        match self.icon {
            Some(Icon::Play) if context.playing => Some(Icon::Pause),
            icon => icon,
        }
    }
}

/// Its texts.
impl Command {
    /// Its name in lists, in the current language.
    pub fn name(&self) -> String {
        let (key, end) = self.text_key();
        lookup(&key).unwrap_or(self.id).replace("{end}", end.unwrap_or_default())
    }

    /// The name of the commands that differ from it by the end of their ids; none where
    /// there are none.
    pub(crate) fn series(&self) -> Option<&'static str> {
        let (series, _) = self.id.rsplit_once('-')?;
        lookup(&format!("act.{series}-series"))
    }

    /// The text on its button.
    pub(crate) fn text(&self, context: &CommandContext) -> String {
        let end = self.words.map(|words| words(context)).filter(|end| !end.is_empty());
        let own = end.and_then(|end| lookup(&format!("act.{}{end}", self.id)));
        own.map_or_else(|| self.name(), str::to_owned)
    }

    /// The text beside its icon.
    pub(crate) fn short_text(&self, context: &CommandContext) -> String {
        let short = lookup(&format!("act.{}-short", self.id));
        short.map_or_else(|| self.text(context), str::to_owned)
    }

    /// What it does, in a sentence; empty where the name says it.
    pub(crate) fn hint(&self) -> &'static str {
        lookup(&format!("{}-hint", self.text_key().0)).unwrap_or_default()
    }

    /// Why it cannot be used now; none where it can.
    pub(crate) fn refusal(&self, context: &CommandContext) -> Option<&'static str> {
        let why = || lookup(&format!("act.{}-off", self.id)).unwrap_or_default();
        (!self.is_enabled(context)).then(why)
    }

    /// Whether each word of `wanted` is part of its texts, in any language. `wanted` is
    /// in small letters.
    pub(crate) fn matches(&self, wanted: &str) -> bool {
        let texts = Language::ALL.map(|language| self.searched_text(language)).join("\n");
        wanted.split_whitespace().all(|word| texts.contains(word))
    }

    /// Name, hint and the words that mean the same, in one language, in small letters.
    fn searched_text(&self, language: Language) -> String {
        let (key, end) = self.text_key();
        let texts = ["", "-on", "-solution", "-other-rules", "-hint", "-also"].map(|end| {
            let text = language.texts().get(&format!("{key}{end}"));
            text.map_or("", String::as_str).to_lowercase()
        });
        texts.join("\n").replace("{end}", &end.unwrap_or_default().to_lowercase())
    }

    /// The key of its name, and the number or the game with which its id ends.
    fn text_key(&self) -> (String, Option<&'static str>) {
        let Some((series, end)) = self.id.rsplit_once('-') else {
            return (format!("act.{}", self.id), None);
        };
        let number = end.parse::<u8>().ok().map(|_| end);
        match number.or_else(|| lookup(&format!("game.{end}"))) {
            Some(end) => (format!("act.{series}"), Some(end)),
            None => (format!("act.{}", self.id), None),
        }
    }
}
