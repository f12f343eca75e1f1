//! How a word becomes tokens.

use crate::bpe::{Bpe, Scratch};
use crate::unigram::Unigram;
use crate::vocab::Vocab;

#[derive(Debug)]
pub(crate) enum Model {
    Bpe(Bpe),
    Unigram(Unigram),
}

impl Model {
    #[inline]
    pub(crate) fn encode(&self, vocab: &Vocab, word: &str, scratch: &mut Scratch, ids: &mut Vec<u32>) {
        match self {
            Model::Bpe(bpe) => bpe.encode(vocab, word, scratch, ids),
            Model::Unigram(unigram) => unigram.encode(vocab, word, ids),
        }
    }
}
