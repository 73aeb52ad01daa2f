//! placeholder
use super::Failure;
#[derive(Debug, clap::Args)]
pub(super) struct Args {}
pub(super) fn run(_: &Args) -> Result<(), Failure> { Ok(()) }
