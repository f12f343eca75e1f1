//! Pictures among a prompt's tokens.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tandem_tensor::Given;

use crate::Refused;

/// A picture that stands at some positions of a prompt. What the prompt says there are tokens of the vocabulary that mean nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The first of its positions.
    pub first: usize,
    /// As the model's [`Sight`] takes it.
    pub bytes: Vec<u8>,
}

/// What turns pictures into the rows that a model reads in place of embedded tokens. It keeps those of the last few: in a
/// conversation the same pictures come with every question.
pub struct Sight {
    rows: usize,
    bytes: usize,
    look: Box<Look>,
    kept: Mutex<VecDeque<(blake3::Hash, Arc<[f32]>)>>,
}

/// `[rows, hidden]` of a picture, or why there are none.
type Look = dyn Fn(&[u8]) -> Result<Arc<[f32]>, String> + Send + Sync;

/// Pictures whose rows are kept.
const KEPT: usize = 8;

impl Sight {
    /// `rows` and `bytes` are those of every picture. `look` may take its time, and is called from several threads.
    pub fn new(
        rows: usize,
        bytes: usize,
        look: impl Fn(&[u8]) -> Result<Arc<[f32]>, String> + Send + Sync + 'static,
    ) -> Sight {
        Sight { rows, bytes, look: Box::new(look), kept: Mutex::default() }
    }

    fn look(&self, picture: &[u8]) -> Result<Arc<[f32]>, String> {
        let key = blake3::hash(picture);
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept().iter().find(|(known, _)| *known == key).map(|(_, rows)| Arc::clone(rows));
        let rows = known.map_or_else(|| (self.look)(picture), Ok)?;
        let mut kept = kept();
        kept.retain(|(known, _)| *known != key);
        kept.truncate(KEPT - 1);
        kept.push_front((key, Arc::clone(&rows)));
        Ok(rows)
    }
}

/// A picture that was looked at.
pub(crate) struct Seen {
    pub place: Range<usize>,
    pub values: Arc<[f32]>,
    /// What stands for its rows among tokens: other for every picture, so that no prefix is taken for one with another picture.
    pub tokens: Vec<u32>,
}

impl Seen {
    /// Whether a sequence may be cut at `at`: a picture's rows see each other, so they are computed together.
    pub fn cuts(pictures: &[Seen], at: usize) -> bool {
        !pictures.iter().any(|seen| seen.place.start < at && at < seen.place.end)
    }
}

/// Look at the pictures of a prompt with so many tokens, of which a batch can hold `rows_max`.
pub(crate) fn look(
    pictures: &[Picture],
    prompt: usize,
    rows_max: usize,
    sight: Option<&Sight>,
) -> Result<Vec<Seen>, Refused> {
    let Some(sight) = sight.filter(|_| !pictures.is_empty()) else {
        return if pictures.is_empty() { Ok(Vec::new()) } else { Err(Refused::NoSight) };
    };
    let rows = sight.rows;
    if rows > rows_max {
        return Err(Refused::BadPicture(format!("it has {rows} rows, but a batch holds {rows_max}")));
    }
    let mut before = 0;
    for picture in pictures {
        let end = picture.first.checked_add(rows).filter(|end| picture.first >= before && *end <= prompt);
        before = end.ok_or_else(|| {
            let at = picture.first;
            Refused::BadPicture(format!(
                "it is at {at} of {prompt} tokens, {rows} of them its own, after {before}"
            ))
        })?;
        if picture.bytes.len() != sight.bytes {
            let (found, expected) = (picture.bytes.len(), sight.bytes);
            return Err(Refused::BadPicture(format!(
                "it has {found} bytes, but this model takes {expected}"
            )));
        }
    }
    let seen = pictures.iter().map(|picture| {
        let values = sight.look(&picture.bytes).map_err(Refused::BadPicture)?;
        let place = picture.first..picture.first + rows;
        Ok(Seen { place, values, tokens: tokens(&picture.bytes, rows) })
    });
    seen.collect()
}

/// Tokens that no vocabulary has, and together no other picture.
fn tokens(picture: &[u8], rows: usize) -> Vec<u32> {
    let mut bytes = vec![0; rows * 4];
    blake3::Hasher::new().update(picture).finalize_xof().fill(&mut bytes);
    let token = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) | Given::TOKEN_MIN;
    bytes.as_chunks().0.iter().map(token).collect()
}
