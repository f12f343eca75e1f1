//! A model cut into several files, `NAME-00001-of-00003.gguf` and so on; each says in its metadata which it is.

use super::{GgufError, Metadata};
use std::path::PathBuf;

const COUNT: &str = "split.count";
const NUMBER: &str = "split.no";
const TENSORS: &str = "split.tensors.count";

pub(super) struct Split {
    path: PathBuf,
    /// Of the part that was opened, from zero.
    pub number: usize,
    count: usize,
    tensors: Option<usize>,
}

impl Split {
    /// `None` for a model in one file.
    pub fn of(metadata: &Metadata) -> Result<Option<Split>, GgufError> {
        let path = metadata.path();
        let count = number(metadata, COUNT, "a whole number")?.unwrap_or(1);
        if count < 2 {
            return Ok(None);
        }
        let bad = |key, found: String, expected: String| GgufError::Split {
            path: path.to_owned(),
            key,
            found,
            expected,
        };
        if count > 99_999 {
            return Err(bad(COUNT, count.to_string(), "at most 99999".to_owned()));
        }
        let expected = format!("a whole number below {COUNT}, {count}");
        match number(metadata, NUMBER, &expected)? {
            Some(found) if found < count => {
                let tensors = number(metadata, TENSORS, "a whole number")?;
                Ok(Some(Split { path: path.to_owned(), number: found, count, tensors }))
            }
            Some(found) => Err(bad(NUMBER, found.to_string(), expected)),
            None => Err(bad(NUMBER, "missing".to_owned(), expected)),
        }
    }

    /// The path of each part, made from the name of the one that was given.
    pub fn paths(&self) -> Result<impl Iterator<Item = PathBuf>, GgufError> {
        let name = self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let count = self.count;
        let ending = move |number: usize| format!("-{:05}-of-{count:05}.gguf", number + 1);
        let stem = name.strip_suffix(&ending(self.number)).ok_or_else(|| GgufError::SplitName {
            path: self.path.clone(),
            number: self.number as u64,
            count: self.count as u64,
        })?;
        Ok((0..count).map(move |number| self.path.with_file_name(format!("{stem}{}", ending(number)))))
    }

    /// Checks that another part belongs to the same model and is the one its name says.
    pub fn check(&self, expected: usize, metadata: &Metadata) -> Result<(), GgufError> {
        for (key, expected) in [(COUNT, self.count), (NUMBER, expected)] {
            let found = number(metadata, key, &expected.to_string())?;
            if found != Some(expected) {
                return Err(GgufError::Split {
                    path: metadata.path().to_owned(),
                    key,
                    found: found.map_or_else(|| "missing".to_owned(), |found| found.to_string()),
                    expected: format!("{expected}, as the other parts say"),
                });
            }
        }
        Ok(())
    }

    pub fn check_tensors(&self, found: usize) -> Result<(), GgufError> {
        match self.tensors {
            Some(expected) if expected != found => {
                Err(GgufError::SplitTensors { path: self.path.clone(), found, expected })
            }
            _ => Ok(()),
        }
    }
}

fn number(metadata: &Metadata, key: &'static str, expected: &str) -> Result<Option<usize>, GgufError> {
    let Some(value) = metadata.value(key) else { return Ok(None) };
    match value.as_integer().and_then(|found| usize::try_from(found).ok()) {
        Some(found) => Ok(Some(found)),
        None => Err(GgufError::Split {
            path: metadata.path().to_owned(),
            key,
            found: value.describe(),
            expected: expected.to_owned(),
        }),
    }
}
