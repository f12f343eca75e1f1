//! Operators that take a row by itself.

use tandem_tensor::{BufId, Curve, LayerNorm, RmsNorm, Rows, WeightId};

use super::{Action, Draft, EACH, Extent, Load, ONE, Planner, SUMS_MAX, Variant};
use crate::kernels::{Key, Kind};
use crate::memory::{Format, prepared_len};
use crate::packing::blocks_of;

impl Planner<'_> {
    pub(super) fn embed(&mut self, table: WeightId, first_row: usize, scale: f32, out: BufId) {
        let weight = self.program.weight(table);
        let place = self.plan.map.place(table);
        let width = self.width(out);
        let units = blocks_of(width) as u32 * 2;
        let mut params = place.planes.to_vec();
        params.extend([first_row as u32, weight.rows() as u32, width as u32, self.at(out)]);
        params.extend([scale.to_bits(), 0, 0, 0]);
        let key = Key::new(Kind::Embed, 64).of(weight.dtype);
        let grid = [Extent::Fixed(units.div_ceil(64)), EACH, ONE];
        let draft = Draft { key, params, chunk: Some(place.chunk), cache: None, x: None, from: None, grid };
        self.run(Rows::Tokens, vec![draft]);
    }

    pub(super) fn norm(&mut self, at: usize, x: BufId, y: Option<BufId>, norm: RmsNorm, out: BufId) {
        let width = self.width(out);
        let threads = (width.div_ceil(4) as u32).next_power_of_two().clamp(32, self.abilities.threads_max);
        let stride = prepared_len(self.program.buf(out)) as u32;
        self.forget(out);
        self.forget(x);
        let variants = Load::ALL.map(|load| {
            let (formats, plain) = self.wanted(at, out, load);
            let format = formats.first().copied();
            let key = Key::new(Kind::Norm, threads)
                .with("PER", (width as u32).div_ceil(threads * 4))
                .with("BY_FOURS", width.is_multiple_of(4).into())
                .with("ADD", y.is_some().into())
                .with("KEEP", plain.into())
                .with("FORMAT", format.map_or(0, Format::constant));
            let params = vec![
                self.at(x),
                y.map_or(0, |y| self.at(y)),
                self.at(out),
                self.vector(norm.weight),
                width as u32,
                stride,
                norm.eps.to_bits(),
                0,
            ];
            if let Some(format) = format {
                self.room(format, self.rows_of(out, load), stride as usize);
                self.ready(load).insert(format, out);
            }
            let grid = [EACH, ONE, ONE];
            let draft = Draft { key, params, chunk: None, cache: None, x: format, from: None, grid };
            Variant::new(load.upto(), vec![draft])
        });
        let mut variants = variants.to_vec();
        if let Some(taken) = self.taken(at) {
            let before = vec![variants.remove(0)];
            let none = vec![Variant::new(Load::One.upto(), Vec::new())];
            variants.splice(0..0, self.either(&taken, none, before));
        }
        self.plan.actions.push(Action::Run { rows: self.rows(out), variants });
    }

    pub(super) fn add(&mut self, x: BufId, y: BufId) {
        let width = self.width(x) as u32;
        let params = vec![self.at(x), self.at(y), width, 0];
        let grid = [Extent::Fixed(width.div_ceil(256)), EACH, ONE];
        let key = Key::new(Kind::Add, 256);
        self.run(
            self.rows(x),
            vec![Draft { key, params, chunk: None, cache: None, x: None, from: None, grid }],
        );
    }

    /// `out[i]` is the mean of `len` rows from `outputs[i]` on.
    pub(super) fn mean(&mut self, x: BufId, len: usize, out: BufId) {
        let width = self.width(x) as u32;
        let params = vec![self.at(x), self.at(out), width, len as u32];
        let grid = [Extent::Fixed(width.div_ceil(256)), EACH, ONE];
        let key = Key::new(Kind::Select, 256);
        self.run(
            Rows::Outputs,
            vec![Draft { key, params, chunk: None, cache: None, x: None, from: None, grid }],
        );
    }

    /// Prepare `x` for products with `weight` unless it is.
    pub(super) fn prepare(&mut self, x: BufId, weight: WeightId) {
        let drafts = Load::ALL.map(|load| {
            let format = self.format(weight, load);
            if self.input(x, weight, load) == Format::Between || self.ready(load).insert(format, x) == Some(x)
            {
                return vec![];
            }
            vec![self.convert(self.at(x), self.width(x), format, self.rows_of(x, load), EACH)]
        });
        if drafts.iter().any(|drafts| !drafts.is_empty()) {
            self.run_each(self.rows(x), drafts);
        }
    }

    /// Which prepared rows products of `x` with `weight` read.
    pub(super) fn input(&self, x: BufId, weight: WeightId, load: Load) -> Format {
        let format = self.format(weight, load);
        let between = self.ready[load as usize].get(&Format::Between) == Some(&x);
        if between && format == Format::Eight { Format::Between } else { format }
    }

    pub(super) fn convert(
        &mut self,
        first: u32,
        width: usize,
        format: Format,
        rows: usize,
        each: Extent,
    ) -> Draft {
        let stride = blocks_of(width) * 32;
        self.room(format, rows, stride);
        let params = vec![first, width as u32, stride as u32, 0];
        let grid = [Extent::Fixed((stride as u32 / 4).div_ceil(64)), each, ONE];
        let key = Key::new(Kind::Convert, 64).with("FORMAT", format.constant());
        Draft { key, params, chunk: None, cache: None, x: Some(format), from: None, grid }
    }

    pub(super) fn slice(&mut self, x: BufId, first: usize, out: BufId) {
        let params =
            vec![self.at(x) + first as u32, self.width(x) as u32, self.at(out), self.width(out) as u32];
        self.each_value(Key::new(Kind::Slice, 256), out, params);
    }

    pub(super) fn place(&mut self, out: BufId) {
        let width = self.width(out) as u32;
        let params = vec![self.at(out), width, 0, 0];
        let grid = [Extent::Fixed(width.div_ceil(256)), Extent::Given, ONE];
        let key = Key::new(Kind::Place, 256);
        self.run(
            Rows::Tokens,
            vec![Draft { key, params, chunk: None, cache: None, x: None, from: None, grid }],
        );
    }

    pub(super) fn layer_norm(&mut self, x: BufId, norm: LayerNorm, out: BufId) {
        let params = vec![
            self.at(x),
            self.at(out),
            self.width(out) as u32,
            self.vector(norm.weight),
            self.vector(norm.bias),
            norm.eps.to_bits(),
            0,
            0,
        ];
        let key = Key::new(Kind::LayerNorm, 256);
        let grid = [EACH, ONE, ONE];
        self.run(
            self.rows(out),
            vec![Draft { key, params, chunk: None, cache: None, x: None, from: None, grid }],
        );
    }

    /// `x[t, i] *= curve(gate[t, i / n])`, or `x = curve(x)` without a gate.
    pub(super) fn curve(&mut self, x: BufId, gate: Option<BufId>, curve: Curve) {
        let width = self.width(x) as u32;
        let (at, covered) = gate.map_or((0, 1), |gate| (self.at(gate), width / self.width(gate) as u32));
        let curve = match curve {
            Curve::Sigmoid => 0,
            Curve::Silu => 1,
            Curve::Gelu => 2,
        };
        let key = Key::new(Kind::Curve, 256).with("CURVE", curve).with("OWN", gate.is_none().into());
        self.each_value(key, x, vec![self.at(x), at, width, covered]);
    }

    pub(super) fn rescale(&mut self, x: BufId, scale: f32, by: Option<WeightId>, cap: Option<f32>) {
        let cap = cap.unwrap_or(0.0).to_bits();
        let by = self.vector_from_1(by);
        let params = vec![self.at(x), self.width(x) as u32, scale.to_bits(), cap, by, 0, 0, 0];
        self.each_value(Key::new(Kind::Rescale, 256), x, params);
    }

    pub(super) fn norm_by(&mut self, x: BufId, sums: BufId, at: usize, len: usize, norm: RmsNorm) {
        let params = vec![
            self.at(x),
            self.width(x) as u32,
            self.at(sums) + at as u32,
            self.width(sums) as u32,
            len as u32,
            self.vector(norm.weight),
            norm.eps.to_bits(),
            0,
        ];
        self.each_value(Key::new(Kind::NormBy, 256), x, params);
    }

    /// A thread for every value of `x`.
    fn each_value(&mut self, key: Key, x: BufId, params: Vec<u32>) {
        let grid = [Extent::Fixed((self.width(x) as u32).div_ceil(key.threads)), EACH, ONE];
        self.run(
            self.rows(x),
            vec![Draft { key, params, chunk: None, cache: None, x: None, from: None, grid }],
        );
    }

    pub(super) fn norm_runs(&mut self, x: BufId, len: usize, norm: RmsNorm) {
        let width = self.width(x);
        let weights = (self.program.weight(norm.weight).cols() / len) as u32;
        let params = vec![
            self.at(x),
            width as u32,
            len as u32,
            self.vector(norm.weight),
            norm.eps.to_bits(),
            weights,
            0,
            0,
        ];
        let grid = [Extent::Fixed((width / len) as u32), EACH, ONE];
        let key = Key::new(Kind::NormRuns, 64);
        self.run(
            self.rows(x),
            vec![Draft { key, params, chunk: None, cache: None, x: None, from: None, grid }],
        );
    }

    pub(super) fn sum_squares(&mut self, of: &[Option<BufId>], out: BufId) {
        let mut params = vec![self.at(out), of.len() as u32, 0, 0];
        for of in of {
            params.extend([of.map_or(0, |of| self.at(of)), of.map_or(0, |of| self.width(of) as u32), 0, 0]);
        }
        params.resize(4 + 4 * SUMS_MAX, 0);
        let grid = [Extent::Fixed(of.len() as u32), EACH, ONE];
        let key = Key::new(Kind::SumSquares, 256);
        self.run(
            self.rows(out),
            vec![Draft { key, params, chunk: None, cache: None, x: None, from: None, grid }],
        );
    }
}
