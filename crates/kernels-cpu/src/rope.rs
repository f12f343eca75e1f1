//! Rotary position embedding.

use tandem_tensor::{Rope, RopeStyle};

/// Writes cosine and sine of every pair at `position` to `out`: `[cosines, sines]`, a row of a
/// step's table. All layers share it.
pub(crate) fn angles(rope: &Rope, factors: Option<&[f32]>, position: usize, out: &mut [f32]) {
    let (cosines, sines) = out.split_at_mut(rope.inv_freq.len());
    for i in 0..rope.inv_freq.len() {
        let angle = rope.angle(i, factors.map_or(1.0, |factors| factors[i]), position);
        let (sin, cos) = angle.sin_cos();
        cosines[i] = cos * rope.magnitude;
        sines[i] = sin * rope.magnitude;
    }
}

/// Undoes [`rotate`], but for the magnitude.
#[inline(always)]
pub(crate) fn rotate_back(style: RopeStyle, angles: &[f32], head: &mut [f32]) {
    let pairs = angles.len() / 2;
    let (cosines, sines) = angles.split_at(pairs);
    for i in 0..pairs {
        let (a, b) = match style {
            RopeStyle::Interleaved => (2 * i, 2 * i + 1),
            RopeStyle::Halves => (i, i + pairs),
        };
        (head[a], head[b]) =
            (head[a] * cosines[i] + head[b] * sines[i], head[b] * cosines[i] - head[a] * sines[i]);
    }
}

/// Turns the leading values of `head` by a row that [`angles`] wrote.
#[inline(always)]
pub(crate) fn rotate(style: RopeStyle, angles: &[f32], head: &mut [f32]) {
    let pairs = angles.len() / 2;
    let (cosines, sines) = angles.split_at(pairs);
    match style {
        RopeStyle::Interleaved => {
            for ((pair, cos), sin) in
                head[..2 * pairs].as_chunks_mut::<2>().0.iter_mut().zip(cosines).zip(sines)
            {
                *pair = [pair[0] * cos - pair[1] * sin, pair[0] * sin + pair[1] * cos];
            }
        }
        RopeStyle::Halves => {
            let (first, second) = head[..2 * pairs].split_at_mut(pairs);
            for i in 0..pairs {
                let (a, b) = (first[i], second[i]);
                first[i] = a * cosines[i] - b * sines[i];
                second[i] = a * sines[i] + b * cosines[i];
            }
        }
    }
}
