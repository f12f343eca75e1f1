//! Where the project and its cache are.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::shell::{command, run};

pub struct Workspace {
    pub root: PathBuf,
    /// Kept between runs: environments, tool chains, generated models.
    pub cache: PathBuf,
}

impl Workspace {
    pub fn locate() -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask lies in the workspace")?;
        let cache =
            cache_folder().context("neither TANDEM_CACHE nor HOME is set: nowhere to keep the cache")?;
        Ok(Self { root: root.to_path_buf(), cache: cache.join("tandem-dev") })
    }

    /// Builds the program as the tests do. With other packages chosen, cargo would compile most of it again.
    pub fn build_tandem(&self) -> Result<()> {
        let line = "cargo test --locked --workspace --no-run --quiet --lib --bins --tests";
        run(command(line).current_dir(&self.root))
    }

    pub fn target(&self) -> PathBuf {
        env::var_os("CARGO_TARGET_DIR").map_or_else(|| self.root.join("target"), PathBuf::from)
    }
}

fn cache_folder() -> Option<PathBuf> {
    let set = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("TANDEM_CACHE").or_else(|| set("XDG_CACHE_HOME")).or_else(|| Some(set("HOME")?.join(".cache")))
}
