//! Constraints on answers, for the engine.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use tandem_engine::{Constraint, Grammar, Grammars};
use tandem_text::{GrammarError, GrammarMaker, Tokenizer};

use crate::vocabulary::tokenizer_of;
use crate::{ModelFile, SpeechError};

/// What an engine needs to constrain the answers of the model at `path`.
pub fn grammars_at(path: &Path) -> Result<Arc<dyn Grammars>, String> {
    let tokenizer = ModelFile::open(path).map_err(SpeechError::from).and_then(|file| tokenizer_of(&file));
    let tokenizer = tokenizer.map_err(|error| error.to_string())?;
    Ok(Arc::new(SpokenGrammars::new(Arc::new(tokenizer))))
}

/// Makes grammars for a model's vocabulary, once the first is asked for.
pub(crate) struct SpokenGrammars {
    tokenizer: Arc<Tokenizer>,
    maker: OnceLock<Result<GrammarMaker, GrammarError>>,
}

impl SpokenGrammars {
    pub(crate) fn new(tokenizer: Arc<Tokenizer>) -> SpokenGrammars {
        SpokenGrammars { tokenizer, maker: OnceLock::new() }
    }
}

impl Grammars for SpokenGrammars {
    fn compile(&self, constraint: &Constraint) -> Result<Box<dyn Grammar>, String> {
        let maker = self.maker.get_or_init(|| GrammarMaker::new(&self.tokenizer));
        let maker = maker.as_ref().map_err(|error| error.to_string())?;
        let grammar = maker.make(constraint).map_err(|error| error.to_string())?;
        Ok(Box::new(Spoken(grammar)))
    }
}

struct Spoken(tandem_text::Grammar);

impl Grammar for Spoken {
    fn mask(&mut self) -> Result<&[u32], String> {
        self.0.mask().map_err(|error| error.to_string())
    }

    fn accept(&mut self, token: u32) -> Result<bool, String> {
        self.0.accept(token).map_err(|error| error.to_string())
    }
}
