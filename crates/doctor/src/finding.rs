//! What a check found.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Which check: one word.
    pub check: String,
    pub weight: Weight,
    /// What is so.
    pub found: String,
    /// Why that matters.
    pub why: String,
    /// What changes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Weight {
    Good,
    /// Worth knowing.
    Plain,
    /// Should be mended.
    Bad,
}

impl Finding {
    pub fn good(check: &str, found: impl Into<String>, why: &str) -> Finding {
        Finding::new(check, Weight::Good, found, why)
    }

    pub fn plain(check: &str, found: impl Into<String>, why: &str) -> Finding {
        Finding::new(check, Weight::Plain, found, why)
    }

    pub fn bad(check: &str, found: impl Into<String>, why: &str) -> Finding {
        Finding::new(check, Weight::Bad, found, why)
    }

    fn new(check: &str, weight: Weight, found: impl Into<String>, why: &str) -> Finding {
        Finding { check: check.to_owned(), weight, found: found.into(), why: why.to_owned(), mend: None }
    }

    pub fn mend(self, mend: impl Into<String>) -> Finding {
        Finding { mend: Some(mend.into()), ..self }
    }
}
