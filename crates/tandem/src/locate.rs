//! From what a person typed to a file or folder that can be opened.

use anyhow::Result;
use std::ffi::OsStr;
use std::path::PathBuf;
use tandem_hub::{HubError, ModelRef, Store};

/// A model that is on this machine.
#[derive(Debug)]
pub struct Located {
    pub path: PathBuf,
}

pub fn parse(model: Option<&OsStr>) -> Result<ModelRef, HubError> {
    model.map_or_else(|| Ok(ModelRef::default_model()), ModelRef::parse)
}

/// Without the network.
pub fn on_this_machine(model: &ModelRef) -> Result<Located> {
    match found(model)? {
        Some(located) => Ok(located),
        None => Err(HubError::NotLocal { name: model.to_string() }.into()),
    }
}

fn found(model: &ModelRef) -> Result<Option<Located>> {
    if let ModelRef::Path(path) = model {
        let path = tandem_hub::model_at(path)?;
        return Ok(Some(Located { path }));
    }
    let local = Store::from_env()?.find(model)?;
    Ok(local.map(|local| Located { path: local.path() }))
}
