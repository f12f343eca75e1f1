//! A decoded picture.

use std::io::Cursor;

use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use crate::orientation::{Orientation, orientation};

/// The longest file that is read, and the most pixels it may have.
pub const BYTES_MAX: usize = 32 << 20;
pub const PIXELS_MAX: usize = 40_000_000;

/// Pixels, upright: red, green and blue of each, row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<u8>,
}

/// Why a file shows nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PictureError {
    #[error("the picture is empty; expected a PNG or JPEG file")]
    Empty,
    #[error("the picture is {found}; expected a PNG or JPEG file")]
    Unknown { found: String },
    #[error("the picture has {found} bytes; expected at most {BYTES_MAX}")]
    TooLong { found: usize },
    #[error("the picture has {width} × {height} pixels; expected 1 to {PIXELS_MAX} in all")]
    TooLarge { width: usize, height: usize },
    #[error("the picture is a {kind} file that cannot be decoded: {reason}")]
    Broken { kind: &'static str, reason: String },
}

impl Picture {
    /// Decode a PNG or JPEG file. What is transparent is shown on white, as the published processors do.
    pub fn read(file: &[u8]) -> Result<Picture, PictureError> {
        if file.len() > BYTES_MAX {
            return Err(PictureError::TooLong { found: file.len() });
        }
        match file {
            [] => Err(PictureError::Empty),
            [0x89, b'P', b'N', b'G', ..] => read_png(file),
            [0xff, 0xd8, ..] => read_jpeg(file),
            _ => Err(PictureError::Unknown { found: kind_of(file) }),
        }
    }

    fn turned(self, orientation: Orientation) -> Picture {
        let Orientation { transposed, flipped_x, flipped_y } = orientation;
        if orientation == Orientation::default() {
            return self;
        }
        let (width, height) = if transposed { (self.height, self.width) } else { (self.width, self.height) };
        let mut pixels = Vec::with_capacity(self.pixels.len());
        for y in 0..height {
            for x in 0..width {
                let x = if flipped_x { width - 1 - x } else { x };
                let y = if flipped_y { height - 1 - y } else { y };
                let (x, y) = if transposed { (y, x) } else { (x, y) };
                pixels.extend_from_slice(&self.pixels[(y * self.width + x) * 3..][..3]);
            }
        }
        Picture { width, height, pixels }
    }
}

/// Refuses what would take too much memory.
fn check(width: usize, height: usize) -> Result<(), PictureError> {
    match width.checked_mul(height) {
        Some(1..=PIXELS_MAX) => Ok(()),
        _ => Err(PictureError::TooLarge { width, height }),
    }
}

fn read_png(file: &[u8]) -> Result<Picture, PictureError> {
    let broken = |error: png::DecodingError| PictureError::Broken { kind: "PNG", reason: error.to_string() };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(file), png::Limits { bytes: 8 * PIXELS_MAX });
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    // Palettes become colours, and all channels eight bits.
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let header = decoder.read_header_info().map_err(broken)?;
    let (width, height) = (header.width as usize, header.height as usize);
    check(width, height)?;
    let mut reader = decoder.read_info().map_err(broken)?;
    let bytes = reader.output_buffer_size().ok_or(PictureError::TooLarge { width, height })?;
    let mut values = vec![0; bytes];
    let frame = reader.next_frame(&mut values).map_err(broken)?;
    values.truncate(frame.buffer_size());
    let pixels = match frame.color_type.samples() {
        1 => values.iter().flat_map(|grey| [*grey; 3]).collect(),
        2 => values.as_chunks().0.iter().flat_map(|&[grey, alpha]| [on_white(grey, alpha); 3]).collect(),
        4 => {
            let pixels = values.as_chunks().0.iter();
            pixels
                .flat_map(|&[red, green, blue, alpha]| [red, green, blue].map(|value| on_white(value, alpha)))
                .collect()
        }
        _ => values,
    };
    let turn = reader.info().exif_metadata.as_deref().map(orientation).unwrap_or_default();
    Ok(Picture { width, height, pixels }.turned(turn))
}

/// As PIL rounds it.
fn on_white(value: u8, alpha: u8) -> u8 {
    let [value, alpha] = [value, alpha].map(u32::from);
    ((value * alpha + 255 * (255 - alpha) + 127) / 255) as u8
}

fn read_jpeg(file: &[u8]) -> Result<Picture, PictureError> {
    let broken = |error: String| PictureError::Broken { kind: "JPEG", reason: error };
    let side = u16::MAX as usize;
    let options = DecoderOptions::default()
        .set_max_width(side)
        .set_max_height(side)
        .set_strict_mode(false)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(file), options);
    decoder.decode_headers().map_err(|error| broken(error.to_string()))?;
    let (width, height) = decoder.dimensions().ok_or_else(|| broken("it says no size".into()))?;
    check(width, height)?;
    let turn = decoder.exif().map(|exif| orientation(exif)).unwrap_or_default();
    let pixels = decoder.decode().map_err(|error| broken(error.to_string()))?;
    if pixels.len() != width * height * 3 {
        return Err(broken(format!("it has {} values for {width} × {height} pixels of 3", pixels.len())));
    }
    Ok(Picture { width, height, pixels }.turned(turn))
}

/// What a file seems to be, for a message.
fn kind_of(file: &[u8]) -> String {
    let known = match file {
        [b'G', b'I', b'F', b'8', ..] => "a GIF file",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "a WebP file",
        [b'B', b'M', ..] => "a BMP file",
        [b'I', b'I', b'*', 0, ..] | [b'M', b'M', 0, b'*', ..] => "a TIFF file",
        [_, _, _, _, b'f', b't', b'y', b'p', b'h', b'e', b'i' | b'v', ..] => "a HEIF file",
        [b'<', ..] => "a text, perhaps SVG",
        _ => {
            return format!(
                "no picture that is known here: it begins with {:02x?}",
                &file[..file.len().min(4)]
            );
        }
    };
    known.to_owned()
}
