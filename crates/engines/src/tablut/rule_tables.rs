//! A rule set, and the network that evaluates its positions.

use std::ops::Deref;

use tabulae_games::tablut::Rules;
pub(super) use tabulae_games::tablut::{BLACK, KING, WHITE};

use super::network::Network;

/// A rule set with its network. It derefs to the [`Rules`], which move generation reads.
#[derive(Debug)]
pub(super) struct RuleTables {
    pub(super) rules: &'static Rules,
    pub(super) network: Network,
}

impl RuleTables {
    pub(super) const fn new(rules: &'static Rules, network: Network) -> Self {
        Self { rules, network }
    }
}

impl Deref for RuleTables {
    type Target = Rules;

    #[inline]
    fn deref(&self) -> &Rules {
        self.rules
    }
}
