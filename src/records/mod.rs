//! `.tab` records (in the making).
