//! Pictures on their way from a conversation into a prompt.

use std::sync::{Mutex, PoisonError};

use tandem_dialogue::{Content, Message, Part};
use tandem_models::Tower;
use tandem_pictures::Picture;
use tandem_text::{Segment, Tokenizer};

use crate::PromptError;

/// How a model is shown pictures: Gemma 3's way.
pub(crate) struct Sight {
    /// Pixels of a side.
    size: usize,
    rows: usize,
    row: u32,
    /// What a template writes for a picture, and what the prompt has in its place.
    mark: String,
    shown: String,
}

/// A request is carried whole between processes and nodes, and each of them takes megabytes.
const PICTURES_MAX: usize = 16;

static DECODING: Mutex<()> = Mutex::new(());

impl Sight {
    /// `None` where the vocabulary has no tokens for pictures.
    pub fn of(tower: &Tower, tokenizer: &Tokenizer) -> Option<Sight> {
        let text = |id: u32| String::from_utf8(tokenizer.piece(id).into_owned()).ok();
        let [mark, row, end] = [tower.tokens.begin, tower.tokens.row, tower.tokens.end].map(text);
        let (mark, row, end) = (mark?, row?, end?);
        let is_token = |text: &str, id: u32| tokenizer.token_named(text) == Some(id);
        let known = is_token(&mark, tower.tokens.begin) && is_token(&row, tower.tokens.row);
        let shown = format!("\n\n{mark}{}{end}\n\n", row.repeat(tower.rows));
        let Tower { size, rows, tokens, .. } = *tower;
        known.then_some(Sight { size, rows, row: tokens.row, mark, shown })
    }

    /// Write out what stands for each picture where a template put its mark; users cannot write one.
    pub fn expand(&self, segments: &mut [Segment]) {
        for segment in segments.iter_mut().filter(|segment| segment.trusted) {
            segment.text = segment.text.replace(&self.mark, &self.shown);
        }
    }

    /// The pictures as the model takes them, where they stand in the prompt.
    pub fn place(
        &self,
        tokens: &[u32],
        pictures: &[&[u8]],
    ) -> Result<Vec<tandem_engine::Picture>, PromptError> {
        if pictures.len() > PICTURES_MAX {
            return Err(PromptError::TooManyPictures { found: pictures.len(), most: PICTURES_MAX });
        }
        let starts = |at: &usize| tokens[*at] == self.row && (*at == 0 || tokens[at - 1] != self.row);
        let places: Vec<usize> = (0..tokens.len()).filter(starts).collect();
        let whole =
            |first: &usize| tokens[*first..].iter().take_while(|id| **id == self.row).count() == self.rows;
        if places.len() != pictures.len() || !places.iter().all(whole) {
            return Err(PromptError::PicturesNotShown { shown: places.len(), given: pictures.len() });
        }
        let placed = places.into_iter().zip(pictures).map(|(first, file)| {
            // Decoded, a large one takes a hundred megabytes: one at a time, whoever asks.
            let _one = DECODING.lock().unwrap_or_else(PoisonError::into_inner);
            let picture = Picture::read(file)?;
            Ok(tandem_engine::Picture { first, bytes: tandem_pictures::gemma3(&picture, self.size) })
        });
        placed.collect()
    }
}

/// The files of all pictures of a conversation, in order.
pub(crate) fn pictures(messages: &[Message]) -> Vec<&[u8]> {
    let parts = messages.iter().flat_map(|message| match &message.content {
        Content::Text(_) => &[][..],
        Content::Parts(parts) => parts,
    });
    let pictures = parts.filter_map(|part| match part {
        Part::Picture(file) => Some(file.as_slice()),
        Part::Text(_) | Part::Other(_) => None,
    });
    pictures.collect()
}
