//! Pictures beside what a person says.

use anyhow::{Context, Result, bail};
use std::path::Path;
use tandem_runtime::{Content, Message, Part, Role};

/// As much as the API takes with a request.
const BYTES_MAX: u64 = 32 << 20;

/// A picture's file. What is in it is looked at when it is shown to a model.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    let shown = path.display();
    let bytes = std::fs::metadata(path).with_context(|| format!("cannot read the picture {shown}"))?.len();
    if bytes > BYTES_MAX {
        bail!("the picture {shown} has {} MB; expected at most {}", bytes >> 20, BYTES_MAX >> 20);
    }
    std::fs::read(path).with_context(|| format!("cannot read the picture {shown}"))
}

/// What a person says, after the pictures that it is about.
pub fn message(text: &str, pictures: Vec<Vec<u8>>) -> Message {
    if pictures.is_empty() {
        return Message::new(Role::User, text);
    }
    let pictures = pictures.into_iter().map(Part::Picture);
    let parts = pictures.chain([Part::Text(text.to_owned())]).collect();
    Message { role: Role::User, content: Content::Parts(parts), ..Message::default() }
}
