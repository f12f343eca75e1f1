//! Which of a repository's files make up the model that was asked for.

use crate::{HubError, RepoFile};
use std::collections::BTreeMap;

/// Taken in this order where nobody asked for a quantisation: small and good first.
const PREFERENCE: [&str; 14] = [
    "Q4_K_M", "Q4_1", "Q4_0", "Q4_K_S", "IQ4_NL", "IQ4_XS", "MXFP4", "Q5_K_M", "Q5_K_S", "Q6_K", "Q8_0",
    "BF16", "F16", "F32",
];

/// Beside the weights, what a safetensors model needs.
const SAFETENSORS_COMPANIONS: [&str; 11] = [
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "tokenizer.model",
    "tiktoken.model",
    "vocab.json",
    "merges.txt",
];

#[derive(Clone, Debug, PartialEq)]
pub struct Selection {
    /// `Q4_K_M` and the like; `safetensors` for a model that is not GGUF.
    pub quant: String,
    /// In the order they belong together; the first is the one to open.
    pub files: Vec<RepoFile>,
}

/// What repositories are called whose models see pictures with a file beside them.
const SEEING: [&str; 2] = ["gemma-3-", "gemma3-"];
/// Of such files, one is taken: of these types in this order, else the first.
const PROJECTORS: [&str; 3] = ["F16", "BF16", "F32"];

impl Selection {
    pub fn choose(id: &str, files: &[RepoFile], quant: Option<&str>) -> Result<Selection, HubError> {
        let mut groups = gguf_groups(files);
        if let Some(projector) = projector(id, files) {
            // It is looked for beside the model.
            let at_root = |group: &&mut Vec<RepoFile>| group.iter().all(|file| !file.path.contains('/'));
            groups.values_mut().filter(at_root).for_each(|group| group.push(projector.clone()));
        }
        if let Some(asked) = quant
            && !asked.eq_ignore_ascii_case("safetensors")
        {
            return match groups.get(&asked.to_ascii_uppercase()) {
                Some(group) => Ok(Selection { quant: asked.to_ascii_uppercase(), files: group.clone() }),
                None => {
                    let mut have: Vec<String> = groups.into_keys().collect();
                    if !safetensors(files).is_empty() {
                        have.push("safetensors".into());
                    }
                    if have.is_empty() {
                        return Err(HubError::NoModelFiles { id: id.to_owned() });
                    }
                    Err(HubError::NoSuchQuant { id: id.to_owned(), asked: asked.to_owned(), have })
                }
            };
        }
        if quant.is_none() {
            let preferred = PREFERENCE.iter().find_map(|quant| groups.get_key_value(*quant));
            if let Some((quant, group)) = preferred.or_else(|| groups.first_key_value()) {
                return Ok(Selection { quant: quant.clone(), files: group.clone() });
            }
        }
        match safetensors(files) {
            chosen if chosen.is_empty() => Err(HubError::NoModelFiles { id: id.to_owned() }),
            chosen => Ok(Selection { quant: "safetensors".into(), files: chosen }),
        }
    }
}

/// `Q4_K_M` of `dir/Name-Q4_K_M-00001-of-00003.gguf`.
pub fn quant_of(file: &str) -> Option<String> {
    let name = file.rsplit('/').next()?;
    let stem = name.strip_suffix(".gguf").or_else(|| name.strip_suffix(".GGUF"))?;
    let stem = split_of(stem).map_or(stem, |(stem, _, _)| stem);
    let label = stem.rsplit(['-', '.']).next()?.to_ascii_uppercase();
    is_quant(&label).then_some(label)
}

/// `("Name-Q4_K_M", 1, 3)` of `Name-Q4_K_M-00001-of-00003`.
fn split_of(stem: &str) -> Option<(&str, u32, u32)> {
    let (rest, count) = stem.rsplit_once("-of-")?;
    let (rest, index) = rest.rsplit_once('-')?;
    Some((rest, index.parse().ok()?, count.parse().ok()?))
}

fn is_quant(label: &str) -> bool {
    if matches!(label, "F32" | "F16" | "BF16" | "FP16" | "FP32" | "MXFP4" | "MXFP4_MOE") {
        return true;
    }
    let digits =
        label.strip_prefix("IQ").or_else(|| label.strip_prefix("TQ")).or_else(|| label.strip_prefix('Q'));
    digits.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()) && rest.len() <= 8)
}

/// The file that the repository's models see pictures with.
fn projector(id: &str, files: &[RepoFile]) -> Option<RepoFile> {
    let name = id.rsplit('/').next()?.to_ascii_lowercase();
    if !SEEING.iter().any(|seeing| name.contains(seeing)) {
        return None;
    }
    let is_projector = |file: &&RepoFile| {
        let path = file.path.to_ascii_lowercase();
        path.starts_with("mmproj") && path.ends_with(".gguf")
    };
    let rank = |file: &&RepoFile| {
        let quant = quant_of(&file.path);
        PROJECTORS.iter().position(|known| quant.as_deref() == Some(known)).unwrap_or(PROJECTORS.len())
    };
    files.iter().filter(is_projector).min_by_key(rank).cloned()
}

/// The GGUF files by quantisation, each a whole model: one file, or all parts in order.
fn gguf_groups(files: &[RepoFile]) -> BTreeMap<String, Vec<RepoFile>> {
    // By quantisation and name, each part with its number and how many there are.
    type Parts = Vec<(u32, u32, RepoFile)>;
    let mut by_stem: BTreeMap<(String, String), Parts> = BTreeMap::new();
    for file in files {
        let name = file.path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
        // Vision projectors, heads that guess ahead and importance matrices share the extension but are no models.
        let beside = ["mmproj", "mtp-", "eagle3-"].iter().any(|start| name.starts_with(start));
        if !name.ends_with(".gguf") || beside || name.contains("imatrix") {
            continue;
        }
        let stem = &file.path[..file.path.len() - ".gguf".len()];
        let (stem, index, count) = split_of(stem).unwrap_or((stem, 1, 1));
        let quant = quant_of(&file.path).unwrap_or_else(|| "GGUF".into());
        by_stem.entry((quant, stem.to_owned())).or_default().push((index, count, file.clone()));
    }
    let mut groups: BTreeMap<String, Vec<RepoFile>> = BTreeMap::new();
    for ((quant, _), mut parts) in by_stem {
        parts.sort_by_key(|(index, _, _)| *index);
        let whole = parts
            .iter()
            .enumerate()
            .all(|(i, (index, count, _))| *index as usize == i + 1 && *count as usize == parts.len());
        if !whole {
            continue;
        }
        let files: Vec<RepoFile> = parts.into_iter().map(|(_, _, file)| file).collect();
        // Two models of one quantisation: the shorter name is the plain one.
        match groups.get(&quant) {
            Some(other) if other[0].path.len() <= files[0].path.len() => {}
            _ => drop(groups.insert(quant, files)),
        }
    }
    groups
}

/// The weights at the root of the repository, their index, and their companions. Empty where any is missing.
fn safetensors(files: &[RepoFile]) -> Vec<RepoFile> {
    let mut weights: Vec<RepoFile> =
        files.iter().filter(|f| !f.path.contains('/') && f.path.ends_with(".safetensors")).cloned().collect();
    // Some publishers keep a second copy of the weights in their own layout.
    if weights.iter().any(|file| !file.path.starts_with("consolidated")) {
        weights.retain(|file| !file.path.starts_with("consolidated"));
    }
    if weights.is_empty() || !files.iter().any(|file| file.path == "config.json") {
        return Vec::new();
    }
    weights.sort_by(|a, b| a.path.cmp(&b.path));
    let companion = |file: &&RepoFile| {
        SAFETENSORS_COMPANIONS.contains(&file.path.as_str())
            || (!file.path.contains('/') && file.path.ends_with(".safetensors.index.json"))
    };
    let mut chosen: Vec<RepoFile> = files.iter().filter(companion).cloned().collect();
    chosen.sort_by_key(|file| file.path != "config.json");
    chosen.extend(weights);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(names: &[&str]) -> Vec<RepoFile> {
        names
            .iter()
            .map(|name| RepoFile { path: (*name).into(), size_bytes: Some(1), sha256: None })
            .collect()
    }

    #[track_caller]
    fn check(names: &[&str], quant: Option<&str>, expected: Result<(&str, &[&str]), &str>) {
        let found = Selection::choose("o/n", &files(names), quant);
        match (found, expected) {
            (Ok(found), Ok((quant, paths))) => {
                assert_eq!(found.quant, quant);
                assert_eq!(found.files.iter().map(|f| f.path.as_str()).collect::<Vec<_>>(), paths);
            }
            (Err(found), Err(expected)) => {
                let help = found.help().unwrap_or_default();
                assert_eq!(format!("{found}|{help}"), expected);
            }
            (found, expected) => panic!("found {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn gguf() {
        let repo = [
            "README.md",
            "M.Q8_0.gguf",
            "M.Q4_K_M.gguf",
            "M.Q4_1.gguf",
            "mmproj-M-f16.gguf",
            "mtp-M.Q8_0.gguf",
            "imatrix.gguf",
        ];
        check(&repo, None, Ok(("Q4_K_M", &["M.Q4_K_M.gguf"])));
        check(&repo, Some("q8_0"), Ok(("Q8_0", &["M.Q8_0.gguf"])));
        check(&repo, Some("Q2_K"), Err("`o/n` has no files of quantisation Q2_K|it has Q4_1, Q4_K_M, Q8_0"));
        check(&["model.gguf"], None, Ok(("GGUF", &["model.gguf"])));
        check(&["m-Q3_K_L.gguf", "m-Q2_K.gguf"], None, Ok(("Q2_K", &["m-Q2_K.gguf"])));
    }

    #[test]
    fn what_a_model_sees_with_comes_along() {
        let repo = ["M-Q4_0.gguf", "mmproj-BF16.gguf", "mmproj-F16.gguf", "mmproj-F32.gguf", "q/M-Q8_0.gguf"];
        let chosen = |id: &str, quant: &str| {
            let found = Selection::choose(id, &files(&repo), Some(quant)).unwrap();
            found.files.into_iter().map(|file| file.path).collect::<Vec<_>>()
        };
        assert_eq!(chosen("o/gemma-3-4b-it-GGUF", "Q4_0"), ["M-Q4_0.gguf", "mmproj-F16.gguf"]);
        // It is looked for beside the model.
        assert_eq!(chosen("o/gemma-3-4b-it-GGUF", "Q8_0"), ["q/M-Q8_0.gguf"]);
        assert_eq!(chosen("o/gemma-3n-E4B-it-GGUF", "Q4_0"), ["M-Q4_0.gguf"]);
    }

    #[test]
    fn parts_come_together_and_in_order() {
        let repo =
            ["b/M-BF16-00002-of-00002.gguf", "b/M-BF16-00001-of-00002.gguf", "M-F16-00001-of-00002.gguf"];
        let whole = ["b/M-BF16-00001-of-00002.gguf", "b/M-BF16-00002-of-00002.gguf"];
        check(&repo, None, Ok(("BF16", &whole)));
        check(&repo, Some("F16"), Err("`o/n` has no files of quantisation F16|it has BF16"));
    }

    #[test]
    fn safetensors_sets() {
        let repo =
            ["model.safetensors", "README.md", "tokenizer.json", "config.json", "consolidated.safetensors"];
        check(&repo, None, Ok(("safetensors", &["config.json", "tokenizer.json", "model.safetensors"])));
        check(
            &["model.safetensors"],
            None,
            Err("`o/n` has no GGUF and no safetensors files: it is not a model this program can run|"),
        );
        check(
            &["README.md"],
            Some("Q4_0"),
            Err("`o/n` has no GGUF and no safetensors files: it is not a model this program can run|"),
        );
    }

    #[test]
    fn quantisations() {
        for (file, quant) in [
            ("SmolLM2-135M-Instruct.Q4_1.gguf", Some("Q4_1")),
            ("smollm2-1.7b-instruct-q4_k_m.gguf", Some("Q4_K_M")),
            ("Qwen3-UD-Q4_K_XL.gguf", Some("Q4_K_XL")),
            ("x/Kimi-IQ4_XS-00003-of-00009.gguf", Some("IQ4_XS")),
            ("m-bf16.gguf", Some("BF16")),
            ("model.gguf", None),
            ("Qwen3.gguf", None),
            ("model.safetensors", None),
        ] {
            assert_eq!(quant_of(file).as_deref(), quant, "{file}");
        }
    }
}
