//! What these tests share with those of the program `tabulae`.

#[path = "../../../../tests/common/guide.rs"]
pub(crate) mod guide;
#[path = "../../../../tests/common/markdown.rs"]
pub(crate) mod markdown;
#[path = "../../../../tests/common/program.rs"]
pub(crate) mod program;
