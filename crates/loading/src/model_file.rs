//! A model on disk.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use tandem_formats::{FormatError, Gguf, MetadataError, Safetensors, Weights};
use tandem_models::{
    DescribeError, Description, DivideError, LowerError, Shard, Stored, Tensors, TranslateError, Translation,
    describe, lower, lower_tower, translate,
};
use tandem_tensor::Program;

use crate::facts::{ConfigFacts, FileTensors, GgufFacts};

/// A GGUF file, or a folder with safetensors, `config.json` and `tokenizer.json`.
pub struct ModelFile {
    path: PathBuf,
    kind: Kind,
}

enum Kind {
    Gguf(Gguf),
    Folder { weights: Box<Safetensors>, config: serde_json::Value, architecture: String },
}

#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error(transparent)]
    Metadata(#[from] MetadataError),
    #[error("{file}: {source}")]
    Describe { file: PathBuf, source: DescribeError },
    #[error("{file}: {source}")]
    Lower { file: PathBuf, source: LowerError },
    #[error("{file}: {source}")]
    Divide { file: PathBuf, source: DivideError },
    #[error("cannot read {file}: {source}")]
    Read { file: PathBuf, source: io::Error },
    #[error("{file} is not valid JSON: {source}")]
    Json { file: PathBuf, source: serde_json::Error },
    #[error(
        "{file}: `architectures` is missing; expected a list with the model's class, such as LlamaForCausalLM"
    )]
    NoArchitecture { file: PathBuf },
    #[error("{file}: {source}")]
    Translate { file: PathBuf, source: TranslateError },
    #[error("{file} is a GGUF file already; `tandem quantize` changes its types")]
    NothingToTranslate { file: PathBuf },
}

impl ModelFile {
    pub fn open(path: &Path) -> Result<ModelFile, FileError> {
        ModelFile::open_as(path, |weights| weights)
    }

    /// For those who quantise the weights anew: what would be rounded on reading is not.
    pub fn open_exactly(path: &Path) -> Result<ModelFile, FileError> {
        ModelFile::open_as(path, Safetensors::exactly)
    }

    fn open_as(path: &Path, view: fn(Safetensors) -> Safetensors) -> Result<ModelFile, FileError> {
        let safetensors = path.extension().is_some_and(|extension| extension == "safetensors");
        let kind = if path.is_dir() || safetensors {
            let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new(".")) };
            let (config, architecture) = read_config(&folder.join("config.json"))?;
            Kind::Folder {
                weights: Box::new(view(Safetensors::open(path).map_err(FormatError::from)?)),
                config,
                architecture,
            }
        } else {
            Kind::Gguf(Gguf::open_seeing(path).map_err(FormatError::from)?)
        };
        Ok(ModelFile { path: path.to_owned(), kind })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn weights(&self) -> &dyn Weights {
        match &self.kind {
            Kind::Gguf(gguf) => gguf,
            Kind::Folder { weights, .. } => &**weights,
        }
    }

    pub fn gguf(&self) -> Option<&Gguf> {
        match &self.kind {
            Kind::Gguf(gguf) => Some(gguf),
            Kind::Folder { .. } => None,
        }
    }

    pub fn description(&self) -> Result<Description, FileError> {
        let tensors = self.tensors();
        let described = match &self.kind {
            Kind::Gguf(gguf) => {
                let metadata = gguf.metadata();
                let architecture = metadata.get_str("general.architecture")?;
                describe(&GgufFacts { metadata, architecture, projector: gguf.projector() }, &tensors)
            }
            Kind::Folder { config, architecture, .. } => {
                describe(&ConfigFacts { config, architecture }, &tensors)
            }
        };
        tensors.explain(described).map_err(|error| match error {
            Explained::Format(error) => error.into(),
            Explained::Own(source) => FileError::Describe { file: self.path.clone(), source },
        })
    }

    /// The model in GGUF's terms.
    pub fn translation(&self) -> Result<Translation, FileError> {
        let Kind::Folder { config, architecture, .. } = &self.kind else {
            return Err(FileError::NothingToTranslate { file: self.path.clone() });
        };
        let tensors = self.tensors();
        let translated = translate(&ConfigFacts { config, architecture }, &tensors);
        tensors.explain(translated).map_err(|error| match error {
            Explained::Format(error) => error.into(),
            Explained::Own(source) => FileError::Translate { file: self.path.clone(), source },
        })
    }

    /// Divide a stage of `layers` among ranks, in proportion to `shares`.
    pub fn divide(
        &self,
        model: &Description,
        layers: Range<usize>,
        shares: &[f64],
    ) -> Result<Vec<Shard>, FileError> {
        Shard::divide(model, &self.tensors(), layers, shares)
            .map_err(|source| FileError::Divide { file: self.path.clone(), source })
    }

    /// The program of the rank that holds `shard`.
    pub fn program(&self, model: &Description, shard: &Shard) -> Result<Program, FileError> {
        let tensors = self.tensors();
        let lowered = lower(model, &tensors, shard);
        tensors.explain(lowered).map_err(|error| match error {
            Explained::Format(error) => error.into(),
            Explained::Own(source) => FileError::Lower { file: self.path.clone(), source },
        })
    }

    /// The program of what the model sees pictures with, where it has that.
    pub fn tower_program(&self, model: &Description) -> Result<Option<Program>, FileError> {
        let tensors = self.tensors();
        let lowered = lower_tower(model, &tensors);
        tensors.explain(lowered).map_err(|error| match error {
            Explained::Format(error) => error.into(),
            Explained::Own(source) => FileError::Lower { file: self.path.clone(), source },
        })
    }

    /// Where a folder's tokenizer lies, if it has one.
    pub fn tokenizer_path(&self) -> PathBuf {
        self.beside("tokenizer.json")
    }

    /// Where it lies in tiktoken's form.
    pub fn tiktoken_path(&self) -> PathBuf {
        self.beside("tiktoken.model")
    }

    /// The chat template's source, if the model brings one.
    pub fn template(&self) -> Result<Option<String>, FileError> {
        match &self.kind {
            Kind::Gguf(gguf) => {
                Ok(gguf.metadata().find::<&str>("tokenizer.chat_template")?.map(str::to_owned))
            }
            Kind::Folder { .. } => {
                let own = self.beside("chat_template.jinja");
                if own.exists() {
                    return read(&own).map(Some);
                }
                let config = self.tokenizer_config()?;
                Ok(config.get("chat_template").and_then(|template| template.as_str()).map(str::to_owned))
            }
        }
    }

    /// `tokenizer_config.json`, or nothing where there is none.
    pub fn tokenizer_config(&self) -> Result<serde_json::Value, FileError> {
        let path = self.beside("tokenizer_config.json");
        if !path.exists() {
            return Ok(serde_json::Value::Null);
        }
        serde_json::from_str(&read(&path)?).map_err(|source| FileError::Json { file: path, source })
    }

    fn tensors(&self) -> FileTensors<'_> {
        FileTensors { weights: self.weights(), unreadable: RefCell::new(None) }
    }

    fn beside(&self, name: &str) -> PathBuf {
        if self.path.is_dir() { self.path.join(name) } else { self.path.with_file_name(name) }
    }
}

/// The model that a `config.json` alone describes, in GGUF's terms; `path` is for messages.
pub fn translate_config(config: &serde_json::Value, path: &Path) -> Result<Translation, FileError> {
    struct NoTensors;
    impl Tensors for NoTensors {
        fn get(&self, _: &str) -> Option<Stored> {
            None
        }
    }
    let facts = ConfigFacts { config, architecture: architecture_of(config, path)? };
    translate(&facts, &NoTensors).map_err(|source| FileError::Translate { file: path.to_owned(), source })
}

/// A `config.json` and the architecture it names.
fn read_config(path: &Path) -> Result<(serde_json::Value, String), FileError> {
    let config = tandem_formats::parse_config(read(path)?.as_bytes())
        .map_err(|source| FileError::Json { file: path.to_owned(), source })?;
    let architecture = architecture_of(&config, path)?.to_owned();
    Ok((config, architecture))
}

fn architecture_of<'a>(config: &'a serde_json::Value, path: &Path) -> Result<&'a str, FileError> {
    let architecture = config.pointer("/architectures/0").and_then(|name| name.as_str());
    architecture.ok_or_else(|| FileError::NoArchitecture { file: path.to_owned() })
}

enum Explained<E> {
    Format(FormatError),
    Own(E),
}

impl FileTensors<'_> {
    /// A failure with a tensor we could not read behind it is explained by that tensor.
    fn explain<T, E>(self, result: Result<T, E>) -> Result<T, Explained<E>> {
        result.map_err(|error| match self.unreadable.into_inner() {
            Some(unreadable) => Explained::Format(unreadable),
            None => Explained::Own(error),
        })
    }
}

/// A text that belongs to a model.
pub fn read(path: &Path) -> Result<String, FileError> {
    fs::read_to_string(path).map_err(|source| FileError::Read { file: path.to_owned(), source })
}
