//! What stands over a screen for a while.

pub(crate) mod caption;
pub(crate) mod popups;
pub(crate) mod toast;
pub(crate) mod turn_table;
