//! Bytes on their way to the device, through a few buffers that are used again and again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use wgpu::{Buffer, BufferDescriptor, BufferUsages, CommandEncoderDescriptor, MapMode, SubmissionIndex};

use crate::device::{DeviceError, Gpu};

/// Memory that was written before is faster to write than new memory.
const BUFFERS: usize = 4;
const BUFFER_BYTES: usize = 16 << 20;
/// A copy that takes longer means that the device hangs.
const COPY_MAX: Duration = Duration::from_secs(60);

pub struct Upload<'a> {
    gpu: &'a Gpu,
    stages: Vec<Stage>,
    current: usize,
}

struct Stage {
    buffer: Buffer,
    /// Whether the host may write it.
    mapped: Arc<AtomicBool>,
    submission: Option<SubmissionIndex>,
    filled: usize,
    /// What to copy where: from, buffer, to, bytes.
    copies: Vec<(usize, Buffer, u64, usize)>,
}

impl<'a> Upload<'a> {
    pub fn new(gpu: &'a Gpu) -> Upload<'a> {
        let stage = || Stage {
            buffer: gpu.device.create_buffer(&BufferDescriptor {
                label: Some("upload"),
                size: BUFFER_BYTES as u64,
                usage: BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC,
                mapped_at_creation: true,
            }),
            mapped: Arc::new(AtomicBool::new(true)),
            submission: None,
            filled: 0,
            copies: Vec::new(),
        };
        Upload { gpu, stages: (0..BUFFERS).map(|_| stage()).collect(), current: 0 }
    }

    /// Bytes for a buffer, in multiples of 4.
    pub fn push(&mut self, to: &Buffer, mut at: u64, mut bytes: &[u8]) -> Result<(), DeviceError> {
        while !bytes.is_empty() {
            if self.stages[self.current].filled == BUFFER_BYTES {
                self.flush()?;
            }
            let stage = &mut self.stages[self.current];
            let len = bytes.len().min(BUFFER_BYTES - stage.filled);
            let place = stage.filled as u64..(stage.filled + len) as u64;
            let mut view =
                stage.buffer.slice(place).get_mapped_range_mut().map_err(|error| failed(self.gpu, error))?;
            view.copy_from_slice(&bytes[..len]);
            drop(view);
            stage.copies.push((stage.filled, to.clone(), at, len));
            stage.filled += len;
            (bytes, at) = (&bytes[len..], at + len as u64);
        }
        Ok(())
    }

    /// Send what was pushed on its way, and wait until the next buffer can be written.
    pub fn flush(&mut self) -> Result<(), DeviceError> {
        let gpu = self.gpu;
        let stage = &mut self.stages[self.current];
        stage.buffer.unmap();
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor::default());
        for (from, to, at, len) in stage.copies.drain(..) {
            encoder.copy_buffer_to_buffer(&stage.buffer, from as u64, &to, at, len as u64);
        }
        stage.submission = Some(gpu.submit([encoder.finish()]));
        stage.filled = 0;
        let mapped = Arc::new(AtomicBool::new(false));
        stage.mapped = Arc::clone(&mapped);
        let map = move |_| mapped.store(true, Ordering::Release);
        stage.buffer.slice(..).map_async(MapMode::Write, map);
        self.current = (self.current + 1) % self.stages.len();
        let next = &self.stages[self.current];
        match &next.submission {
            Some(submission) => gpu.wait(&next.mapped, submission, COPY_MAX),
            None => Ok(()),
        }
    }
}

fn failed(gpu: &Gpu, error: impl std::fmt::Display) -> DeviceError {
    DeviceError::Failed { device: gpu.info.name.clone(), step: "loading weights", reason: error.to_string() }
}
