//! Pictures in requests. What a file holds is for others to find out.

use base64::Engine;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use crate::fields::{Fields, brief};
use crate::{Failure, Part};

/// Some clients leave the padding out.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &ALPHABET,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// The picture that `text`, what the field `name` holds, is in base64.
pub(crate) fn from_base64(fields: &Fields, name: &str, text: &str) -> Result<Part, Failure> {
    let file = BASE64.decode(text.trim()).map_err(|error| {
        let shown = brief(&text.into());
        fields.refuse(name, format_args!("is {shown}, expected a PNG or JPEG file in base64: {error}"))
    })?;
    if file.is_empty() {
        return Err(fields.refuse(name, "is empty, expected a PNG or JPEG file in base64"));
    }
    Ok(Part::Picture(file))
}

/// The same for a URL, which must hold the picture itself.
pub(crate) fn from_url(fields: &Fields, name: &str, url: &str) -> Result<Part, Failure> {
    let scheme = url.split(':').next().unwrap_or_default().to_ascii_lowercase();
    if scheme == "http" || scheme == "https" {
        let why = "names another machine, from which this server fetches nothing; send the picture itself, as \
                   `data:image/png;base64,…`";
        return Err(fields.refuse(name, why));
    }
    let data = url.get(5..).filter(|_| scheme == "data").and_then(|data| data.split_once(','));
    match data {
        Some((kind, data)) if kind.to_ascii_lowercase().ends_with(";base64") => {
            from_base64(fields, name, data)
        }
        _ => {
            let shown = brief(&url.into());
            Err(fields.refuse(
                name,
                format_args!("is {shown}, expected `data:image/png;base64,…` or a JPEG file so"),
            ))
        }
    }
}
