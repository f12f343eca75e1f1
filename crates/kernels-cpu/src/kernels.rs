//! The kernels of one instruction set, as a table of functions chosen once.

// The wrappers enable instruction sets; `Kernels::of` picks a table only with a `Cpu` as proof.
#![allow(unsafe_code)]

use std::ops::Range;

use crate::activate::{self, ClampedSwiglu, Gelu, Sigmoid, Silu};
use crate::attend::{self, Head, Partial, QueryTile, Scratch};
use crate::cpu::{Cpu, Level};
use crate::indexer::{self, IndexHead};
use crate::latent::{self, LatentHead};
use crate::norm;
use crate::pooled::{self, RowCache, RowHead};
#[cfg(target_arch = "aarch64")]
use crate::simd::neon as arm;
use crate::simd::portable;
#[cfg(target_arch = "x86_64")]
use crate::simd::x86;
use crate::states::{self, Delta, Scanned};

/// The last rows of a sequence, the taps, the bias, and the row that is made of them.
type Convolve = unsafe fn(&[&[f32]], &[f32], &[f32], &mut [f32]);

/// Signatures and contracts are those of the functions of the same names in `norm`, `activate`, `states`, `attend`, `latent`,
/// `indexer` and `pooled`.
///
/// # Safety
/// All may be called on the processor that [`Kernels::of`] was given proof of.
pub(crate) struct Kernels {
    pub rms_norm: unsafe fn(&[f32], &[f32], f32, &mut [f32]),
    pub add: unsafe fn(*const f32, *const f32, *mut f32, usize),
    pub add_split: unsafe fn(*const f32, f32, bool, *mut f32, *mut f32, usize),
    pub add_scaled: unsafe fn(*const f32, f32, *mut f32, usize),
    pub silu_gate: unsafe fn(&[f32], &mut [f32]),
    pub gelu_gate: unsafe fn(&[f32], &mut [f32]),
    pub clamped_gate: unsafe fn(&[f32], &mut [f32]),
    pub sigmoid_gate: unsafe fn(&[f32], &mut [f32]),
    pub clamped_silu: unsafe fn(f32, &[f32], &mut [f32]),
    pub situ: unsafe fn([f32; 2], &[f32], &mut [f32]),
    pub convolve: Convolve,
    pub scan_step: unsafe fn(&mut [f32], &Scanned, &mut [f32]),
    pub delta_step: unsafe fn(&mut [f32], &Delta, &mut [f32], &mut [f32]),
    pub append: unsafe fn(&Head, usize, &QueryTile, &[f32], &[f32], &mut Scratch),
    pub attend: unsafe fn(&Head, usize, &QueryTile, &[f32], *mut f32, &mut Scratch),
    pub attend_partition: unsafe fn(&Head, usize, &QueryTile, usize, &[f32], &mut Partial, &mut Scratch),
    pub attend_merged: unsafe fn(&Head, usize, &QueryTile, &[Partial], *mut f32, &mut Scratch),
    pub append_latent: unsafe fn(&LatentHead, &QueryTile, &[f32], &mut Scratch),
    pub attend_latent: unsafe fn(&LatentHead, Range<usize>, &QueryTile, &[f32], &mut Scratch),
    #[allow(clippy::type_complexity)]
    pub attend_latent_partition:
        unsafe fn(&LatentHead, Range<usize>, &QueryTile, usize, &[f32], &mut Partial, &mut Scratch),
    pub merge_latent: unsafe fn(&LatentHead, Range<usize>, &[Partial], &mut Scratch),
    pub append_index: unsafe fn(&IndexHead, &QueryTile, &[f32], &mut Scratch),
    #[allow(clippy::type_complexity)]
    pub score_index: unsafe fn(&IndexHead, &QueryTile, usize, &[f32], &[f32], &mut [f32], &mut Scratch),
    #[allow(clippy::type_complexity)]
    pub attend_chosen: unsafe fn(&LatentHead, Range<usize>, &QueryTile, &[u32], &[f32], &mut Scratch),
    pub store_row: unsafe fn(&RowCache, &QueryTile, usize, &mut Scratch),
    #[allow(clippy::type_complexity)]
    pub score_rows: unsafe fn(&RowCache, &QueryTile, usize, &[f32], &[f32], &mut [f32], &mut Scratch),
    #[allow(clippy::type_complexity)]
    pub score_runs:
        unsafe fn(&RowCache, &QueryTile, usize, Range<usize>, &[f32], *mut f32, usize, &mut Scratch),
    #[allow(clippy::type_complexity)]
    pub attend_listed:
        unsafe fn(&RowHead, Range<usize>, [&QueryTile; 2], &[f32], &[f32], &mut [f32], &mut Scratch),
}

impl Kernels {
    pub(crate) fn of(cpu: Cpu) -> &'static Kernels {
        match cpu.level() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => &avx512::KERNELS,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => &avx2::KERNELS,
            #[cfg(target_arch = "aarch64")]
            Level::Neon | Level::NeonI8mm => &neon::KERNELS,
            _ => &portable_kernels::KERNELS,
        }
    }
}

macro_rules! kernels {
    ($module:ident, $vector:ty $(, $features:literal)?) => {
        mod $module {
            use super::*;

            pub(super) static KERNELS: Kernels = Kernels {
                rms_norm,
                add,
                add_split,
                add_scaled,
                silu_gate,
                gelu_gate,
                clamped_gate,
                sigmoid_gate,
                clamped_silu,
                situ,
                convolve,
                scan_step,
                delta_step,
                append,
                attend,
                attend_partition,
                attend_merged,
                append_latent,
                attend_latent,
                attend_latent_partition,
                merge_latent,
                append_index,
                score_index,
                attend_chosen,
                store_row,
                score_rows,
                score_runs,
                attend_listed,
            };

            kernels! { @wrap $vector, [$($features)?],
                fn rms_norm(x: &[f32], weight: &[f32], eps: f32, out: &mut [f32]) = norm::rms_norm::<$vector>;
                fn add(x: *const f32, y: *const f32, out: *mut f32, len: usize) = norm::add::<$vector>;
                fn add_split(
                    x: *const f32, factor: f32, first: bool, coarse: *mut f32, fine: *mut f32, len: usize
                ) = norm::add_split::<$vector>;
                fn add_scaled(x: *const f32, factor: f32, out: *mut f32, len: usize) = norm::add_scaled::<$vector>;
                fn silu_gate(gate: &[f32], up: &mut [f32]) = activate::gate::<$vector, Silu>;
                fn gelu_gate(gate: &[f32], up: &mut [f32]) = activate::gate::<$vector, Gelu>;
                fn clamped_gate(gate: &[f32], up: &mut [f32]) = activate::gate::<$vector, ClampedSwiglu>;
                fn sigmoid_gate(gate: &[f32], up: &mut [f32]) = activate::gate::<$vector, Sigmoid>;
                fn clamped_silu(limit: f32, gates: &[f32], ups: &mut [f32]) = activate::clamped_silu::<$vector>;
                fn situ(by: [f32; 2], gates: &[f32], ups: &mut [f32]) = activate::situ::<$vector>;
                fn convolve(
                    rows: &[&[f32]], weight: &[f32], bias: &[f32], out: &mut [f32]
                ) = states::convolve::<$vector>;
                fn scan_step(state: &mut [f32], token: &Scanned, out: &mut [f32]) = states::scan_step::<$vector>;
                fn delta_step(
                    state: &mut [f32], token: &Delta, found: &mut [f32], out: &mut [f32]
                ) = states::delta_step::<$vector>;
                fn append(
                    head: &Head, kv_head: usize, tile: &QueryTile, k: &[f32], v: &[f32], scratch: &mut Scratch
                ) = attend::append::<$vector>;
                fn attend(
                    head: &Head, kv_head: usize, tile: &QueryTile, q: &[f32],
                    out: *mut f32, scratch: &mut Scratch
                ) = attend::attend::<$vector>;
                fn attend_partition(
                    head: &Head, kv_head: usize, tile: &QueryTile, partition: usize, q: &[f32],
                    out: &mut Partial, scratch: &mut Scratch
                ) = attend::attend_partition::<$vector>;
                fn attend_merged(
                    head: &Head, kv_head: usize, tile: &QueryTile, partials: &[Partial],
                    out: *mut f32, scratch: &mut Scratch
                ) = attend::attend_merged::<$vector>;
                fn append_latent(
                    head: &LatentHead, tile: &QueryTile, kv: &[f32], scratch: &mut Scratch
                ) = latent::append_latent::<$vector>;
                fn attend_latent(
                    head: &LatentHead, heads: Range<usize>, tile: &QueryTile, queries: &[f32],
                    scratch: &mut Scratch
                ) = latent::attend_latent::<$vector>;
                fn attend_latent_partition(
                    head: &LatentHead, heads: Range<usize>, tile: &QueryTile, partition: usize,
                    queries: &[f32], out: &mut Partial, scratch: &mut Scratch
                ) = latent::attend_latent_partition::<$vector>;
                fn merge_latent(
                    head: &LatentHead, heads: Range<usize>, partials: &[Partial], scratch: &mut Scratch
                ) = latent::merge_latent::<$vector>;
                fn append_index(
                    head: &IndexHead, tile: &QueryTile, k: &[f32], scratch: &mut Scratch
                ) = indexer::append_index::<$vector>;
                fn score_index(
                    head: &IndexHead, tile: &QueryTile, partition: usize, q: &[f32], weights: &[f32],
                    scores: &mut [f32], scratch: &mut Scratch
                ) = indexer::score_index::<$vector>;
                fn attend_chosen(
                    head: &LatentHead, heads: Range<usize>, tile: &QueryTile, chosen: &[u32],
                    queries: &[f32], scratch: &mut Scratch
                ) = indexer::attend_chosen::<$vector>;
                fn store_row(
                    cache: &RowCache, tile: &QueryTile, row: usize, scratch: &mut Scratch
                ) = pooled::store_row::<$vector>;
                fn score_rows(
                    cache: &RowCache, tile: &QueryTile, first: usize, q: &[f32], weights: &[f32],
                    scores: &mut [f32], scratch: &mut Scratch
                ) = pooled::score_rows::<$vector>;
                fn score_runs(
                    cache: &RowCache, tile: &QueryTile, len: usize, runs: Range<usize>, q: &[f32],
                    scores: *mut f32, stride: usize, scratch: &mut Scratch
                ) = pooled::score_runs::<$vector>;
                fn attend_listed(
                    head: &RowHead, heads: Range<usize>, tiles: [&QueryTile; 2], list: &[f32], q: &[f32],
                    out: &mut [f32], scratch: &mut Scratch
                ) = pooled::attend_listed::<$vector>;
            }
        }
    };
    (@wrap $vector:ty, [$($features:literal)?], $(fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $kernel:expr;)+) => {
        kernels! { @each [$($features)?] $(fn $name($($arg: $type),*) = $kernel;)+ }
    };
    (@each [] $(fn $name:ident($($arg:ident: $type:ty),*) = $kernel:expr;)+) => {$(
        unsafe fn $name($($arg: $type),*) {
            // SAFETY: the caller's.
            unsafe { $kernel($($arg),*) }
        }
    )+};
    (@each [$features:literal] $(fn $name:ident($($arg:ident: $type:ty),*) = $kernel:expr;)+) => {$(
        #[target_feature(enable = $features)]
        unsafe fn $name($($arg: $type),*) {
            // SAFETY: the caller's, and this function enables the instruction set.
            unsafe { $kernel($($arg),*) }
        }
    )+};
}

kernels!(portable_kernels, portable::Lanes);
#[cfg(target_arch = "x86_64")]
kernels!(avx2, x86::Avx2, "avx2,fma,f16c");
#[cfg(target_arch = "x86_64")]
kernels!(avx512, x86::Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c");
#[cfg(target_arch = "aarch64")]
kernels!(neon, arm::Neon, "neon");
