//! The 3D table (in the making).
