//! Safetensors: a JSON header of names, types, shapes and offsets, then the weights.
//!
//! A large model is a folder of such files with an index that says which tensor lies in which. Quantised tensors lie
//! in several parts (codes, scales, biases) and are offered as one, of a block type: see [`coded`].

mod coded;
mod header;
mod index;
mod scheme;
mod turned;

use coded::{Coded, Coding, FloatKind, Floats, Part, RUN, RowScales};
use scheme::{Mode, Scheme};
use turned::{Lines, Order, Turned};

use crate::file::ModelFile;
use crate::shown::shown;
use crate::weights::{self, FileHead, FormatError, Identity, Piece, Shape, TensorInfo, Weights};
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tandem_tensor::{DType, Slice};

pub const INDEX_NAME: &str = "model.safetensors.index.json";
pub const SINGLE_NAME: &str = "model.safetensors";

/// Rows of matrices that are small enough to take four bytes a value. No router has more.
const FINER_ROWS_MAX: usize = 1024;

#[derive(Debug)]
pub struct Safetensors {
    /// What was opened.
    path: PathBuf,
    files: Vec<Opened>,
    tensors: Vec<SafetensorsTensor>,
    by_name: HashMap<String, usize>,
    /// What tensors whose codes have a name of their own are offered as.
    offered_names: HashMap<String, String>,
    scheme: Scheme,
    /// What its block type would round is offered as floats.
    exact: bool,
}

#[derive(Debug)]
struct Opened {
    file: ModelFile,
    header_bytes: usize,
}

/// A tensor as the file describes it.
#[derive(Clone, Debug)]
pub struct SafetensorsTensor {
    pub name: String,
    /// As the file spells it: `F32`, `BF16`, `I64`, …
    pub kind: String,
    /// Slowest first: the last is the number of columns.
    pub dims: Vec<u64>,
    file: usize,
    /// Bytes of the file.
    range: Range<u64>,
}

impl Safetensors {
    /// Opens one file, an index of several, or a folder that holds `model.safetensors.index.json` or
    /// `model.safetensors`.
    pub fn open(path: impl AsRef<Path>) -> Result<Safetensors, SafetensorsError> {
        let path = path.as_ref();
        let path = if path.is_dir() { model_in(path)? } else { path.to_owned() };
        let mut model = Safetensors {
            path: path.clone(),
            files: Vec::new(),
            tensors: Vec::new(),
            by_name: HashMap::new(),
            offered_names: HashMap::new(),
            scheme: Scheme::beside(&path)?,
            exact: false,
        };
        if path.extension().is_some_and(|extension| extension == "json") {
            let index = index::Index::open(&path)?;
            for file in index.files() {
                model.add_file(&file)?;
            }
            index.check(|name| {
                let tensor = &model.tensors[*model.by_name.get(name)?];
                Some(model.files[tensor.file].file.path())
            })?;
        } else {
            model.add_file(&path)?;
        }
        Ok(model)
    }

    /// Offers tensors that their block type would round (FP8, MLX's 6 and 8 bits) as F32, for those who will quantise
    /// them anew.
    pub fn exactly(mut self) -> Safetensors {
        self.exact = true;
        self
    }

    /// As stored, in the order of the files, and within each of their bytes.
    pub fn tensors(&self) -> &[SafetensorsTensor] {
        &self.tensors
    }

    pub fn find(&self, name: &str) -> Option<&SafetensorsTensor> {
        self.by_name.get(name).map(|&index| &self.tensors[index])
    }

    fn add_file(&mut self, path: &Path) -> Result<(), SafetensorsError> {
        let io = |source| SafetensorsError::Io { path: path.to_owned(), source };
        let file = ModelFile::open(path).map_err(io)?;
        let (header_bytes, tensors) = header::parse(&file, self.files.len())?;
        for tensor in tensors {
            if let Some(stem) = tensor.name.strip_suffix(".qweight") {
                self.offered_names.insert(tensor.name.clone(), format!("{stem}.weight"));
            }
            let index = self.tensors.len();
            if self.by_name.insert(tensor.name.clone(), index).is_some() {
                return Err(SafetensorsError::DuplicateTensor {
                    path: path.to_owned(),
                    tensor: shown(&tensor.name),
                });
            }
            self.tensors.push(tensor);
        }
        self.files.push(Opened { file, header_bytes });
        Ok(())
    }

    /// The tensor of this name, be it in one piece or in parts.
    fn offered(&self, name: &str) -> Result<Option<Offered<'_>>, SafetensorsError> {
        let part = |suffix: &str| self.find(&format!("{name}{suffix}"));
        let stem = name.strip_suffix(".weight");
        let Some(tensor) = self.find(name) else {
            if let Some(codes) = part("_packed") {
                return self.packed(name, codes).map(Offered::coded);
            }
            if let Some(codes) = part("_blocks") {
                return self.mxfp4_blocks(name, codes).map(Offered::coded);
            }
            if let Some((stem, codes)) =
                stem.and_then(|stem| Some((stem, self.find(&format!("{stem}.qweight"))?)))
            {
                return Ok(Some(Offered::Turned(Box::new(self.turned(name, stem, codes)?))));
            }
            return Ok(None);
        };
        match (tensor.kind.as_str(), stem) {
            ("F8_E4M3", _) => self.fp8(name, tensor).map(Offered::coded),
            ("U8", _) if self.is_e4m3(&format!("{name}_scale")) => {
                self.nvfp4(name, tensor).map(Offered::coded)
            }
            ("U8" | "I8", Some(stem)) if self.tile_scales(stem).is_some() => {
                self.mxfp4_pairs(name, &format!("{stem}.scale"), tensor).map(Offered::coded)
            }
            ("U32", Some(stem)) if self.find(&format!("{stem}.scales")).is_some() => {
                self.mlx(name, stem, tensor).map(Offered::coded)
            }
            _ => Ok(Some(Offered::Plain(tensor, self.info(tensor)?))),
        }
    }

    /// Whether a stored tensor is only part of another, which is offered under its own name.
    fn is_part(&self, tensor: &SafetensorsTensor) -> bool {
        let kind = |name: String| self.find(&name).map(|tensor| tensor.kind.as_str());
        let name = tensor.name.as_str();
        let beside =
            [".scales", ".biases", ".qzeros", ".g_idx"].iter().find_map(|part| name.strip_suffix(part));
        if let Some(stem) = beside {
            return kind(format!("{stem}.weight")) == Some("U32")
                || kind(format!("{stem}.qweight")) == Some("I32");
        }
        // DeepSeek V4.1's name for scales.
        let beside = name.strip_suffix(".scale");
        if beside.is_some_and(|stem| {
            let codes = kind(format!("{stem}.weight"));
            codes == Some("F8_E4M3") || matches!(codes, Some("U8" | "I8")) && self.tile_scales(stem).is_some()
        }) {
            return true;
        }
        let whole = ["_scale", "_scale_2"].iter().find_map(|part| name.strip_suffix(part));
        if whole.is_some_and(|whole| {
            kind(whole.to_owned()) == Some("U8") && self.is_e4m3(&format!("{whole}_scale"))
        }) {
            return true;
        }
        // What activations would be rounded by.
        if ["input_scale", "input_global_scale", "activation_scale"].iter().any(|part| name.ends_with(part)) {
            return true;
        }
        let fp8 = name.strip_suffix("_scale_inv").or_else(|| name.strip_suffix("_scale"));
        if fp8.is_some_and(|whole| kind(whole.to_owned()) == Some("F8_E4M3")) {
            return true;
        }
        let packed = ["_global_scale", "_scale", "_shape"].iter().find_map(|part| name.strip_suffix(part));
        packed.is_some_and(|whole| kind(format!("{whole}_packed")).is_some())
            || name.strip_suffix("_scales").is_some_and(|whole| kind(format!("{whole}_blocks")).is_some())
    }

    fn fp8(&self, name: &str, codes: &SafetensorsTensor) -> Result<Coded, SafetensorsError> {
        let named = |suffix: &str| self.find(&format!("{name}{suffix}"));
        let scales = named("_scale_inv").or_else(|| named("_scale"));
        let tiles = name.strip_suffix(".weight").and_then(|stem| self.find(&format!("{stem}.scale")));
        let Some(scales) = scales.or(tiles) else {
            return Err(self.no_part(codes, format!("{name}_scale_inv")));
        };
        let shape = self.shape(codes, &codes.dims)?;
        // One scale for all or for each matrix of a stack, one for each row, or one for each block.
        let of_matrices = [&[shape.experts as u64, 1, 1][..], &[shape.experts as u64]];
        let block = match scales.dims.iter().filter(|&&dim| dim != 1).count() {
            0 => [shape.rows, shape.cols],
            1 if shape.experts > 1 && of_matrices.contains(&scales.dims.as_slice()) => {
                [shape.rows, shape.cols]
            }
            1 if scales.dims.iter().product::<u64>() == shape.rows as u64 => [1, shape.cols],
            _ if tiles.is_some() => self.scheme.fp8_block.unwrap_or([32, 32]),
            _ => self.scheme.fp8_block.unwrap_or([128, 128]),
        };
        self.coded(name, shape, Coding::Fp8 { block }, (codes, shape.cols), scales, None)
    }

    /// Exponents beside a matrix, as DeepSeek V4.1 has them.
    fn tile_scales(&self, stem: &str) -> Option<&SafetensorsTensor> {
        self.exponents(&format!("{stem}.scale"))
    }

    fn exponents(&self, name: &str) -> Option<&SafetensorsTensor> {
        let scales = self.find(name)?;
        (FloatKind::named(&scales.kind) == Some(FloatKind::Exponent)).then_some(scales)
    }

    /// Two codes to a byte, with a scale for every 32 beside them.
    fn mxfp4_pairs(
        &self,
        name: &str,
        scales: &str,
        codes: &SafetensorsTensor,
    ) -> Result<Coded, SafetensorsError> {
        let scales = self.exponents(scales).ok_or_else(|| self.no_part(codes, scales.to_owned()))?;
        let packed = self.shape(codes, &codes.dims)?;
        let cols = packed.cols * 2;
        if !cols.is_multiple_of(RUN) {
            return Err(self.wrong_shape(codes, format!("rows of a multiple of {} bytes", RUN / 2)));
        }
        self.coded(name, Shape { cols, ..packed }, Coding::Mxfp4, (codes, packed.cols), scales, None)
    }

    fn is_e4m3(&self, name: &str) -> bool {
        self.find(name).is_some_and(|tensor| tensor.kind == "F8_E4M3")
    }

    /// ModelOpt multiplies all scales by one more, compressed-tensors divides by it.
    fn nvfp4(&self, name: &str, codes: &SafetensorsTensor) -> Result<Coded, SafetensorsError> {
        let named = |suffix: &str| self.find(&format!("{name}{suffix}"));
        let scales = named("_scale").ok_or_else(|| self.no_part(codes, format!("{name}_scale")))?;
        let factor = match (named("_scale_2"), named("_global_scale")) {
            (Some(factor), _) => self.single(factor)?,
            (None, Some(divisor)) => 1.0 / self.single(divisor)?,
            (None, None) => 1.0,
        };
        let packed = self.shape(codes, &codes.dims)?;
        let cols = packed.cols * 2;
        if !cols.is_multiple_of(RUN) {
            return Err(self.wrong_shape(codes, format!("rows of a multiple of {} bytes", RUN / 2)));
        }
        let coded =
            self.coded(name, Shape { cols, ..packed }, Coding::Nvfp4, (codes, packed.cols), scales, None)?;
        Ok(Coded { factor, ..coded })
    }

    /// The only value of a tensor.
    fn single(&self, tensor: &SafetensorsTensor) -> Result<f32, SafetensorsError> {
        let bytes =
            &self.files[tensor.file].file.bytes()[tensor.range.start as usize..tensor.range.end as usize];
        match (tensor.kind.as_str(), <[u8; 4]>::try_from(bytes)) {
            ("F32", Ok(bytes)) => Ok(f32::from_le_bytes(bytes)),
            _ => Err(self.wrong_shape(tensor, "one F32".into())),
        }
    }

    /// AWQ and GPTQ.
    fn turned(&self, name: &str, stem: &str, codes: &SafetensorsTensor) -> Result<Turned, SafetensorsError> {
        let Some(turning) = self.scheme.turning else {
            return Err(SafetensorsError::Quantisation {
                path: self.files[codes.file].file.path().to_owned(),
                found: format!(
                    "packed tensor `{}` without `quantization_config` in config.json",
                    shown(name)
                ),
            });
        };
        let part = |suffix: &str| {
            let part = format!("{stem}.{suffix}");
            self.find(&part).ok_or_else(|| self.no_part(codes, part))
        };
        let (scales, per_word) = (part("scales")?, turning.per_word());
        let zeros = if turning.symmetric { None } else { Some(part("qzeros")?) };
        let packed = self.shape(codes, &codes.dims)?;
        let (rows, cols) = match turning.order {
            Order::Awq => (packed.cols * per_word, packed.rows),
            Order::Gptq => (packed.cols, packed.rows * per_word),
        };
        let group = turning.group.unwrap_or(cols);
        if codes.kind != "I32"
            || packed.experts != 1
            || !group.is_multiple_of(RUN)
            || !cols.is_multiple_of(group)
        {
            return Err(self.wrong_shape(codes, format!("words (I32) of whole groups of {group} inputs")));
        }
        let groups = cols / group;
        let is_shaped = |tensor: &SafetensorsTensor, cols: usize| {
            self.shape(tensor, &tensor.dims).is_ok_and(|shape| shape == Shape::matrix(groups, cols))
        };
        let scale_kind = FloatKind::named(&scales.kind)
            .filter(|kind| matches!(kind, FloatKind::F16 | FloatKind::BF16 | FloatKind::F32));
        let scale_kind = match scale_kind {
            Some(kind) if is_shaped(scales, rows) => kind,
            _ => return Err(self.wrong_shape(scales, format!("{groups} × {rows} scales"))),
        };
        if let Some(zeros) = zeros
            && !(zeros.kind == "I32" && rows.is_multiple_of(per_word) && is_shaped(zeros, rows / per_word))
        {
            return Err(self.wrong_shape(zeros, format!("{groups} × {} words (I32)", rows / per_word)));
        }
        let part = |tensor: &SafetensorsTensor, rows, row_bytes| Part {
            file: tensor.file,
            start: tensor.range.start,
            rows,
            row_bytes,
        };
        let dtype = match self.exact && turning.is_rounded() {
            true => DType::F32,
            false => turning.offered_as(),
        };
        Ok(Turned {
            info: TensorInfo { name: name.to_owned(), dtype, shape: Shape::matrix(rows, cols) },
            turning,
            group,
            codes: part(codes, packed.rows, packed.cols * 4),
            zeros: zeros.map(|zeros| part(zeros, groups, rows / per_word * 4)),
            scales: part(scales, groups, rows * scale_kind.bytes()),
            scale_kind,
        })
    }

    fn read_turned(&self, tensor: &Turned, slice: &Slice, out: &mut [u8]) -> Result<(), FormatError> {
        let file = |part: Part| &self.files[part.file].file;
        weights::check_slice(file(tensor.codes).path(), &tensor.info, slice, out)?;
        if out.is_empty() {
            return Ok(());
        }
        let lines = Lines {
            codes: file(tensor.codes).bytes(),
            zeros: tensor.zeros.map_or(&[], |zeros| file(zeros).bytes()),
            scales: file(tensor.scales).bytes(),
        };
        let row_bytes = out.len() / slice.rows.len();
        for (row, out) in slice.rows.clone().zip(out.chunks_exact_mut(row_bytes)) {
            tensor.write_row(&lines, row, slice.cols.clone(), out);
        }
        Ok(())
    }

    fn mlx(&self, name: &str, stem: &str, codes: &SafetensorsTensor) -> Result<Coded, SafetensorsError> {
        let Some(packing) = self.scheme.packing(stem) else {
            return Err(SafetensorsError::Quantisation {
                path: self.files[codes.file].file.path().to_owned(),
                found: format!("packed tensor `{}` without `quantization` in config.json", shown(name)),
            });
        };
        let part = |suffix: &str| {
            let part = format!("{stem}.{suffix}");
            self.find(&part).ok_or_else(|| self.no_part(codes, part))
        };
        if self.find(&format!("{stem}.global_scale")).is_some() {
            return Err(SafetensorsError::Quantisation {
                path: self.files[codes.file].file.path().to_owned(),
                found: format!("`{}` with a scale of its own for every expert", shown(name)),
            });
        }
        let scales = part("scales")?;
        let biases = if packing.mode == Mode::Affine { Some(part("biases")?) } else { None };
        let packed = self.shape(codes, &codes.dims)?;
        // As many columns as there are groups; the codes must then fill their words.
        let groups = scales.dims.last().copied().unwrap_or(0) as usize;
        let cols = groups.saturating_mul(packing.group);
        if packed.cols.checked_mul(32) != cols.checked_mul(packing.bits) || cols == 0 {
            let expected = format!(
                "{} × 32 bits to hold a whole number of groups of {} in {} bits, as many as there are scales ({groups})",
                packed.cols, packing.group, packing.bits
            );
            return Err(self.wrong_shape(codes, expected));
        }
        let coding = match packing.mode {
            Mode::Mxfp4 => Coding::Mxfp4,
            Mode::Mxfp8 => Coding::Fp8 { block: [1, packing.group] },
            Mode::Nvfp4 => Coding::Nvfp4,
            Mode::Affine => Coding::Affine { bits: packing.bits, group: packing.group },
        };
        let shape = Shape { cols, ..packed };
        let mut coded = self.coded(name, shape, coding, (codes, packed.cols * 4), scales, biases)?;
        // Routers of experts: rounded once more, they choose others.
        let is_small = shape.experts == 1 && shape.rows <= FINER_ROWS_MAX;
        if coding.is_rounded() && is_small && self.scheme.is_finer(stem) {
            coded.info.dtype = DType::F32;
        }
        Ok(coded)
    }

    fn packed(&self, name: &str, codes: &SafetensorsTensor) -> Result<Coded, SafetensorsError> {
        if codes.kind == "U8" && self.is_e4m3(&format!("{name}_scale")) {
            return self.nvfp4(name, codes);
        }
        // Kimi K3's experts.
        let scales = format!("{name}_scale");
        if codes.kind == "U8" && self.exponents(&scales).is_some() {
            return self.mxfp4_pairs(name, &scales, codes);
        }
        let part = |suffix: &str| {
            let part = format!("{name}{suffix}");
            self.find(&part).ok_or_else(|| self.no_part(codes, part))
        };
        if let Some(zero) = self.find(&format!("{name}_zero_point")) {
            return Err(SafetensorsError::Quantisation {
                path: self.files[zero.file].file.path().to_owned(),
                found: format!("packed tensor `{}` with zero points", shown(name)),
            });
        }
        let (scales, shape) = (part("_scale")?, part("_shape")?);
        let dims = self.small_numbers(shape)?;
        let packed = self.shape(codes, &codes.dims)?;
        let shape = self.shape(shape, &dims)?;
        let groups = scales.dims.last().copied().unwrap_or(0).max(1) as usize;
        let group = shape.cols / groups;
        let bits = (packed.cols.saturating_mul(32)).checked_div(shape.cols).unwrap_or(0);
        if codes.kind != "I32"
            || !matches!(bits, 4 | 8)
            || (shape.rows, shape.experts) != (packed.rows, packed.experts)
            || packed.cols.checked_mul(32) != shape.cols.checked_mul(bits)
            || !group.is_multiple_of(RUN)
            || group * groups != shape.cols
        {
            let expected =
                format!("4 or 8 bits for each of {shape} values in I32, in groups of a multiple of {RUN}");
            return Err(self.wrong_shape(codes, expected));
        }
        self.coded(name, shape, Coding::Symmetric { bits, group }, (codes, packed.cols * 4), scales, None)
    }

    fn mxfp4_blocks(&self, name: &str, codes: &SafetensorsTensor) -> Result<Coded, SafetensorsError> {
        let part = format!("{name}_scales");
        let scales = self.find(&part).ok_or_else(|| self.no_part(codes, part))?;
        let [outer @ .., groups, 16] = codes.dims.as_slice() else {
            return Err(self.wrong_shape(codes, "blocks of 16 bytes".into()));
        };
        let dims: Vec<u64> = outer.iter().copied().chain([groups.saturating_mul(RUN as u64)]).collect();
        let shape = self.shape(codes, &dims)?;
        if codes.kind != "U8" {
            return Err(self.wrong_shape(codes, "bytes (U8)".into()));
        }
        self.coded(name, shape, Coding::Mxfp4, (codes, shape.cols / 2), scales, None)
    }

    /// Checks that the scales (and biases) are as many as the shape and the coding ask for.
    fn coded(
        &self,
        name: &str,
        shape: Shape,
        coding: Coding,
        (codes, code_row_bytes): (&SafetensorsTensor, usize),
        scales: &SafetensorsTensor,
        biases: Option<&SafetensorsTensor>,
    ) -> Result<Coded, SafetensorsError> {
        let rows = shape.rows.div_ceil(coding.group_rows());
        let cols = shape.cols.div_ceil(coding.group());
        let expected = shape.experts as u128 * rows as u128 * cols as u128;
        let kind_of = |part: &SafetensorsTensor| {
            let kind = match (FloatKind::named(&part.kind), coding) {
                // MLX calls bytes what they are.
                (Some(FloatKind::Exponent | FloatKind::E4m3), Coding::Nvfp4) => Some(FloatKind::E4m3),
                (Some(FloatKind::Exponent), Coding::Mxfp4 | Coding::Fp8 { .. }) => Some(FloatKind::Exponent),
                (_, Coding::Mxfp4 | Coding::Nvfp4) | (Some(FloatKind::Exponent | FloatKind::E4m3), _) => None,
                (kind, _) => kind,
            };
            let count = part.dims.iter().fold(1u128, |product, &dim| product.saturating_mul(dim as u128));
            let last = part.dims.last().copied().unwrap_or(1);
            match kind {
                // The rows of a flat list would not be those of the codes.
                Some(kind) if count == expected && (last == cols as u64 || count <= 1 || cols == 1) => {
                    Ok(kind)
                }
                _ => Err(self.wrong_shape(
                    part,
                    format!(
                        "{rows} × {cols} scales for each of {} matrices of `{}`",
                        shape.experts,
                        shown(name)
                    ),
                )),
            }
        };
        let scale_kind = kind_of(scales)?;
        if let Some(biases) = biases
            && kind_of(biases)? != scale_kind
        {
            return Err(self.wrong_shape(biases, format!("the type of its scales, {}", scales.kind)));
        }
        let part = |tensor: &SafetensorsTensor, rows, row_bytes| Part {
            file: tensor.file,
            start: tensor.range.start,
            rows,
            row_bytes,
        };
        let scale_row_bytes = cols * scale_kind.bytes();
        let dtype = match self.exact && coding.is_rounded() {
            true => DType::F32,
            false => coding.offered_as(shape.cols),
        };
        Ok(Coded {
            info: TensorInfo { name: name.to_owned(), dtype, shape },
            coding,
            codes: part(codes, shape.rows, code_row_bytes),
            scales: part(scales, rows, scale_row_bytes),
            scale_kind,
            biases: biases.map(|biases| part(biases, rows, scale_row_bytes)),
            factor: 1.0,
        })
    }

    fn read_coded(&self, tensor: &Coded, slice: &Slice, out: &mut [u8]) -> Result<(), FormatError> {
        /// Codes held at a time.
        const STEP_BYTES: usize = 256 << 10;
        let file = |part: Part| &self.files[part.file].file;
        let Coded { info, coding, .. } = tensor;
        weights::check_slice(file(tensor.codes).path(), info, slice, out)?;
        if out.is_empty() {
            return Ok(());
        }
        let runs = Coded::runs(info.shape, &slice.cols);
        let (groups, code_bytes, scale_bytes) = tensor.row_ranges(&runs);
        let step = (STEP_BYTES / code_bytes.len()).max(1);
        let out_row_bytes = out.len() / (slice.experts.len() * slice.rows.len());
        let mut out = out.chunks_exact_mut(out_row_bytes);
        let (mut codes, mut scales, mut biases, mut floats) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let read = |part: Part, expert, rows: Range<usize>, bytes: &Range<usize>, into: &mut Vec<u8>| {
            into.resize(rows.len() * bytes.len(), 0);
            weights::read_rows(file(part), part.layout(), expert, rows, bytes.clone(), into).map_err(
                |source| FormatError::Read {
                    file: file(part).path().to_owned(),
                    tensor: shown(&info.name),
                    source,
                },
            )
        };
        for expert in slice.experts.clone() {
            for first in slice.rows.clone().step_by(step) {
                let rows = first..(first + step).min(slice.rows.end);
                let scale_rows = tensor.scale_rows(&rows);
                read(tensor.codes, expert, rows.clone(), &code_bytes, &mut codes)?;
                read(tensor.scales, expert, scale_rows.clone(), &scale_bytes, &mut scales)?;
                if let Some(part) = tensor.biases {
                    read(part, expert, scale_rows.clone(), &scale_bytes, &mut biases)?;
                }
                for (row, codes) in rows.zip(codes.chunks_exact(code_bytes.len())) {
                    let at = (row / coding.group_rows() - scale_rows.start) * scale_bytes.len();
                    let floats_at = |bytes| Floats { kind: tensor.scale_kind, bytes };
                    let scales = RowScales {
                        scales: floats_at(&scales[at..][..scale_bytes.len()]),
                        biases: tensor.biases.map(|_| floats_at(&biases[at..][..scale_bytes.len()])),
                        first_group: groups.start,
                        factor: tensor.factor,
                    };
                    let Some(out) = out.next() else { return Ok(()) };
                    tensor.write_row(codes, &scales, runs.clone(), slice.cols.clone(), &mut floats, out);
                }
            }
        }
        Ok(())
    }

    /// The values of a small tensor of whole numbers: a shape.
    fn small_numbers(&self, tensor: &SafetensorsTensor) -> Result<Vec<u64>, SafetensorsError> {
        let bytes =
            &self.files[tensor.file].file.bytes()[tensor.range.start as usize..tensor.range.end as usize];
        match tensor.kind.as_str() {
            _ if bytes.len() > 64 => {}
            "I64" => return Ok(bytes.as_chunks().0.iter().map(|b| u64::from_le_bytes(*b)).collect()),
            "I32" => return Ok(bytes.as_chunks().0.iter().map(|b| u32::from_le_bytes(*b) as u64).collect()),
            _ => {}
        }
        Err(self.wrong_shape(tensor, "two whole numbers (I64 or I32)".into()))
    }

    fn no_part(&self, tensor: &SafetensorsTensor, part: String) -> SafetensorsError {
        SafetensorsError::MissingPart {
            path: self.files[tensor.file].file.path().to_owned(),
            tensor: shown(&tensor.name),
            kind: shown(&tensor.kind),
            part: shown(&part),
        }
    }

    fn wrong_shape(&self, tensor: &SafetensorsTensor, expected: String) -> SafetensorsError {
        SafetensorsError::Shape {
            path: self.files[tensor.file].file.path().to_owned(),
            tensor: shown(&tensor.name),
            dims: tensor.dims.iter().copied().take(8).collect(),
            expected,
        }
    }

    /// A shape that is not empty and whose number of values does not overflow, sixteen times over.
    fn shape(&self, tensor: &SafetensorsTensor, dims: &[u64]) -> Result<Shape, SafetensorsError> {
        let fastest_first: Vec<u64> = dims.iter().rev().copied().collect();
        let values = dims.iter().try_fold(16u64, |product, &dim| product.checked_mul(dim));
        Shape::from_fastest_first(&fastest_first)
            .filter(|_| values.is_some_and(|values| values > 0 && values < i64::MAX as u64))
            .ok_or_else(|| self.wrong_shape(tensor, "at most 3 dimensions, none 0".to_owned()))
    }

    fn info(&self, tensor: &SafetensorsTensor) -> Result<TensorInfo, SafetensorsError> {
        let path = || self.files[tensor.file].file.path().to_owned();
        let dtype = dtype_of(&tensor.kind).ok_or_else(|| SafetensorsError::UnsupportedType {
            path: path(),
            tensor: shown(&tensor.name),
            found: shown(&tensor.kind),
        })?;
        let mut dims = tensor.dims.clone();
        dims.reverse();
        let shape = Shape::from_fastest_first(&dims).ok_or_else(|| SafetensorsError::Shape {
            path: path(),
            tensor: shown(&tensor.name),
            dims: tensor.dims.iter().copied().take(8).collect(),
            expected: "at most 3 dimensions".to_owned(),
        })?;
        Ok(TensorInfo { name: tensor.name.clone(), dtype, shape })
    }
}

impl Weights for Safetensors {
    fn tensor(&self, name: &str) -> Result<Option<TensorInfo>, FormatError> {
        Ok(self.offered(name)?.map(|offered| match offered {
            Offered::Plain(_, info) => info,
            Offered::Coded(coded) => coded.info,
            Offered::Turned(turned) => turned.info,
        }))
    }

    fn names(&self) -> Vec<&str> {
        let whole = self.tensors.iter().filter(|tensor| !self.is_part(tensor));
        let offered = whole.map(|tensor| {
            let name = tensor.name.as_str();
            if let Some(offered) = self.offered_names.get(name) {
                return offered.as_str();
            }
            let base = name.strip_suffix("_packed").or_else(|| name.strip_suffix("_blocks"));
            base.filter(|base| self.find(base).is_none()).unwrap_or(name)
        });
        offered.collect()
    }

    fn read(&self, name: &str, slice: &Slice, out: &mut [u8]) -> Result<(), FormatError> {
        match self.offered(name)? {
            None => Err(FormatError::NoTensor { file: self.path.clone(), tensor: shown(name) }),
            Some(Offered::Coded(coded)) => self.read_coded(&coded, slice, out),
            Some(Offered::Turned(turned)) => self.read_turned(&turned, slice, out),
            Some(Offered::Plain(tensor, info)) => {
                weights::read_slice(&self.files[tensor.file].file, tensor.range.start, &info, slice, out)
            }
        }
    }

    fn pieces(&self, name: &str, slice: &Slice) -> Result<Vec<Piece>, FormatError> {
        match self.offered(name)? {
            None => Err(FormatError::NoTensor { file: self.path.clone(), tensor: shown(name) }),
            Some(Offered::Coded(coded)) => {
                weights::slice_bytes(self.files[coded.codes.file].file.path(), &coded.info, slice)?;
                Ok(coded.pieces(slice))
            }
            Some(Offered::Turned(turned)) => {
                weights::slice_bytes(self.files[turned.codes.file].file.path(), &turned.info, slice)?;
                Ok(turned.pieces(slice))
            }
            Some(Offered::Plain(tensor, info)) => {
                let path = self.files[tensor.file].file.path();
                weights::pieces_of(path, tensor.file, tensor.range.start, &info, slice)
            }
        }
    }

    fn files(&self) -> Vec<FileHead> {
        let head = |Opened { file, header_bytes }: &Opened| FileHead {
            path: file.path().to_owned(),
            bytes: file.len(),
            header_bytes: *header_bytes as u64,
        };
        self.files.iter().map(head).collect()
    }

    /// Shapes of packed tensors are tensors themselves, and so are scales of whole tensors.
    fn needed_first(&self) -> Vec<Piece> {
        let ends = ["_shape", "_global_scale", "_scale_2"];
        let small = self.tensors.iter().filter(|tensor| ends.iter().any(|end| tensor.name.ends_with(end)));
        let whole = small.map(|tensor| {
            let (file, start) = (tensor.file, tensor.range.start);
            Piece { file, start, stride: 0, len: tensor.bytes(), count: 1 }
        });
        whole.filter(|piece| piece.len > 0).collect()
    }

    fn identity(&self) -> Identity {
        let mut identity = Identity::new();
        for Opened { file, header_bytes } in &self.files {
            identity.add(file.len(), &file.bytes()[..*header_bytes]);
        }
        identity
    }

    fn version_here(&self) -> io::Result<u64> {
        let mut identity = Identity::new();
        for Opened { file, header_bytes } in &self.files {
            identity.add_version(file, &file.bytes()[..*header_bytes])?;
        }
        Ok(identity.header_hash)
    }

    fn path(&self) -> &Path {
        &self.path
    }
}

enum Offered<'a> {
    Plain(&'a SafetensorsTensor, TensorInfo),
    Coded(Box<Coded>),
    Turned(Box<Turned>),
}

impl Offered<'_> {
    fn coded(coded: Coded) -> Option<Offered<'static>> {
        Some(Offered::Coded(Box::new(coded)))
    }
}

impl SafetensorsTensor {
    /// Its size in the file.
    pub fn bytes(&self) -> u64 {
        self.range.end - self.range.start
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SafetensorsError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    #[error("{path} holds neither {INDEX_NAME} nor {SINGLE_NAME}; name the model's file")]
    NoModel { path: PathBuf },
    #[error(
        "{path} is not a whole safetensors file: its header claims {claimed} bytes, the file has {len}. It is cut \
         short, damaged or of another kind; download it again"
    )]
    Header { path: PathBuf, claimed: u64, len: u64 },
    #[error("{path}: the header is not what safetensors expects: {source}")]
    Json { path: PathBuf, source: serde_json::Error },
    #[error("{path}: tensor `{tensor}` occurs twice")]
    DuplicateTensor { path: PathBuf, tensor: String },
    #[error("{path}: tensor `{tensor}` has shape {dims:?}; expected {expected}")]
    Shape { path: PathBuf, tensor: String, dims: Vec<u64>, expected: String },
    #[error(
        "{path}: tensor `{tensor}` needs bytes {start} to {end}, but the file has {len}. It is cut short or damaged; \
         download it again"
    )]
    OutOfFile { path: PathBuf, tensor: String, start: u64, end: u64, len: u64 },
    #[error("{path}: tensors `{first}` and `{second}` overlap at byte {at}")]
    Overlap { path: PathBuf, first: String, second: String, at: u64 },
    #[error(
        "{path}: tensor `{tensor}` is of type {found}, which is not supported; supported: {}",
        KINDS.map(|(name, _)| name).join(" ")
    )]
    UnsupportedType { path: PathBuf, tensor: String, found: String },
    #[error("{path}: tensor `{tensor}` is quantised ({kind}), but there is no `{part}`, which scales it")]
    MissingPart { path: PathBuf, tensor: String, kind: String, part: String },
    #[error("{path}: quantisation `{found}` is not supported; supported: {}", scheme::SUPPORTED)]
    Quantisation { path: PathBuf, found: String },
    #[error("{path} is not valid JSON: {source}")]
    Config { path: PathBuf, source: serde_json::Error },
    #[error("{path}: `{file}` is no plain file name; shards lie beside their index")]
    ShardName { path: PathBuf, file: String },
    #[error("{path} says that tensor `{tensor}` lies in {file}, but it does not")]
    NotInShard { path: PathBuf, tensor: String, file: String },
}

/// The types we read, by the file's name for them: the one place to add another.
const KINDS: [(&str, DType); 3] = [("F32", DType::F32), ("F16", DType::F16), ("BF16", DType::BF16)];

/// Bytes of one element, for every type whose size we know.
fn element_bytes(kind: &str) -> Option<u64> {
    Some(match kind {
        "F64" | "I64" | "U64" => 8,
        "F32" | "I32" | "U32" => 4,
        "F16" | "BF16" | "I16" | "U16" => 2,
        "BOOL" | "I8" | "U8" | "F8_E4M3" | "F8_E5M2" | "F8_E8M0" => 1,
        _ => return None,
    })
}

fn dtype_of(kind: &str) -> Option<DType> {
    KINDS.into_iter().find(|(name, _)| *name == kind).map(|(_, dtype)| dtype)
}

fn model_in(folder: &Path) -> Result<PathBuf, SafetensorsError> {
    let candidates = [INDEX_NAME, SINGLE_NAME].map(|name| folder.join(name));
    let found = candidates.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| SafetensorsError::NoModel { path: folder.to_owned() })
}
