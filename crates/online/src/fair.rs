//! Throws that all contributors make together, by commit and reveal.
//!
//! Each contributor (both players, and the server where there is one) draws a secret
//! and hashes it [`CHAIN_LENGTH`] times with SHA-256. The end of that chain is its
//! commitment, which everybody knows before the first throw. Throw `k` (from 1) needs
//! from each contributor the hash that stands `k` places before the end. Hashing it
//! `k` times gives the commitment, so there is only one such hash, and nobody else can
//! compute it. The throw is the SHA-256 of all these reveals together.
//!
//! What holds: as long as one contributor keeps its secret, nobody foresees or chooses a
//! throw before that contributor has given its part of it. It holds only if that
//! contributor's program remembers the commitments of all and what it has given, because
//! a player who gets the parts of one game for another one knows its throws. So
//! [`SeatSecret`](super::SeatSecret) and [`PostGame::keep`](super::PostGame::keep) save
//! both, and refuse a game that differs.
//!
//! What does not hold: a contributor that reveals last knows the throw first, and can
//! withhold it; the same throw stays due. A record proves that its throws follow from its
//! commitments. It does not prove when those were made, and says nothing about moves,
//! names and results.

use std::fmt;

use data_encoding::BASE64URL_NOPAD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use sha2::{Digest, Sha256};
use thiserror::Error;

use tabulae_games::{Ply, Side, Throw, tablan::throw_of};
use tabulae_records::Record;
use tabulae_session::i18n::LocalizedMessage;

/// The number of hashes between a secret and its commitment, and so more than the
/// throws that a game can have.
pub const CHAIN_LENGTH: usize = 4096;
/// Hashes between two stored links of a chain.
const STRIDE: usize = 64;
/// What a throw's hash begins with, so that it is the hash of nothing else.
const THROW_DOMAIN: &[u8] = b"tabulae throw";

/// The tag of the commitments in a record: those of the first side, the second side
/// and, if there is one, the server.
pub const COMMITMENTS_TAG: &str = "ThrowCommitments";
/// The tag of the reveals of the last throw, in the same order. Those of the earlier
/// throws are their hashes.
pub const REVEALS_TAG: &str = "ThrowReveals";

/// The tag that says how a record's sticks were thrown.
pub(super) const STICKS: (&str, &str) = ("Sticks", "fair");

/// A SHA-256 hash, or a secret of that size. Written as base64url without padding.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hash256(pub [u8; 32]);

impl Hash256 {
    /// A secret from the system's randomness.
    pub fn random() -> Self {
        Self(rand::random())
    }

    /// The hash of this hash.
    #[must_use]
    pub fn hashed(self) -> Self {
        Self::of(&[&self.0])
    }

    /// The hash of bytes, one part after the other.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// Parses what `Display` writes.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }

    /// Whether both are equal, in a time that does not depend on where they differ.
    pub fn same(&self, other: &Self) -> bool {
        let differences = self.0.iter().zip(other.0).fold(0, |all, (one, two)| all | (one ^ two));
        std::hint::black_box(differences) == 0
    }
}

impl fmt::Display for Hash256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64URL_NOPAD.encode(&self.0))
    }
}

/// Without the value, which may be a secret.
impl fmt::Debug for Hash256 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hash256")
    }
}

impl Serialize for Hash256 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Hash256 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("expected a hash in base64url"))
    }
}

/// The hash chain of a contributor's secret.
///
/// ```
/// use tabulae_online::{Chain, Hash256};
///
/// let chain = Chain::new(Hash256([7; 32]));
/// let (first, second) = (chain.reveal(1).unwrap(), chain.reveal(2).unwrap());
/// assert_eq!(first.hashed(), chain.commitment());
/// assert_eq!(second.hashed(), first);
/// ```
#[derive(Clone, Debug)]
pub struct Chain {
    /// Every [`STRIDE`]th link, the secret first.
    stored: Vec<Hash256>,
    commitment: Hash256,
}

impl Chain {
    /// The chain of a secret.
    pub fn new(secret: Hash256) -> Self {
        #[cfg(test)]
        CHAINS_MADE.set(CHAINS_MADE.get() + 1);
        let mut stored = Vec::with_capacity(CHAIN_LENGTH / STRIDE);
        let mut link = secret;
        for place in 0..CHAIN_LENGTH {
            if place % STRIDE == 0 {
                stored.push(link);
            }
            link = link.hashed();
        }
        Self { stored, commitment: link }
    }

    /// The end of the chain, to be published before the first throw.
    pub const fn commitment(&self) -> Hash256 {
        self.commitment
    }

    /// The contribution to throw `number` (1 is the first); `None` past the last throw
    /// that the chain has. The secret itself is never revealed.
    pub fn reveal(&self, number: usize) -> Option<Hash256> {
        let place = CHAIN_LENGTH.checked_sub(number).filter(|place| *place > 0 && number > 0)?;
        let mut link = *self.stored.get(place / STRIDE)?;
        for _ in 0..place % STRIDE {
            link = link.hashed();
        }
        Some(link)
    }
}

#[cfg(test)]
thread_local! {
    static CHAINS_MADE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// How many chains this thread has made.
#[cfg(test)]
pub(super) fn chains_made() -> usize {
    CHAINS_MADE.get()
}

/// The throw that these reveals make: those of the first side, the second side and,
/// if there is one, the server.
pub fn fair_throw(number: usize, reveals: &[Hash256]) -> Throw {
    let number = u32::try_from(number).unwrap_or(u32::MAX).to_be_bytes();
    let mut parts: Vec<&[u8]> = vec![THROW_DOMAIN, &number];
    parts.extend(reveals.iter().map(|reveal| reveal.0.as_slice()));
    let Hash256([a, b, c, d, ..]) = Hash256::of(&parts);
    throw_of(u32::from_be_bytes([a, b, c, d]))
}

/// What is wrong with the proof of a record's throws.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[error("{}", self.message())]
pub enum ProofError {
    /// A tag is missing or unreadable.
    Tag(&'static str),
    /// A reveal does not belong to the commitment.
    Reveal(String),
    /// A throw is not the one that the reveals make.
    Throw {
        /// The throw's number, from 1.
        number: usize,
        /// The number of its ply, from 1.
        ply: usize,
        /// The throw in the record.
        thrown: Throw,
        /// The throw by the reveals.
        proven: Throw,
    },
    /// There are more throws than a chain has.
    TooMany,
}

impl ProofError {
    /// The error as a message that can be translated.
    pub fn message(&self) -> LocalizedMessage {
        match self {
            Self::Tag(tag) => LocalizedMessage::new("why.proof-tag").with("tag", tag),
            Self::Reveal(name) => LocalizedMessage::new("why.proof-reveal").with("name", name),
            Self::Throw { number, ply, thrown, proven } => LocalizedMessage::new("why.proof-throw")
                .with("number", number)
                .with("ply", ply)
                .with("thrown", thrown)
                .with("proven", proven),
            Self::TooMany => LocalizedMessage::new("why.proof-too-many"),
        }
    }
}

/// Verifies the proof of a record's throws. Returns the number of proven throws, or
/// `None` if the record has no commitments.
///
/// # Errors
/// The throws are not those of the proof.
pub fn verify_throws(record: &Record) -> Result<Option<usize>, ProofError> {
    let Some(commitments) = record.tag(COMMITMENTS_TAG) else {
        // A proof that was taken out is not the same as none.
        let claims_proof = record.tag(STICKS.0) == Some(STICKS.1) && record.history().throws() > 0;
        return if claims_proof || record.tag(REVEALS_TAG).is_some() {
            Err(ProofError::Tag(COMMITMENTS_TAG))
        } else {
            Ok(None)
        };
    };
    // A game by post that the second player has not opened yet.
    if commitments.ends_with(" -") && record.history().is_empty() {
        return Ok(Some(0));
    }
    let commitments = parse_hashes(commitments).ok_or(ProofError::Tag(COMMITMENTS_TAG))?;
    let throws: Vec<(usize, Throw)> = (1..)
        .zip(record.history().plies())
        .filter_map(|(ply, played)| match played {
            Ply::Throw(throw) => Some((ply, throw)),
            Ply::Move(_) => None,
        })
        .collect();
    if throws.is_empty() {
        return Ok(Some(0));
    }
    if throws.len() >= CHAIN_LENGTH {
        return Err(ProofError::TooMany);
    }
    let last = record.tag(REVEALS_TAG).and_then(parse_hashes);
    let last = last.filter(|hashes| hashes.len() == commitments.len());
    let last = last.ok_or(ProofError::Tag(REVEALS_TAG))?;
    // Backwards: each reveal is the hash of the one for the next throw.
    let mut reveals = last;
    let mut by_throw = Vec::with_capacity(throws.len());
    for _ in &throws {
        by_throw.push(reveals.clone());
        for reveal in &mut reveals {
            *reveal = reveal.hashed();
        }
    }
    let [first, second] = Side::BOTH.map(|side| record.rules().side_name(side));
    let contributors = [first, second, "the server"];
    for ((name, end), commitment) in contributors.into_iter().zip(reveals).zip(commitments) {
        if end != commitment {
            return Err(ProofError::Reveal(name.to_owned()));
        }
    }
    for ((number, (ply, thrown)), reveals) in (1..).zip(&throws).zip(by_throw.iter().rev()) {
        let proven = fair_throw(number, reveals);
        if proven != *thrown {
            return Err(ProofError::Throw { number, ply: *ply, thrown: *thrown, proven });
        }
    }
    Ok(Some(throws.len()))
}

/// The hashes of a tag: two, or three with a server.
pub(super) fn parse_hashes(text: &str) -> Option<Vec<Hash256>> {
    let hashes: Option<Vec<_>> = text.split_whitespace().map(Hash256::parse).collect();
    hashes.filter(|hashes| (2..=3).contains(&hashes.len()))
}

/// Writes hashes as the tags have them.
pub(super) fn join_hashes(hashes: impl IntoIterator<Item = Hash256>) -> String {
    hashes.into_iter().map(|hash| hash.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(hash: Hash256) -> String {
        data_encoding::HEXLOWER.encode(&hash.0)
    }

    /// Computed with Python's hashlib, so that other programs can do the same.
    #[test]
    fn chains_and_throws_are_as_documented() {
        let chain = Chain::new(Hash256([1; 32]));
        let expected = "eae12326897804ff7f0eec1d19b6784453fbfae646f43aeced0777334bbadcf1";
        assert_eq!(hex(chain.commitment()), expected);
        let reveals = [1_u8, 2, 3].map(|byte| Hash256([byte; 32]));
        let thrown: Vec<u8> = (1..=8).map(|k| fair_throw(k, &reveals).plain()).collect();
        assert_eq!(thrown, [3, 2, 2, 2, 1, 4, 1, 1]);
    }

    #[test]
    fn every_reveal_leads_to_the_commitment() {
        let chain = Chain::new(Hash256::random());
        for number in [1, 2, STRIDE - 1, STRIDE, STRIDE + 1, 1000, CHAIN_LENGTH - 1] {
            let mut link = chain.reveal(number).expect("a reveal");
            for _ in 0..number {
                link = link.hashed();
            }
            assert_eq!(link, chain.commitment(), "{number}");
        }
        assert_eq!((chain.reveal(0), chain.reveal(CHAIN_LENGTH)), (None, None));
    }

    #[test]
    fn fair_throws_have_the_weights_of_the_sticks() {
        let chains = [Chain::new(Hash256::random()), Chain::new(Hash256::random())];
        let mut counts = [0_u32; 5];
        for number in 1..CHAIN_LENGTH {
            let reveals =
                [&chains[0], &chains[1]].map(|chain| chain.reveal(number).expect("a reveal"));
            counts[usize::from(fair_throw(number, &reveals).plain())] += 1;
        }
        // 4095 throws with the weights 1, 4, 6, 4, 1 of 16: within 8 standard deviations.
        for (count, weight) in counts.into_iter().zip([1.0, 4.0, 6.0, 4.0, 1.0]) {
            let (expected, share) = (4095.0 * weight / 16.0, weight / 16.0);
            let deviation = (expected * (1.0_f64 - share)).sqrt();
            assert!((f64::from(count) - expected).abs() < 8.0 * deviation, "{counts:?}");
        }
    }
}
