//! One game being played (in the making).
