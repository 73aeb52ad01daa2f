//! Games by post: each player sends the other a text that holds the whole game.
//!
//! No server is needed. Games with throws use the commit and reveal of
//! [`fair_throw`] between the two players alone. A player's program keeps the secret
//! and the last state, and refuses a game that changes what it has seen. Otherwise a player
//! could try several moves and see which throw follows each, or replace the own commitment
//! by one that makes the throws so far and the next one wanted.

use std::{
    io,
    path::{Path, PathBuf},
};

use thiserror::Error;

use super::{
    Chain, Hash256,
    fair::{COMMITMENTS_TAG, ProofError, REVEALS_TAG, verify_throws},
    fair_throws::FairThrows,
    log::new_session,
    message::Terms,
};
use tabulae_games::{Game, Illegal, Ply, RuleSet, Side, Turn};
use tabulae_records::{Record, link, read};
use tabulae_session::{GameSession, i18n::LocalizedMessage, saves_folder, storage};

/// The start of such a fragment; what follows is as in a link that shows a game.
const PREFIX: &str = "turn=";
/// The tag of the game's random name.
const GAME: &str = "Post";
/// The tag of the parts of the throw that is due: those of both sides, `-` where one
/// is missing.
const PARTS: &str = "ThrowParts";

/// Why a game by post cannot be opened or answered.
#[derive(Debug, Error)]
#[non_exhaustive]
#[error("{}", self.message())]
pub enum PostError {
    /// It holds no game by post.
    NoGame,
    /// Its throws are not proven.
    Throws(#[from] ProofError),
    /// The part of a throw is not the committed one, or comes at the wrong time.
    WrongPart,
    /// It is not the continuation of what was seen before.
    Changed,
    /// A commitment is another one than before: its player could choose the throws.
    OtherCommitment(&'static str),
    /// The move is not legal.
    Illegal(#[from] Illegal),
    /// The other player is to act.
    NotYourTurn,
    /// The secret and the state cannot be kept.
    Storage(#[from] io::Error),
}

impl PostError {
    /// The error as a message that can be translated.
    pub fn message(&self) -> LocalizedMessage {
        match self {
            Self::NoGame => LocalizedMessage::new("why.post-no-game"),
            Self::Throws(error) => error.message(),
            Self::WrongPart => LocalizedMessage::new("why.post-wrong-part"),
            Self::Changed => LocalizedMessage::new("why.post-changed"),
            Self::OtherCommitment(side) => {
                LocalizedMessage::new("why.post-other-commitment").with("side", side)
            }
            Self::Illegal(illegal) => illegal.message().into(),
            Self::NotYourTurn => LocalizedMessage::new("why.post-not-your-turn"),
            Self::Storage(error) => LocalizedMessage::new("why.post-storage").with("error", error),
        }
    }
}

/// A game by post.
///
/// ```
/// use tabulae_games::RuleSet;
/// use tabulae_online::{Hash256, PostGame};
///
/// let mut game = PostGame::new(RuleSet::Tablaaza);
/// game.act(Hash256([1; 32]));
/// game.play("c7")?;
/// let again = PostGame::from_fragment(&game.fragment())?;
/// assert_eq!(again.record(), game.record());
/// # Ok::<(), tabulae_online::PostError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PostGame {
    name: Hash256,
    session: GameSession,
    throws: FairThrows<2>,
}

impl PostGame {
    /// A new game. The player who begins it has the first side.
    pub fn new(rules: RuleSet) -> Self {
        let session = new_session(&Terms { rules, clock: None }, [String::new(), String::new()]);
        Self { name: Hash256::random(), session, throws: FairThrows::NEW }
    }

    /// The game of a [fragment](Self::fragment), of a link that ends in it, or of the
    /// command that `tabulae post` prints with it.
    ///
    /// # Errors
    /// There is no such game, or its throws are not proven.
    pub fn from_fragment(text: &str) -> Result<Self, PostError> {
        let text = link::decode_behind(PREFIX, text).map_err(|_| PostError::NoGame)?;
        let mut records = read(&text).map_err(|_| PostError::NoGame)?;
        if records.len() != 1 {
            return Err(PostError::NoGame);
        }
        Self::from_record(&records.remove(0))
    }

    /// The game of a record that [`Self::record`] wrote.
    ///
    /// # Errors
    /// See [`Self::from_fragment`].
    pub fn from_record(record: &Record) -> Result<Self, PostError> {
        let tag = |wanted: &str| record.tag(wanted);
        let name = tag(GAME).and_then(Hash256::parse).ok_or(PostError::NoGame)?;
        let hashes = |wanted: &str| -> Result<[Option<Hash256>; 2], PostError> {
            let Some(text) = tag(wanted) else { return Ok([None; 2]) };
            let words: Vec<_> = text.split(' ').map(Hash256::parse).collect();
            words.try_into().map_err(|_| PostError::NoGame)
        };
        let commitments = hashes(COMMITMENTS_TAG)?;
        let parts = hashes(PARTS)?;
        let plies: Vec<_> = record.history().plies().collect();
        let throws = record.history().throws();
        if commitments.iter().all(Option::is_some) {
            verify_throws(record)?;
        } else if throws > 0 {
            return Err(ProofError::Tag(COMMITMENTS_TAG).into());
        }
        let mut game = Self::new(record.rules());
        if record.history().start() != game.session.history().start() {
            return Err(PostError::NoGame);
        }
        for ply in plies {
            match ply {
                Ply::Move(mv) => game.session.play(mv)?,
                Ply::Throw(throw) => game.session.enter_throw(throw)?,
            };
        }
        let reveals = if throws > 0 { hashes(REVEALS_TAG)? } else { commitments };
        game = Self { name, throws: FairThrows::after(throws, commitments, reveals), ..game };
        for side in Side::BOTH {
            let Some(part) = parts[side.index()] else { continue };
            let is_due = matches!(game.session.turn(), Some(Turn::Throw(_)));
            if !is_due || !game.throws.is_next(side.index(), part) {
                return Err(PostError::WrongPart);
            }
            game.throws.parts[side.index()] = Some(part);
        }
        Ok(game)
    }

    /// The game.
    pub const fn session(&self) -> &GameSession {
        &self.session
    }

    const fn commitment(&self, side: Side) -> Option<Hash256> {
        self.throws.commitments[side.index()]
    }

    /// The side that opens the game next. For a throw that is first the player who
    /// does not throw, and then the one who does.
    pub fn waits_for(&self) -> Option<Side> {
        let turn = self.session.turn()?;
        if self.session.rules().has_sticks()
            && let Some(side) = Side::BOTH.into_iter().find(|side| self.commitment(*side).is_none())
        {
            return Some(side);
        }
        match turn {
            Turn::Move(side) => Some(side),
            Turn::Throw(side) => {
                let other = side.other();
                Some(if self.throws.parts[other.index()].is_none() { other } else { side })
            }
            Turn::Over(_) => None,
        }
    }

    /// Does all that the side that the game waits for can do without a decision: gives
    /// its commitment and its parts, and throws. Afterwards that side is to move, or
    /// the game goes to the other player.
    pub fn act(&mut self, secret: Hash256) {
        let Some(side) = self.waits_for().filter(|_| self.session.rules().has_sticks()) else {
            return;
        };
        let chain = Chain::new(secret);
        while self.waits_for() == Some(side) {
            if self.commitment(side).is_none() {
                self.throws.commit(side.index(), Some(chain.commitment()));
            } else if matches!(self.session.turn(), Some(Turn::Throw(_))) {
                let Some(part) = chain.reveal(self.throws.next_number()) else { return };
                self.throws.parts[side.index()] = Some(part);
                let Some(throw) = self.throws.throw() else { continue };
                if self.session.enter_throw(throw).is_err() {
                    return;
                }
                self.throws.advance();
            } else {
                return;
            }
        }
    }

    /// Plays a move for the side to move.
    ///
    /// # Errors
    /// The move is not legal; the game is unchanged.
    pub fn play(&mut self, text: &str) -> Result<(), PostError> {
        match self.session.history().parse(text)? {
            Ply::Move(mv) => self.session.play(mv).map(drop)?,
            Ply::Throw(_) => return Err(Illegal::MoveDue.into()),
        }
        Ok(())
    }

    /// The game as a record, with the proof of its throws.
    pub fn record(&self) -> Record {
        let mut record = self.session.record(None);
        record.set_tag(GAME, &self.name.to_string());
        if !self.session.rules().has_sticks() {
            return record;
        }
        self.throws.write_proof(&mut record);
        if let [Some(first), None] = self.throws.commitments {
            record.set_tag(COMMITMENTS_TAG, &format!("{first} -"));
        }
        if self.throws.parts.iter().any(Option::is_some) {
            let [one, two] = self.throws.parts.each_ref().map(text_or_dash);
            record.set_tag(PARTS, &format!("{one} {two}"));
        }
        record
    }

    /// The game as text for the other player: `turn=` and letters.
    pub fn fragment(&self) -> String {
        link::encode(&self.record().to_string()).replacen("game=", PREFIX, 1)
    }

    /// The secret of a side on this machine, a new one if there is none, after a check
    /// that the game continues the last state seen there.
    ///
    /// # Errors
    /// The game is another or older than the one seen, or what was kept cannot be read.
    pub fn secret(&self, side: Side) -> Result<Hash256, PostError> {
        self.secret_in(self.path(side).as_deref(), side)
    }

    /// As [`Self::secret`], in this file.
    fn secret_in(&self, path: Option<&Path>, side: Side) -> Result<Hash256, PostError> {
        let Some(path) = path else { return Ok(Hash256::random()) };
        // A file that cannot be read now may hold the secret: a new one would replace it.
        let Some(bytes) = storage::read_if_there(path)? else {
            let is_known = self.commitment(side).is_some();
            // Another secret would give parts that lead to no commitment.
            return if is_known { Err(PostError::Changed) } else { Ok(Hash256::random()) };
        };
        let text = String::from_utf8_lossy(&bytes);
        let mut lines = text.lines();
        let secret = lines.next().and_then(Hash256::parse).ok_or(PostError::Changed)?;
        let seen: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
        let commitments = lines.next().unwrap_or_default().split_whitespace().map(Hash256::parse);
        for ((side, seen), now) in
            Side::BOTH.into_iter().zip(commitments).zip(self.throws.commitments)
        {
            if seen.is_some() && seen != now {
                return Err(PostError::OtherCommitment(self.session.rules().side_name(side)));
            }
        }
        let now = self.plies();
        let continues =
            now.len() >= seen.len() && now.iter().zip(&seen).all(|(now, seen)| now == seen);
        if continues { Ok(secret) } else { Err(PostError::Changed) }
    }

    /// Keeps the secret of a side with the state that it has seen.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn keep(&self, side: Side, secret: Hash256) -> Result<(), PostError> {
        let Some(path) = self.path(side) else { return Ok(()) };
        self.keep_in(&path, secret)
    }

    /// As [`Self::keep`], in this file: the secret, the plies and the commitments.
    fn keep_in(&self, path: &Path, secret: Hash256) -> Result<(), PostError> {
        if let Some(folder) = path.parent() {
            storage::create_dir_all(folder)?;
        }
        let [first, second] = self.throws.commitments.each_ref().map(text_or_dash);
        let text = format!("{secret}\n{}\n{first} {second}\n", self.plies().join(" "));
        Ok(storage::replace_private(path, ".new", text.as_bytes())?)
    }

    fn plies(&self) -> Vec<String> {
        let history = self.session.history();
        (1..=history.len()).filter_map(|number| history.notation(number)).collect()
    }

    fn path(&self, side: Side) -> Option<PathBuf> {
        let name = self.name.to_string();
        let file = format!("post-{}-{}", name.get(..22)?, side.index() + 1);
        Some(saves_folder()?.join("online").join(file))
    }

    /// The moves that can be played now.
    pub fn legal_moves(&self) -> Vec<String> {
        let history = self.session.history();
        let moves = history.legal_moves().into_iter();
        moves.map(|mv| history.position().notation(mv)).collect()
    }
}

/// A hash, or `-` for one that is missing.
fn text_or_dash(hash: &Option<Hash256>) -> String {
    hash.map_or("-".to_owned(), |hash| hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::{super::fair::fair_throw, *};

    /// Plays a game by links alone, and returns its record.
    fn play(rules: RuleSet) -> Record {
        let secrets = [Hash256([1; 32]), Hash256([2; 32])];
        let mut game = PostGame::new(rules);
        for number in 0..20_000 {
            let Some(side) = game.waits_for() else { break };
            game.act(secrets[side.index()]);
            if game.session.turn() == Some(Turn::Move(side)) && game.waits_for() == Some(side) {
                let legal = game.legal_moves();
                game.play(&legal[number * 7919 % legal.len()]).expect("a legal move");
            }
            if number % 5 == 0 {
                game = PostGame::from_fragment(&format!("https://a.b/#{}", game.fragment()))
                    .expect("its own link");
            }
        }
        assert!(game.session.outcome().is_some());
        game.record()
    }

    #[test]
    fn games_are_played_by_links_and_their_throws_are_proven() {
        for rules in [RuleSet::Tablaaza, RuleSet::Tablan] {
            let record = play(rules);
            let proven = verify_throws(&record).expect("a proof");
            assert_eq!(proven.is_some(), rules.has_sticks());
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    fn a_secret_that_cannot_be_read_is_not_taken_for_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let game = PostGame::new(RuleSet::Tablan);
        let path = folder.path().join("post");
        assert!(game.secret_in(Some(&path), Side::First).is_ok(), "there is none yet");
        std::fs::create_dir(&path).expect("a folder in its place");
        let error = game.secret_in(Some(&path), Side::First).expect_err("not a file");
        assert!(matches!(error, PostError::Storage(_)), "{error}");
    }

    /// A secret whose first parts make these throws with the parts of the other player.
    fn wanted(throws: &[u8], others: &Chain) -> Hash256 {
        let fits = |chain: &Chain| {
            (1..).zip(throws).all(|(number, wanted)| {
                let parts = [chain, others].map(|chain| chain.reveal(number).expect("a part"));
                fair_throw(number, &parts).plain() == *wanted
            })
        };
        (0_u32..)
            .map(|number| Hash256::of(&[&number.to_be_bytes()]))
            .find(|secret| fits(&Chain::new(*secret)))
            .expect("a secret")
    }

    /// South tries one secret after the other until the throws so far and the next one come
    /// out as wanted. North's part of that throw is in the message before.
    #[cfg(not(target_arch = "wasm32"))]
    #[test]
    fn a_player_who_replaces_the_own_commitment_is_refused_by_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("post");
        let honest = Chain::new(Hash256([2; 32]));
        let mut game = PostGame::new(RuleSet::Tablan);
        game.act(Hash256([1; 32]));
        // North answers with a commitment and the part of the first throw.
        game.act(Hash256([2; 32]));
        game.keep_in(&path, Hash256([2; 32])).expect("kept");
        let open = |game: &PostGame| {
            let sent = PostGame::from_fragment(&game.fragment()).expect("a proven game");
            sent.secret_in(Some(&path), Side::Second)
        };
        // An honest South throws what comes.
        let mut fair = game.clone();
        fair.act(Hash256([1; 32]));
        assert!(open(&fair).is_ok());
        // A dishonest one chooses: the game that is sent proves its throws.
        let chosen = wanted(&[4], &honest);
        let chain = Chain::new(chosen);
        game.throws.commit(0, Some(chain.commitment()));
        game.act(chosen);
        let throw = game.session.history().plies().next();
        assert!(matches!(throw, Some(Ply::Throw(it)) if it.plain() == 4));
        let error = open(&game).expect_err("another commitment");
        assert!(matches!(error, PostError::OtherCommitment("South")), "{error}");
        // Nor may North's own commitment be taken out.
        let mut without = fair.clone();
        without.throws.commitments[1] = None;
        let error = without.secret_in(Some(&path), Side::Second).expect_err("taken out");
        assert!(matches!(error, PostError::OtherCommitment("North")), "{error}");
    }

    #[test]
    fn a_link_with_a_wrong_part_or_throw_is_refused() {
        let mut game = PostGame::new(RuleSet::Tablan);
        game.act(Hash256([1; 32]));
        assert_eq!(game.waits_for(), Some(Side::Second));
        game.act(Hash256([2; 32]));
        assert_eq!(game.waits_for(), Some(Side::First));
        let mut record = game.record();
        assert!(PostGame::from_record(&record).is_ok());
        record.set_tag(PARTS, &format!("- {}", Hash256([3; 32])));
        let error = PostGame::from_record(&record).expect_err("a wrong part");
        assert!(matches!(error, PostError::WrongPart));
        game.act(Hash256([1; 32]));
        let mut record = game.record();
        record.set_tag(REVEALS_TAG, &format!("{0} {0}", Hash256([3; 32])));
        assert!(matches!(PostGame::from_record(&record), Err(PostError::Throws(_))));
        assert!(matches!(PostGame::from_fragment("https://a.b/#turn=x"), Err(PostError::NoGame)));
    }
}
