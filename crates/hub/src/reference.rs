//! What a person types to name a model.

use crate::{Catalogue, Entry, HubError};
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A model's name, understood but not looked up.
#[derive(Clone, Debug, PartialEq)]
pub enum ModelRef {
    /// A name from the catalogue, perhaps in another quantisation than the catalogue's own.
    Catalogue {
        entry: &'static Entry,
        quant: Option<String>,
    },
    Hub {
        id: HubId,
        quant: Option<String>,
    },
    Path(PathBuf),
}

impl ModelRef {
    /// The model for those who name none.
    pub fn default_model() -> ModelRef {
        ModelRef::Catalogue { entry: Catalogue::embedded().default_entry(), quant: None }
    }

    /// What exists on disk wins over what it could also mean: a folder `org/name` is that folder.
    pub fn parse(text: &OsStr) -> Result<ModelRef, HubError> {
        let path = Path::new(text);
        let Some(text) = text.to_str() else { return Ok(ModelRef::Path(path.to_owned())) };
        let looks_like_path = path.is_absolute()
            || text.starts_with('.')
            || text.to_ascii_lowercase().ends_with(".gguf")
            || text.ends_with('/')
            || text.contains('\\');
        if !text.is_empty() && (looks_like_path || path.exists()) {
            return Ok(ModelRef::Path(path.to_owned()));
        }
        ModelRef::named(text)
    }

    /// A model by name, whatever lies on disk.
    pub fn named(text: &str) -> Result<ModelRef, HubError> {
        let on_hub = ["https://huggingface.co/", "https://hf.co/", "huggingface.co/", "hf.co/"]
            .iter()
            .find_map(|prefix| text.strip_prefix(prefix));
        let name = on_hub.unwrap_or(text);
        let (name, quant) = match name.split_once(':') {
            Some((name, quant)) => (name, Some(parse_quant(text, quant)?)),
            None => (name, None),
        };
        if on_hub.is_some() || name.contains('/') {
            return Ok(ModelRef::Hub { id: name.parse()?, quant });
        }
        let catalogue = Catalogue::embedded();
        match catalogue.get(name) {
            Some(entry) => Ok(ModelRef::Catalogue { entry, quant }),
            None => Err(HubError::UnknownName { name: name.to_owned(), nearest: catalogue.nearest(name) }),
        }
    }

    /// Whether `other`, in a quantisation that is known, is what this asks for.
    pub fn is_met_by(&self, other: &ModelRef) -> bool {
        let Some((own_id, own_quant)) = self.on_hub() else { return false };
        let Some((id, quant)) = other.on_hub() else { return false };
        own_id == id && own_quant.is_none_or(|own| quant.is_some_and(|quant| quant.eq_ignore_ascii_case(own)))
    }

    /// Whether the two may turn out to be the same files.
    pub fn overlaps(&self, other: &ModelRef) -> bool {
        let (Some((own_id, own)), Some((id, quant))) = (self.on_hub(), other.on_hub()) else { return false };
        own_id == id && own.zip(quant).is_none_or(|(own, quant)| own.eq_ignore_ascii_case(quant))
    }

    /// Where a hub has it, and in which quantisation if that is said.
    fn on_hub(&self) -> Option<(&HubId, Option<&str>)> {
        match self {
            ModelRef::Catalogue { entry, quant } => {
                Some((&entry.hub, Some(quant.as_ref().unwrap_or(&entry.quant))))
            }
            ModelRef::Hub { id, quant } => Some((id, quant.as_deref())),
            ModelRef::Path(_) => None,
        }
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quant = match self {
            ModelRef::Catalogue { entry, quant } => {
                f.write_str(&entry.name)?;
                quant
            }
            ModelRef::Hub { id, quant } => {
                write!(f, "{id}")?;
                quant
            }
            ModelRef::Path(path) => return write!(f, "{}", path.display()),
        };
        quant.as_ref().map_or(Ok(()), |quant| write!(f, ":{quant}"))
    }
}

/// `org/name` on a hub.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct HubId(String);

impl HubId {
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn name(&self) -> &str {
        self.0.split_once('/').map_or("", |(_, name)| name)
    }
}

impl FromStr for HubId {
    type Err = HubError;

    /// The hub's own rules; they also make an id safe as part of an address and of a folder's name.
    fn from_str(text: &str) -> Result<HubId, HubError> {
        let bad = |why| HubError::BadId { text: text.to_owned(), why };
        let text = text.trim_end_matches('/');
        let parts: Vec<&str> = text.split('/').collect();
        let [org, name] = parts[..] else { return Err(bad("expected exactly one `/`")) };
        for part in [org, name] {
            if part.is_empty() || part.len() > 96 {
                return Err(bad("each part has 1 to 96 characters"));
            }
            if !part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')) {
                return Err(bad("only letters, digits, `-`, `_` and `.` are allowed"));
            }
            if part.starts_with(['.', '-'])
                || part.ends_with(['.', '-'])
                || part.contains("..")
                || part.contains("--")
            {
                return Err(bad("`-` and `.` stand alone, between other characters"));
            }
        }
        Ok(HubId(text.to_owned()))
    }
}

impl TryFrom<String> for HubId {
    type Error = HubError;

    fn try_from(text: String) -> Result<HubId, HubError> {
        text.parse()
    }
}

impl From<HubId> for String {
    fn from(id: HubId) -> String {
        id.0
    }
}

impl fmt::Display for HubId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

fn parse_quant(text: &str, quant: &str) -> Result<String, HubError> {
    let plain = !quant.is_empty()
        && quant.len() <= 32
        && quant.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'));
    if !plain {
        let why = "after `:` comes a quantisation like Q4_K_M";
        return Err(HubError::BadId { text: text.to_owned(), why });
    }
    Ok(quant.to_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let found = match ModelRef::parse(OsStr::new(text)) {
            Ok(ModelRef::Catalogue { entry, quant }) => format!("catalogue {} {quant:?}", entry.name),
            Ok(ModelRef::Hub { id, quant }) => format!("hub {id} {quant:?}"),
            Ok(ModelRef::Path(path)) => format!("path {}", path.display()),
            Err(error) => format!("error {error}"),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn names() {
        check("smollm2", "catalogue smollm2 None");
        check("smollm2:q8_0", "catalogue smollm2 Some(\"Q8_0\")");
        check("org/name", "hub org/name None");
        check("org/name:Q4_K_M", "hub org/name Some(\"Q4_K_M\")");
        check("hf.co/org/name:q4_0", "hub org/name Some(\"Q4_0\")");
        check("https://huggingface.co/org/name", "hub org/name None");
        check("missing.gguf", "path missing.gguf");
        check("./x", "path ./x");
        check("/nowhere/at/all", "path /nowhere/at/all");
        check("src", "path src");
    }

    #[test]
    fn several_names_of_one_model() {
        let check = |asked: &str, other: &str, met: bool, overlaps: bool| {
            let (asked, other) = (ModelRef::named(asked).unwrap(), ModelRef::named(other).unwrap());
            assert_eq!(
                (asked.is_met_by(&other), asked.overlaps(&other)),
                (met, overlaps),
                "{asked}, {other}"
            );
        };
        check("o/n", "o/n:Q4_0", true, true);
        check("o/n:q4_0", "o/n:Q4_0", true, true);
        check("o/n:Q4_0", "o/n", false, true);
        check("o/n:Q4_0", "o/n:Q8_0", false, false);
        check("o/n", "o/m", false, false);
        let entry = Catalogue::embedded().default_entry();
        let long = format!("{}:{}", entry.hub, entry.quant);
        check(&entry.name, &long, true, true);
        check(&long, &entry.name, true, true);
        check(&format!("{}:Q2_K", entry.name), &long, false, false);
    }

    #[test]
    fn mistakes() {
        check("smolm2", "error no model is called `smolm2`");
        check("", "error no model is called ``");
        check("a/b/c", "error `a/b/c` is no hub id: expected exactly one `/`");
        check("a/b c", "error `a/b c` is no hub id: only letters, digits, `-`, `_` and `.` are allowed");
        check("a/..b", "error `a/..b` is no hub id: `-` and `.` stand alone, between other characters");
        check("a/b:", "error `a/b:` is no hub id: after `:` comes a quantisation like Q4_K_M");
        check("a/b:../../x", "error `a/b:../../x` is no hub id: after `:` comes a quantisation like Q4_K_M");
        check("hf.co/name", "error `name` is no hub id: expected exactly one `/`");
    }

    #[test]
    fn near_names_are_offered() {
        let error = ModelRef::parse(OsStr::new("smolm2")).unwrap_err();
        assert!(error.help().unwrap().contains("`smollm2`"), "{:?}", error.help());
    }
}
