//! Several streams where others have one.

use super::{ReferenceSession, dot, sigmoid, softmax};
use crate::{Blend, BufId, Connect};

impl ReferenceSession {
    pub(super) fn spread(&mut self, x: BufId, out: BufId) {
        let (from, width) = (self.width(x), self.width(out));
        let mut y = self.take(out);
        for (y, x) in y.chunks_exact_mut(width).zip(self.bufs[x.index()].chunks_exact(from)) {
            y.chunks_exact_mut(from).for_each(|stream| stream.copy_from_slice(x));
        }
        self.put(out, y);
    }

    pub(super) fn connect(&mut self, op: &Connect) {
        let (n, width) = (op.streams, self.width(op.x));
        let mut mixes = self.take(op.mixes);
        let (scale, base) = (&self.weights[op.scale.index()], &self.weights[op.base.index()]);
        let rows = self.bufs[op.x.index()].chunks_exact(width);
        for (row, x) in mixes.chunks_exact_mut(Connect::width(n)).zip(rows) {
            let mean_square = x.iter().map(|x| x * x).sum::<f32>() / width as f32;
            let norm = 1.0 / (mean_square + op.eps).sqrt();
            for (i, mix) in row.iter_mut().enumerate() {
                *mix = *mix * norm * scale[(i / n).min(2)] + base[i];
            }
            let (pre, rest) = row.split_at_mut(n);
            let (post, comb) = rest.split_at_mut(n);
            pre.iter_mut().for_each(|x| *x = sigmoid(*x) + op.floor);
            post.iter_mut().for_each(|x| *x = 2.0 * sigmoid(*x));
            for row in comb.chunks_exact_mut(n) {
                softmax(row, None);
                row.iter_mut().for_each(|x| *x += op.floor);
            }
            for round in 0..op.rounds {
                if round > 0 {
                    for row in comb.chunks_exact_mut(n) {
                        let sum = row.iter().sum::<f32>() + op.floor;
                        row.iter_mut().for_each(|x| *x /= sum);
                    }
                }
                for column in 0..n {
                    let sum = (0..n).map(|row| comb[row * n + column]).sum::<f32>() + op.floor;
                    (0..n).for_each(|row| comb[row * n + column] /= sum);
                }
            }
        }
        self.put(op.mixes, mixes);
    }

    pub(super) fn collapse(&mut self, x: BufId, mixes: BufId, out: BufId) {
        let (from, width, mix_width) = (self.width(x), self.width(out), self.width(mixes));
        let mut y = self.take(out);
        let rows =
            self.bufs[x.index()].chunks_exact(from).zip(self.bufs[mixes.index()].chunks_exact(mix_width));
        for (y, (x, mixes)) in y.chunks_exact_mut(width).zip(rows) {
            y.fill(0.0);
            for (stream, mix) in x.chunks_exact(width).zip(mixes) {
                y.iter_mut().zip(stream).for_each(|(y, x)| *y += mix * x);
            }
        }
        self.put(out, y);
    }

    pub(super) fn blend(&mut self, op: &Blend) {
        let width = self.width(op.out);
        let mut out = self.take(op.out);
        let weight = &self.weights[op.weight.index()];
        for (t, y) in out.chunks_exact_mut(width).enumerate() {
            let row = |of: &BufId| &self.bufs[of.index()][t * width..][..width];
            let logit = |of: &BufId| {
                let x = row(of);
                dot(x, weight) / (dot(x, x) / width as f32 + op.eps).sqrt()
            };
            let mut shares: Vec<f32> = op.of.iter().map(logit).collect();
            softmax(&mut shares, None);
            y.fill(0.0);
            for (of, share) in op.of.iter().zip(shares) {
                y.iter_mut().zip(row(of)).for_each(|(y, x)| *y += share * x);
            }
        }
        self.put(op.out, out);
    }

    pub(super) fn expand(&mut self, x: BufId, y: BufId, mixes: BufId) {
        let (from, width, mix_width) = (self.width(x), self.width(y), self.width(mixes));
        let n = from / width;
        let mut streams = self.take(x);
        let rows =
            self.bufs[y.index()].chunks_exact(width).zip(self.bufs[mixes.index()].chunks_exact(mix_width));
        for (streams, (y, mixes)) in streams.chunks_exact_mut(from).zip(rows) {
            let before = streams.to_vec();
            for (s, stream) in streams.chunks_exact_mut(width).enumerate() {
                for (i, x) in stream.iter_mut().enumerate() {
                    *x = mixes[n + s] * y[i];
                    for r in 0..n {
                        *x += mixes[2 * n + n * r + s] * before[r * width + i];
                    }
                }
            }
        }
        self.put(x, streams);
    }
}
