//! How a camera was held, as EXIF tells it.

/// What to do to stored pixels: show columns as rows, then from right to left, then from bottom to top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Orientation {
    pub transposed: bool,
    pub flipped_x: bool,
    pub flipped_y: bool,
}

/// From a TIFF structure; as stored where it says nothing that makes sense.
pub(crate) fn orientation(exif: &[u8]) -> Orientation {
    let (transposed, flipped_x, flipped_y) = match tag(exif).unwrap_or(1) {
        2 => (false, true, false),
        3 => (false, true, true),
        4 => (false, false, true),
        5 => (true, false, false),
        6 => (true, true, false),
        7 => (true, true, true),
        8 => (true, false, true),
        _ => (false, false, false),
    };
    Orientation { transposed, flipped_x, flipped_y }
}

/// The value of the tag `Orientation` in the first directory.
fn tag(exif: &[u8]) -> Option<u16> {
    const ORIENTATION: u16 = 0x0112;
    let exif = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    let little = match exif.get(..2)? {
        b"II" => true,
        b"MM" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = *exif.get(at..)?.first_chunk()?;
        Some(if little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let long = |at: usize| {
        let bytes = *exif.get(at..)?.first_chunk()?;
        Some(if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) } as usize)
    };
    let directory = long(4)?;
    let entries = usize::from(short(directory)?);
    let at =
        (0..entries).map(|entry| directory + 2 + 12 * entry).find(|at| short(*at) == Some(ORIENTATION))?;
    short(at + 8)
}
