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
    begin: u32,
    /// A token of the vocabulary that stands for every row; nobody reads it.
    row: u32,
    /// What a template writes for a picture, and what the prompt has in its place but for the rows.
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
        let [mark, row, end] = match tower.tokens {
            Some(tokens) => [text(tokens.begin)?, text(tokens.row)?, text(tokens.end)?],
            None => ["<start_of_image>", "<image_soft_token>", "<end_of_image>"].map(str::to_owned),
        };
        let begin = tokenizer.token_named(&mark)?;
        tokenizer.token_named(&end)?;
        // GGUF files leave it out: its number is behind their vocabulary.
        let row = tokenizer.token_named(&row).unwrap_or(begin);
        if tower.tokens.is_some_and(|said| (said.begin, said.row) != (begin, row)) {
            return None;
        }
        let shown = format!("\n\n{mark}{end}\n\n");
        Some(Sight { size: tower.size, rows: tower.rows, begin, row, mark, shown })
    }

    /// Write out what stands for each picture where a template put its mark; users cannot write one.
    pub fn expand(&self, segments: &mut [Segment]) {
        for segment in segments.iter_mut().filter(|segment| segment.trusted) {
            segment.text = segment.text.replace(&self.mark, &self.shown);
        }
    }

    /// Make room for the rows of pictures in a prompt, and tell where each is, as the model takes it.
    pub fn place(
        &self,
        tokens: &mut Vec<u32>,
        pictures: &[&[u8]],
    ) -> Result<Vec<tandem_engine::Picture>, PromptError> {
        if pictures.len() > PICTURES_MAX {
            return Err(PromptError::TooManyPictures { found: pictures.len(), most: PICTURES_MAX });
        }
        let shown = tokens.iter().filter(|token| **token == self.begin).count();
        if shown != pictures.len() {
            return Err(PromptError::PicturesNotShown { shown, given: pictures.len() });
        }
        let mut places = Vec::with_capacity(shown);
        let mut roomy = Vec::with_capacity(tokens.len() + shown * self.rows);
        for token in tokens.drain(..) {
            roomy.push(token);
            if token == self.begin {
                places.push(roomy.len());
                roomy.resize(roomy.len() + self.rows, self.row);
            }
        }
        *tokens = roomy;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelFile, tokenizer_of};

    /// What a file leaves unsaid is known by its text.
    #[test]
    fn tokens_of_pictures_are_found_by_number_and_by_text() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../oracles/pictures/gemma3");
        let file = ModelFile::open(&folder).unwrap();
        let tokenizer = tokenizer_of(&file).unwrap();
        let said = file.description().unwrap().tower.unwrap();
        let unsaid = Tower { tokens: None, ..said.clone() };
        let picture = std::fs::read(folder.join("0.png")).unwrap();
        let placed = [said, unsaid].map(|tower| {
            let sight = Sight::of(&tower, &tokenizer).unwrap();
            let mut segments = [Segment { text: "a<start_of_image>b".into(), trusted: true }];
            sight.expand(&mut segments);
            let mut tokens = tokenizer.encode_segments(&segments);
            let placed = sight.place(&mut tokens, &[&picture]).unwrap();
            let none = sight.place(&mut tokens.clone(), &[]).unwrap_err();
            assert_eq!(none, PromptError::PicturesNotShown { shown: 1, given: 0 });
            (tokens, placed)
        });
        assert_eq!(placed[0], placed[1]);
        let first = placed[0].1[0].first;
        assert_eq!(placed[0].0[first - 1..][..11], [61, 62, 62, 62, 62, 62, 62, 62, 62, 62, 63]);
    }
}
