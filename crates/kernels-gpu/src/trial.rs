//! Whether a device multiplies matrices as the reference does, tried once for each driver before anything relies on it.

use tandem_tensor::conformance::{Latent, Llama, Precision, Random, Sequences, differ};
use tandem_tensor::{Alone, Backend, CacheType, DType, Reference, Session};

use crate::fast_paths::FastPath;

/// What is tried by itself, in this order: the second needs the first.
pub const TRIED: [FastPath; 2] = [FastPath::Matrices, FastPath::Attention];

/// Rows of a batch: in tiles whose depth is divided, and in whole ones.
const ROWS: [usize; 2] = [40, 200];

/// Prompts through one layer: for products with coded matrices and with half floats, for attention with heads of every kind. An error
/// says how they differ.
pub fn of(path: FastPath, backend: &dyn Backend) -> Result<(), String> {
    // The last product, of one row, rounds activations to eight bits where the matrix is coded.
    let (coded, halves) = (Precision::EightBits.tolerance(), Precision::Half.tolerance());
    let latent =
        Latent { latent_dim: 64, nope_dim: 32, rope_dim: 32, value_dim: 32, dtype: DType::F16, chosen: None };
    let cases = match path {
        FastPath::Attention => [(DType::F16, None, halves), (DType::F16, Some(latent), halves)],
        _ => [(DType::Q4_0, None, coded), (DType::F16, None, halves)],
    };
    for (dtype, latent, tolerance) in cases {
        let llama = Llama { layers: 1, dtype, latent, ..Llama::default() };
        let limits = llama.limits(32, CacheType::F16);
        let program = llama.program();
        let mut sequences = Sequences::new(1, &llama, limits);
        let batches = ROWS.map(|rows| sequences.batch(&[(0, rows)]));
        let results = |backend: &dyn Backend| -> Result<Vec<Vec<f32>>, String> {
            let opened = backend.open(program.clone(), limits, &Random, &|_| {});
            let mut session: Box<dyn Session> = opened.map_err(|error| error.to_string())?;
            let mut step = |batch| {
                session.run(batch, &mut Alone).map_err(|lost| lost.to_string())?;
                Ok(session.result().to_vec())
            };
            batches.iter().map(&mut step).collect()
        };
        differ(&results(backend)?, &results(&Reference)?, tolerance)?;
    }
    Ok(())
}
