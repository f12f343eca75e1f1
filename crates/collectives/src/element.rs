use bytemuck::Pod;
use half::{bf16, f16, slice::HalfFloatSliceExt};

/// How contributions are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    Sum,
    Max,
    Min,
}

/// A number that can be reduced. Whatever the type, the arithmetic is in f32 and rounds once, at the end.
pub trait Element: Pod + Send + private::Sealed {
    /// Whether storing rounds; then partial results travel as f32.
    const NARROW: bool;

    fn load(from: &[Self], into: &mut [f32]);
    fn store(from: &[f32], into: &mut [Self]);
    fn combine(op: Op, into: &mut [f32], from: &[Self]);

    /// `into[i]` becomes what the `i`-th elements of all `from` give, combined in order.
    fn reduce(op: Op, from: &[&[Self]], into: &mut [Self]) {
        let mut sums = [0.0; BLOCK];
        for (block, into) in into.chunks_mut(BLOCK).enumerate() {
            let sums = &mut sums[..into.len()];
            for (position, from) in from.iter().enumerate() {
                let from = &from[block * BLOCK..][..into.len()];
                if position == 0 { Self::load(from, sums) } else { Self::combine(op, sums, from) }
            }
            Self::store(sums, into);
        }
    }

    /// `own[i]` becomes what the `i`-th elements of all `before`, its own and those of all `after` give, combined in that order.
    fn reduce_around(op: Op, before: &[&[Self]], own: &mut [Self], after: &[&[Self]]) {
        let mut sums = [0.0; BLOCK];
        for (block, own) in own.chunks_mut(BLOCK).enumerate() {
            let (sums, part) = (&mut sums[..own.len()], block * BLOCK..block * BLOCK + own.len());
            match before {
                [] => Self::load(own, sums),
                [first, others @ ..] => {
                    Self::load(&first[part.clone()], sums);
                    others.iter().for_each(|other| Self::combine(op, sums, &other[part.clone()]));
                    Self::combine(op, sums, own);
                }
            }
            after.iter().for_each(|other| Self::combine(op, sums, &other[part.clone()]));
            Self::store(sums, own);
        }
    }
}

mod private {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for half::f16 {}
    impl Sealed for half::bf16 {}
}

impl Element for f32 {
    const NARROW: bool = false;

    fn load(from: &[f32], into: &mut [f32]) {
        into.copy_from_slice(from);
    }

    fn store(from: &[f32], into: &mut [f32]) {
        into.copy_from_slice(from);
    }

    fn combine(op: Op, into: &mut [f32], from: &[f32]) {
        // One loop per operation, so that each is vectorised.
        let pairs = into.iter_mut().zip(from);
        match op {
            Op::Sum => pairs.for_each(|(a, b)| *a += b),
            Op::Max => pairs.for_each(|(a, b)| *a = if *b > *a { *b } else { *a }),
            Op::Min => pairs.for_each(|(a, b)| *a = if *b < *a { *b } else { *a }),
        }
    }

    /// Without a copy of the first, which matters where everything is in the nearest cache.
    fn reduce(op: Op, from: &[&[f32]], into: &mut [f32]) {
        let [first, second, others @ ..] = from else {
            from.iter().for_each(|only| into.copy_from_slice(only));
            return;
        };
        for (block, into) in into.chunks_mut(BLOCK).enumerate() {
            let part = block * BLOCK..block * BLOCK + into.len();
            let both = into.iter_mut().zip(first[part.clone()].iter().zip(&second[part.clone()]));
            match op {
                Op::Sum => both.for_each(|(into, (a, b))| *into = a + b),
                Op::Max => both.for_each(|(into, (a, b))| *into = if *b > *a { *b } else { *a }),
                Op::Min => both.for_each(|(into, (a, b))| *into = if *b < *a { *b } else { *a }),
            }
            for other in others {
                f32::combine(op, into, &other[part.clone()]);
            }
        }
    }

    /// In place.
    fn reduce_around(op: Op, before: &[&[f32]], own: &mut [f32], after: &[&[f32]]) {
        let mut sums = [0.0; BLOCK];
        for (block, own) in own.chunks_mut(BLOCK).enumerate() {
            let part = block * BLOCK..block * BLOCK + own.len();
            let first = match before {
                [] => None,
                [only] => Some(&only[part.clone()]),
                [first, others @ ..] => {
                    let sums = &mut sums[..own.len()];
                    sums.copy_from_slice(&first[part.clone()]);
                    others.iter().for_each(|other| f32::combine(op, sums, &other[part.clone()]));
                    Some(&*sums)
                }
            };
            if let Some(first) = first {
                let pairs = first.iter().zip(own.iter_mut());
                match op {
                    Op::Sum => pairs.for_each(|(a, b)| *b += a),
                    Op::Max => pairs.for_each(|(a, b)| *b = if *b > *a { *b } else { *a }),
                    Op::Min => pairs.for_each(|(a, b)| *b = if *b < *a { *b } else { *a }),
                }
            }
            after.iter().for_each(|other| f32::combine(op, own, &other[part.clone()]));
        }
    }
}

macro_rules! narrow {
    ($type:ty) => {
        impl Element for $type {
            const NARROW: bool = true;

            fn load(from: &[$type], into: &mut [f32]) {
                from.convert_to_f32_slice(into);
            }

            fn store(from: &[f32], into: &mut [$type]) {
                into.convert_from_f32_slice(from);
            }

            fn combine(op: Op, into: &mut [f32], from: &[$type]) {
                let mut wide = [0.0; 256];
                for (into, from) in into.chunks_mut(256).zip(from.chunks(256)) {
                    let wide = &mut wide[..from.len()];
                    from.convert_to_f32_slice(wide);
                    f32::combine(op, into, wide);
                }
            }
        }
    };
}

narrow!(f16);
narrow!(bf16);

/// Elements reduced at a time: the accumulators stay in the first-level cache.
pub(crate) const BLOCK: usize = 1024;
