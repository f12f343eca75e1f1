//! Resizing as PIL does it, to the bit: published processors do, and models were trained on what they give.
//!
//! Each side by itself. A new pixel is the mean of the old ones that lie within its width and one more, or within a
//! pixel's where it is smaller than that; their weights fall to both sides in a straight line. Weights are rounded to 22 bits after
//! the point, and values to bytes after each side.

use crate::Picture;

/// Bits after the point of a weight.
const PRECISION: u32 = 32 - 8 - 2;

pub(crate) fn bilinear(picture: &Picture, width: usize, height: usize) -> Vec<u8> {
    // Which side comes first changes a value by one here and there. As Pillow 13 chooses; those before it began with rows.
    let [wider, higher] =
        [(picture.width, width), (picture.height, height)].map(|(old, new)| old as i64 - new as i64);
    if higher > 0 && higher > 2 * wider {
        return wide(&high(picture, height), width).pixels;
    }
    high(&wide(picture, width), height).pixels
}

fn wide(picture: &Picture, width: usize) -> Picture {
    if width == picture.width {
        return picture.clone();
    }
    let weights = weights(picture.width, width);
    let mut pixels = Vec::with_capacity(width * picture.height * 3);
    for row in picture.pixels.chunks_exact(picture.width * 3) {
        for Weights { first, of } in &weights {
            let old = row[first * 3..].as_chunks::<3>().0;
            pixels.extend(mean(of.iter().zip(old.iter().copied())));
        }
    }
    Picture { width, height: picture.height, pixels }
}

fn high(picture: &Picture, height: usize) -> Picture {
    if height == picture.height {
        return picture.clone();
    }
    let width = picture.width;
    let mut pixels = Vec::with_capacity(width * height * 3);
    for Weights { first, of } in weights(picture.height, height) {
        let rows = &picture.pixels[first * width * 3..];
        for x in 0..width {
            let old = (0..of.len()).map(|y| *rows[(y * width + x) * 3..].first_chunk().expect("a pixel"));
            pixels.extend(mean(of.iter().zip(old)));
        }
    }
    Picture { width, height, pixels }
}

fn mean<'a>(weighted: impl Iterator<Item = (&'a i64, [u8; 3])>) -> [u8; 3] {
    let mut sums = [1i64 << (PRECISION - 1); 3];
    for (weight, pixel) in weighted {
        sums.iter_mut().zip(pixel).for_each(|(sum, value)| *sum += weight * i64::from(value));
    }
    sums.map(|sum| (sum >> PRECISION).clamp(0, 255) as u8)
}

/// Of the old pixels from `first` on.
struct Weights {
    first: usize,
    of: Vec<i64>,
}

fn weights(old: usize, new: usize) -> Vec<Weights> {
    let scale = old as f64 / new as f64;
    let reach = scale.max(1.0);
    let of = |at: usize| {
        let centre = (at as f64 + 0.5) * scale;
        let first = (centre - reach + 0.5).max(0.0) as usize;
        let end = ((centre + reach + 0.5) as usize).min(old);
        let weight = |at: usize| (1.0 - ((at as f64 - centre + 0.5) * (1.0 / reach)).abs()).max(0.0);
        let all: f64 = (first..end).map(weight).sum();
        let fixed = |weight: f64| (0.5 + weight / all * f64::from(1 << PRECISION)) as i64;
        Weights { first, of: (first..end).map(|at| fixed(weight(at))).collect() }
    };
    (0..new).map(of).collect()
}
