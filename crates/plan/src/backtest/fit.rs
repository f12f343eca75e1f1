//! Constants from measurements: least squares on logarithms, robust against outliers, held near where physics puts them.

use crate::Constants;

/// A constant, where physics and data sheets put it, and how far (in logarithms) it may well be from there. Measurements move it as
/// far as they must; one that no measurement of a fold touches stays.
pub type Prior = (fn(&mut Unknowns) -> &mut f64, f64, f64);

pub const PRIORS: [Prior; 13] = [
    (|u| &mut u.constants.weights_read, 0.85, 0.1),
    (|u| &mut u.constants.twin_read, 1.0, 0.15),
    (|u| &mut u.constants.cache_read, 0.6, 0.3),
    (|u| &mut u.constants.layer_s, 50e-6, 0.7),
    (|u| &mut u.constants.twin_layer, 2.0, 0.3),
    (|u| &mut u.constants.matrix_layer, 0.6, 0.7),
    (|u| &mut u.constants.expert_layer, 1.0, 0.7),
    (|u| &mut u.constants.latent_layer, 1.0, 0.7),
    (|u| &mut u.constants.shader_flops, 0.7, 0.3),
    (|u| &mut u.constants.matrix_flops, 0.4, 0.5),
    (|u| &mut u.constants.expert_flops, 0.8, 0.3),
    (|u| &mut u.constants.gpu_sum_s, 20e-6, 0.5),
    (|u| &mut u.rpc_hop_s, 3e-3, 0.7),
];
const COUNT: usize = PRIORS.len();

/// What is fitted.
#[derive(Clone, Copy)]
pub struct Unknowns {
    pub constants: Constants,
    /// What llama.cpp's RPC costs for each node more. Tandem's own stages have no such cost.
    pub rpc_hop_s: f64,
}

/// How much of a miss is ordinary, in logarithms.
const SCATTER: f64 = 0.12;
/// Misses of more than so many times that count by their size, not by its square.
const OUTLIER: f64 = 1.5;

/// `miss` says by how much a point is missed, in logarithms; there are `points` of them.
pub fn fit(points: usize, miss: impl Fn(usize, &Unknowns) -> f64) -> Unknowns {
    let at = |x: &[f64; COUNT]| {
        let mut unknowns = Unknowns { constants: Constants::FITTED, rpc_hop_s: 0.0 };
        for ((field, prior, _), x) in PRIORS.iter().zip(x) {
            *field(&mut unknowns) = prior * x.exp();
        }
        unknowns
    };
    let misses = |x: &[f64; COUNT]| -> Vec<f64> {
        let unknowns = at(x);
        (0..points).map(|point| miss(point, &unknowns) / SCATTER).collect()
    };
    let cost = |x: &[f64; COUNT]| -> f64 {
        let huber = |r: &f64| match r.abs() {
            a if a < OUTLIER => a * a / 2.0,
            a => OUTLIER * (a - OUTLIER / 2.0),
        };
        let held = x.iter().zip(&PRIORS).map(|(x, (_, _, width))| (x / width).powi(2) / 2.0);
        misses(x).iter().map(huber).sum::<f64>() + held.sum::<f64>()
    };
    // Levenberg and Marquardt's way down.
    let (mut x, mut damping) = ([0.0; COUNT], 1e-2);
    for _ in 0..80 {
        let now = misses(&x);
        let slopes: Vec<Vec<f64>> = (0..COUNT)
            .map(|index| {
                let mut moved = x;
                moved[index] += 1e-5;
                misses(&moved).iter().zip(&now).map(|(a, b)| (a - b) / 1e-5).collect()
            })
            .collect();
        let weight: Vec<f64> =
            now.iter().map(|r| if r.abs() < OUTLIER { 1.0 } else { OUTLIER / r.abs() }).collect();
        let sum = |of: &dyn Fn(usize) -> f64| (0..points).map(|point| weight[point] * of(point)).sum::<f64>();
        let mut rows = [[0.0; COUNT + 1]; COUNT];
        for row in 0..COUNT {
            let width = PRIORS[row].2;
            for col in 0..COUNT {
                rows[row][col] = sum(&|point| slopes[row][point] * slopes[col][point]);
            }
            rows[row][row] = (rows[row][row] + 1.0 / (width * width)) * (1.0 + damping);
            rows[row][COUNT] = -sum(&|point| slopes[row][point] * now[point]) - x[row] / (width * width);
        }
        let step = solve(rows);
        let mut moved = x;
        moved.iter_mut().zip(step).for_each(|(x, step)| *x += step);
        match cost(&moved) < cost(&x) {
            true => (x, damping) = (moved, damping / 3.0),
            false => damping *= 5.0,
        }
        if step.iter().all(|step| step.abs() < 1e-7) {
            break;
        }
    }
    at(&x)
}

/// Gauss's elimination; the right side stands in the last column.
fn solve(mut rows: [[f64; COUNT + 1]; COUNT]) -> [f64; COUNT] {
    for col in 0..COUNT {
        let best = (col..COUNT).max_by(|a, b| rows[*a][col].abs().total_cmp(&rows[*b][col].abs())).unwrap();
        rows.swap(col, best);
        let pivot = rows[col];
        for row in rows.iter_mut().skip(col + 1) {
            let factor = row[col] / pivot[col];
            row.iter_mut().zip(pivot).for_each(|(value, above)| *value -= factor * above);
        }
    }
    let mut x = [0.0; COUNT];
    for row in (0..COUNT).rev() {
        let known: f64 = (row + 1..COUNT).map(|col| rows[row][col] * x[col]).sum();
        x[row] = (rows[row][COUNT] - known) / rows[row][row];
    }
    x
}
