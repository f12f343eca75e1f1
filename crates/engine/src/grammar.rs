//! The interface to compiled constraints: which tokens may come next.

use crate::Constraint;

/// Makes grammars. Implemented by whoever knows the tokens' texts.
pub trait Grammars: Send + Sync {
    /// Refuses, saying why, what it cannot enforce.
    fn compile(&self, constraint: &Constraint) -> Result<Box<dyn Grammar>, String>;
}

/// One answer's way through a grammar.
pub trait Grammar: Send {
    /// The tokens that may come next: bit `t % 32` of word `t / 32`. Tokens beyond the last word may not.
    fn mask(&mut self) -> Result<&[u32], String>;

    /// Take note of the token that came. Says whether the answer is complete, with nothing more to come.
    fn accept(&mut self, token: u32) -> Result<bool, String>;
}

pub(crate) fn allows(mask: &[u32], token: u32) -> bool {
    mask.get(token as usize / 32).is_some_and(|word| word >> (token % 32) & 1 == 1)
}
