//! From what a person typed to a file or folder that can be opened.

use crate::progress::PullProgress;
use anyhow::Result;
use std::ffi::OsStr;
use std::path::PathBuf;
use tandem_hub::{Hub, HubError, ModelRef, Store};

/// A model that is on this machine.
#[derive(Debug)]
pub struct Located {
    pub name: String,
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

/// Pulled first if need be, and the pull shown.
pub fn or_pull(model: &ModelRef, endpoint: Option<&str>) -> Result<Located> {
    if let Some(located) = found(model)? {
        return Ok(located);
    }
    let (store, hub) = (Store::from_env()?, Hub::from_env(endpoint)?);
    let local = tandem_hub::pull(&store, &hub, model, &mut PullProgress::new())?;
    Ok(Located { name: local.short_name(), path: local.path() })
}

fn found(model: &ModelRef) -> Result<Option<Located>> {
    if let ModelRef::Path(path) = model {
        let path = tandem_hub::model_at(path)?;
        return Ok(Some(Located { name: path.display().to_string(), path }));
    }
    let local = Store::from_env()?.find(model)?;
    Ok(local.map(|local| Located { name: local.short_name(), path: local.path() }))
}
