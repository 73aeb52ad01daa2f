//! Thinking (in the making).
