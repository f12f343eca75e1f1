//! Pictures as people send them, made ready for models that see.
//!
//! - [`Picture::read`] decodes a PNG or JPEG file, within bounds that are checked before memory is taken.
//! - [`gemma3`] makes of it what Gemma 3's published processor does. One such function for each family.
//!
//! This crate knows no models: what becomes of the pixels is not its concern.

mod orientation;
mod picture;
mod resize;

pub use picture::{BYTES_MAX, PIXELS_MAX, Picture, PictureError};

/// The pixels that Gemma 3 sees of a picture: a square of `size`, whatever the picture's shape was. Red, green and blue of each, row
/// by row.
pub fn gemma3(picture: &Picture, size: usize) -> Vec<u8> {
    resize::bilinear(picture, size, size)
}
