//! The large parts of a `tokenizer.json`, read without building a tree: the vocabulary and the merges.

use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;

#[derive(Debug, Deserialize)]
pub(crate) struct File<'j> {
    #[serde(default, borrow)]
    pub(crate) added_tokens: Vec<AddedTokenJson<'j>>,
    #[serde(default)]
    pub(crate) normalizer: Value,
    #[serde(default)]
    pub(crate) pre_tokenizer: Value,
    #[serde(default)]
    pub(crate) post_processor: Value,
    #[serde(default)]
    pub(crate) decoder: Value,
    #[serde(borrow)]
    pub(crate) model: ModelJson<'j>,
}

impl File<'_> {
    /// The token of this text, added tokens first.
    pub(crate) fn id_of(&self, name: &str) -> Option<u32> {
        let added = self.added_tokens.iter().find(|token| token.content == name).map(|token| token.id);
        added.or_else(|| self.model.vocab.entries().find(|(text, _)| *text == name).map(|(_, id)| id))
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct AddedTokenJson<'j> {
    pub(crate) id: u32,
    #[serde(borrow)]
    pub(crate) content: Cow<'j, str>,
    #[serde(default)]
    pub(crate) single_word: bool,
    #[serde(default)]
    pub(crate) lstrip: bool,
    #[serde(default)]
    pub(crate) rstrip: bool,
    #[serde(default)]
    pub(crate) normalized: bool,
    #[serde(default)]
    pub(crate) special: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct ModelJson<'j> {
    #[serde(rename = "type")]
    pub(crate) kind: Option<String>,
    #[serde(borrow)]
    pub(crate) vocab: VocabJson<'j>,
    #[serde(borrow)]
    pub(crate) merges: Option<MergesJson<'j>>,
    pub(crate) unk_token: Option<String>,
    pub(crate) unk_id: Option<u32>,
    pub(crate) byte_fallback: Option<bool>,
    pub(crate) ignore_merges: Option<bool>,
    pub(crate) fuse_unk: Option<bool>,
    pub(crate) dropout: Option<f64>,
    pub(crate) continuing_subword_prefix: Option<String>,
    pub(crate) end_of_word_suffix: Option<String>,
}

/// A BPE vocabulary maps texts to ids; a Unigram one lists texts with scores.
#[derive(Debug)]
pub(crate) enum VocabJson<'j> {
    Ids(Vec<(Cow<'j, str>, u32)>),
    Scores(Vec<(Cow<'j, str>, f64)>),
}

impl VocabJson<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            VocabJson::Ids(entries) => entries.len(),
            VocabJson::Scores(entries) => entries.len(),
        }
    }

    pub(crate) fn last_id(&self) -> Option<u32> {
        self.entries().map(|(_, id)| id).max()
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = (&str, u32)> {
        let (ids, scores): (&[_], &[_]) = match self {
            VocabJson::Ids(entries) => (entries, &[]),
            VocabJson::Scores(entries) => (&[], entries),
        };
        let ids = ids.iter().map(|(text, id): &(Cow<str>, u32)| (&**text, *id));
        let scores =
            scores.iter().enumerate().map(|(id, (text, _)): (usize, &(Cow<str>, f64))| (&**text, id as u32));
        ids.chain(scores)
    }
}

impl<'de: 'j, 'j> Deserialize<'de> for VocabJson<'j> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct VocabVisitor;
        impl<'de> Visitor<'de> for VocabVisitor {
            type Value = VocabJson<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a vocabulary: texts with ids, or a list of texts with scores")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((Text(text), id)) = map.next_entry::<Text, u32>()? {
                    entries.push((text, id));
                }
                Ok(VocabJson::Ids(entries))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some((Text(text), score)) = list.next_element::<(Text, f64)>()? {
                    entries.push((text, score));
                }
                Ok(VocabJson::Scores(entries))
            }
        }
        deserializer.deserialize_any(VocabVisitor)
    }
}

/// `["a b", …]` or `[["a", "b"], …]`.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct MergesJson<'j>(#[serde(borrow)] Vec<MergeJson<'j>>);

#[derive(Debug)]
struct MergeJson<'j>(Cow<'j, str>, Cow<'j, str>);

impl MergesJson<'_> {
    pub(crate) fn pairs(&self) -> Vec<(&str, &str)> {
        self.0.iter().map(|MergeJson(left, right)| (&**left, &**right)).collect()
    }
}

impl<'de: 'j, 'j> Deserialize<'de> for MergeJson<'j> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MergeVisitor;
        impl<'de> Visitor<'de> for MergeVisitor {
            type Value = MergeJson<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a merge: two texts, or both in one with a space between")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                let (left, right) =
                    text.split_once(' ').ok_or_else(|| E::custom(format!("no merge: {text:?}")))?;
                Ok(MergeJson(Cow::Borrowed(left), Cow::Borrowed(right)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                let (left, right) =
                    text.split_once(' ').ok_or_else(|| E::custom(format!("no merge: {text:?}")))?;
                Ok(MergeJson(Cow::Owned(left.to_owned()), Cow::Owned(right.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let side = |side: Option<Text<'de>>| {
                    side.map(|Text(text)| text).ok_or_else(|| A::Error::custom("no merge"))
                };
                let merge = MergeJson(side(list.next_element()?)?, side(list.next_element()?)?);
                match list.next_element::<Text>()? {
                    None => Ok(merge),
                    Some(_) => Err(A::Error::custom("a merge of more than two texts")),
                }
            }
        }
        deserializer.deserialize_any(MergeVisitor)
    }
}

/// A string that is borrowed when it can be. `Cow` alone would always be owned inside tuples and maps.
struct Text<'j>(Cow<'j, str>);

impl<'de: 'j, 'j> Deserialize<'de> for Text<'j> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextVisitor;
        impl<'de> Visitor<'de> for TextVisitor {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(TextVisitor)
    }
}
