//! What a model sees pictures with: a program of its own, beside that of a rank.

use std::sync::{Arc, Mutex, PoisonError};

use tandem_models::{Description, Tower};
use tandem_tensor::{Alone, Backend, Footprint, OpenError, PeerLost, Program, Session};

use crate::{FileError, FileSource, ModelFile};

/// A tower before it is loaded.
pub struct TowerPlan {
    tower: Tower,
    program: Arc<Program>,
}

impl TowerPlan {
    /// The model's tower, where it has one.
    pub fn of(file: &ModelFile, model: &Description) -> Result<Option<TowerPlan>, FileError> {
        let Some(tower) = model.tower.clone() else { return Ok(None) };
        let program = file.tower_program(model)?;
        Ok(program.map(|program| TowerPlan { tower, program: Arc::new(program) }))
    }

    pub fn footprint(&self, backend: &dyn Backend) -> Footprint {
        backend.footprint(&self.program, &self.tower.limits())
    }

    pub fn program(&self) -> &Program {
        &self.program
    }

    pub fn open(
        self,
        file: &ModelFile,
        backend: &dyn Backend,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<OpenTower, OpenError> {
        let (limits, source) = (self.tower.limits(), FileSource(file.weights()));
        let session = backend.open(self.program, limits, &source, progress)?;
        Ok(OpenTower { tower: self.tower, session: Mutex::new(session) })
    }
}

/// A tower in memory.
pub struct OpenTower {
    tower: Tower,
    session: Mutex<Box<dyn Session>>,
}

impl OpenTower {
    /// Rows of every picture.
    pub fn rows(&self) -> usize {
        self.tower.rows
    }

    /// Bytes of every picture: red, green and blue of its pixels.
    pub fn picture_bytes(&self) -> usize {
        self.tower.picture_bytes()
    }

    /// The rows that the model reads of a picture, which has [`picture_bytes`](Self::picture_bytes).
    pub fn look(&self, picture: &[u8]) -> Result<Arc<[f32]>, PeerLost> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        session.run(&self.tower.batch(picture), &mut Alone)?;
        Ok(session.result().into())
    }
}
