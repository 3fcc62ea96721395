//! Which image of an operator is which program.

/// Rows of the image table for the operators' images; a row of the user for such an image wins.
pub const IMAGES: &str = include_str!("images.yaml");
