//! Unsafe because buffers are ranges of one mapping, handed out by offset.
#![allow(unsafe_code)]

use std::{
    collections::BTreeMap,
    fmt,
    ops::{Deref, DerefMut, Range},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    ptr::NonNull,
    sync::{Arc, Mutex, PoisonError},
};

use bytemuck::Pod;
use thiserror::Error;

use crate::mapping::{Mapping, anonymous_memory};

/// Buffers start on a boundary of this many bytes: a cache line on every machine we know.
const ALIGN: usize = 128;

/// One large piece of memory that links register once; [`Buf`]s are cut from it.
///
/// It is backed by an anonymous shared object, so that ranks of the same host can map it and read a buffer where it lies. Cloning the
/// handle is cheap; the memory lives as long as any handle or buffer.
///
/// ```
/// use tandem_fabric::Arena;
/// let arena = Arena::new(1 << 20)?;
/// let mut buf = arena.alloc(4096)?;
/// buf.view_mut::<f32>().fill(1.5);
/// let shared = buf.share();
/// let also = shared.slice(0..8);
/// assert_eq!(also.view::<f32>(), [1.5, 1.5]);
/// drop(also);
/// let _unique_again = shared.into_unique().expect("no other handle is left");
/// # Ok::<(), tandem_fabric::ArenaError>(())
/// ```
#[derive(Clone)]
pub struct Arena {
    inner: Arc<Inner>,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ArenaError {
    #[error("the arena has no free run of {wanted} bytes ({free} of {total} are free); make it larger")]
    Full { wanted: usize, free: usize, total: usize },
    #[error("no arena of {len} bytes: {why}")]
    NoMemory { len: usize, why: String },
}

impl Arena {
    /// Reserves `len` bytes, rounded up to whole pages. Pages cost memory only once written.
    pub fn new(len: usize) -> Result<Self, ArenaError> {
        let refused = |why: String| ArenaError::NoMemory { len, why };
        let pages =
            len.max(1).checked_next_multiple_of(16 << 10).ok_or_else(|| refused("too large".into()))?;
        let fd = anonymous_memory(pages).map_err(|e| refused(e.to_string()))?;
        let mapping = Mapping::of(fd.as_fd(), pages).map_err(|e| refused(e.to_string()))?;
        let free = Mutex::new(Free { runs: BTreeMap::from([(0, pages)]), used_to: 0 });
        Ok(Self { inner: Arc::new(Inner { mapping, fd, free }) })
    }

    /// A buffer of exactly `len` bytes, starting on a cache line. Its contents are unspecified.
    pub fn alloc(&self, len: usize) -> Result<Buf, ArenaError> {
        Ok(self.alloc_with_used(len)?.0)
    }

    /// A buffer for `count` values of type `T`, all zero.
    pub fn alloc_zeroed<T: Pod>(&self, count: usize) -> Result<Buf, ArenaError> {
        let (mut buf, used) = self.alloc_with_used(count.saturating_mul(size_of::<T>()))?;
        // What nobody has had before is zero, and need not be touched.
        buf[..used].fill(0);
        Ok(buf)
    }

    /// A buffer, and how many of its first bytes were part of another one before.
    fn alloc_with_used(&self, len: usize) -> Result<(Buf, usize), ArenaError> {
        let full = |wanted| ArenaError::Full { wanted, free: self.free(), total: self.len() };
        let room = len.max(1).checked_next_multiple_of(ALIGN).ok_or_else(|| full(len))?;
        let (offset, used) = self.inner.take(room).ok_or_else(|| full(len))?;
        let block = Arc::new(Block { inner: self.inner.clone(), offset, room });
        Ok((Buf { part: Part::new(block, offset..offset + len) }, used.min(len)))
    }

    pub fn len(&self) -> usize {
        self.inner.mapping.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes not allocated, perhaps in several runs.
    pub fn free(&self) -> usize {
        self.inner.free.lock().unwrap_or_else(PoisonError::into_inner).runs.values().sum()
    }

    /// Where the arena starts, for registration with a device. Page-aligned; does not cross a 4 GiB boundary if it is shorter than that.
    pub fn base(&self) -> NonNull<u8> {
        self.inner.mapping.base()
    }

    /// Where `values` start within the arena, if they lie in it.
    pub fn offset_of<T>(&self, values: &[T]) -> Option<usize> {
        let offset = (values.as_ptr() as usize).checked_sub(self.base().as_ptr() as usize)?;
        (offset.checked_add(size_of_val(values))? <= self.len()).then_some(offset)
    }

    /// The shared object behind the arena, to be passed to a process that may map it.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.inner.fd.as_fd()
    }

    fn is(&self, inner: &Arc<Inner>) -> bool {
        Arc::ptr_eq(&self.inner, inner)
    }
}

impl fmt::Debug for Arena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arena").field("len", &self.len()).field("free", &self.free()).finish()
    }
}

struct Inner {
    mapping: Mapping,
    fd: OwnedFd,
    free: Mutex<Free>,
}

struct Free {
    /// Offset → length. Neighbours are merged.
    runs: BTreeMap<usize, usize>,
    /// Nothing from here on was ever handed out.
    used_to: usize,
}

impl Inner {
    /// Where there is room, and how much of it was used before.
    fn take(&self, room: usize) -> Option<(usize, usize)> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let (&offset, &run) = free.runs.iter().find(|&(_, &run)| run >= room)?;
        free.runs.remove(&offset);
        if run > room {
            free.runs.insert(offset + room, run - room);
        }
        let used = free.used_to.saturating_sub(offset).min(room);
        free.used_to = free.used_to.max(offset + room);
        Some((offset, used))
    }

    fn give_back(&self, mut offset: usize, mut room: usize) {
        let free = &mut self.free.lock().unwrap_or_else(PoisonError::into_inner).runs;
        if let Some(next) = free.remove(&(offset + room)) {
            room += next;
        }
        if let Some((&before, &run)) = free.range(..offset).next_back()
            && before + run == offset
        {
            free.remove(&before);
            offset = before;
            room += run;
        }
        free.insert(offset, room);
    }
}

/// What `alloc` took; freed when its last part is dropped.
struct Block {
    inner: Arc<Inner>,
    offset: usize,
    room: usize,
}

impl Drop for Block {
    fn drop(&mut self) {
        self.inner.give_back(self.offset, self.room);
    }
}

/// A range of a block. Parts of one block never overlap; who may write a part is decided by the handle (`Buf`, or `SharedBuf`s).
struct Part {
    block: Arc<Block>,
    range: Range<usize>,
    start: NonNull<u8>,
}

// SAFETY: a part is plain memory; `Buf` gives `&mut` only through unique ownership and `SharedBuf` only reads.
unsafe impl Send for Part {}
// SAFETY: as above.
unsafe impl Sync for Part {}

impl Part {
    fn new(block: Arc<Block>, range: Range<usize>) -> Arc<Self> {
        debug_assert!(block.offset <= range.start && range.end <= block.offset + block.room);
        // SAFETY: a block lies within the mapping, and the range within the block.
        let start = unsafe { block.inner.mapping.base().add(range.start) };
        Arc::new(Self { block, range, start })
    }
}

/// Registered memory with one owner: readable, writable, and given away by posting it.
pub struct Buf {
    part: Arc<Part>,
}

impl Buf {
    /// Cuts the buffer in two at `at`; the second part is returned. Panics if `at` is beyond the end.
    pub fn split_off(&mut self, at: usize) -> Buf {
        assert!(at <= self.len(), "split at {at} of a buffer of {}", self.len());
        let Range { start, end } = self.part.range;
        let block = &self.part.block;
        let (head, tail) =
            (Part::new(block.clone(), start..start + at), Part::new(block.clone(), start + at..end));
        self.part = head;
        Buf { part: tail }
    }

    /// Joins `next` to the end of this buffer; gives it back if it does not follow directly in the same allocation.
    pub fn join(&mut self, next: Buf) -> Result<(), Buf> {
        if !Arc::ptr_eq(&self.part.block, &next.part.block) || self.part.range.end != next.part.range.start {
            return Err(next);
        }
        let whole = self.part.range.start..next.part.range.end;
        drop(next);
        self.part = Part::new(self.part.block.clone(), whole);
        Ok(())
    }

    /// Makes the buffer read-only and shareable, without copying or allocating.
    pub fn share(self) -> SharedBuf {
        let len = self.part.range.len();
        SharedBuf { part: self.part, start: 0, len }
    }

    /// The contents as numbers; bytes after the last whole one are left out. Panics if a split left the start unaligned for `T`.
    pub fn view<T: Pod>(&self) -> &[T] {
        whole(self)
    }

    /// As [`Buf::view`], for writing.
    pub fn view_mut<T: Pod>(&mut self) -> &mut [T] {
        let bytes = self.len() / size_of::<T>() * size_of::<T>();
        bytemuck::cast_slice_mut(&mut self[..bytes])
    }

    /// Where the buffer starts within its arena.
    pub fn arena_offset(&self) -> usize {
        self.part.range.start
    }

    /// Whether the buffer was cut from `arena`.
    pub fn belongs_to(&self, arena: &Arena) -> bool {
        arena.is(&self.part.block.inner)
    }
}

impl Deref for Buf {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the part is live mapped memory; `&self` of the only handle excludes writers.
        unsafe { std::slice::from_raw_parts(self.part.start.as_ptr(), self.part.range.len()) }
    }
}

impl DerefMut for Buf {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as above, and a `Buf` is the only handle of its part.
        unsafe { std::slice::from_raw_parts_mut(self.part.start.as_ptr(), self.part.range.len()) }
    }
}

impl fmt::Debug for Buf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buf({:?})", self.part.range)
    }
}

/// Read-only registered memory with any number of handles, each of a range of the whole.
#[derive(Clone)]
pub struct SharedBuf {
    part: Arc<Part>,
    start: usize,
    len: usize,
}

impl SharedBuf {
    /// A handle of `range` of this one. Panics if it leaves it.
    pub fn slice(&self, range: Range<usize>) -> SharedBuf {
        assert!(
            range.start <= range.end && range.end <= self.len,
            "slice {range:?} of a buffer of {}",
            self.len
        );
        SharedBuf { part: self.part.clone(), start: self.start + range.start, len: range.len() }
    }

    /// The whole buffer, writable again, if this is its last handle; otherwise the handle back.
    pub fn into_unique(mut self) -> Result<Buf, SharedBuf> {
        if Arc::get_mut(&mut self.part).is_some() { Ok(Buf { part: self.part }) } else { Err(self) }
    }

    /// As [`Buf::view`].
    pub fn view<T: Pod>(&self) -> &[T] {
        whole(self)
    }

    /// Where this handle's range starts within the arena.
    pub fn arena_offset(&self) -> usize {
        self.part.range.start + self.start
    }

    /// Whether the buffer was cut from `arena`.
    pub fn belongs_to(&self, arena: &Arena) -> bool {
        arena.is(&self.part.block.inner)
    }
}

impl Deref for SharedBuf {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the range lies within the part (checked by `slice`), and no `Buf` of it exists while shared handles do.
        unsafe { std::slice::from_raw_parts(self.part.start.as_ptr().add(self.start), self.len) }
    }
}

impl fmt::Debug for SharedBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let start = self.arena_offset();
        write!(f, "SharedBuf({:?})", start..start + self.len)
    }
}

impl From<Buf> for SharedBuf {
    fn from(buf: Buf) -> Self {
        buf.share()
    }
}

fn whole<T: Pod>(bytes: &[u8]) -> &[T] {
    bytemuck::cast_slice(&bytes[..bytes.len() / size_of::<T>() * size_of::<T>()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_returns_and_merges() {
        let arena = Arena::new(1 << 20).unwrap();
        let total = arena.free();
        let bufs: Vec<_> = (0..10).map(|i| arena.alloc(1000 * i).unwrap()).collect();
        assert!(arena.free() < total);
        let (even, odd): (Vec<_>, Vec<_>) = bufs.into_iter().enumerate().partition(|(i, _)| i % 2 == 0);
        drop(odd);
        drop(even);
        assert_eq!(arena.free(), total);
        assert!(arena.alloc(total).is_ok());
    }

    #[test]
    fn zeroed_buffers_are_zero_where_others_were() {
        let arena = Arena::new(1 << 16).unwrap();
        let mut first = arena.alloc(300).unwrap();
        first.fill(7);
        drop(first);
        let again = arena.alloc_zeroed::<u8>(1000).unwrap();
        assert_eq!(again[..], [0; 1000]);
    }

    #[test]
    fn a_full_arena_says_so() {
        let arena = Arena::new(1 << 16).unwrap();
        let held = arena.alloc(60_000).unwrap();
        let error = arena.alloc(60_000).unwrap_err();
        assert!(matches!(error, ArenaError::Full { wanted: 60_000, total: 65_536, .. }), "{error}");
        drop(held);
        assert!(arena.alloc(60_000).is_ok());
        assert!(matches!(arena.alloc(usize::MAX), Err(ArenaError::Full { .. })));
        assert!(matches!(Arena::new(usize::MAX - 5), Err(ArenaError::NoMemory { .. })));
    }

    #[test]
    fn parts_split_join_share() {
        let arena = Arena::new(1 << 16).unwrap();
        let total = arena.free();
        let mut head = arena.alloc(100).unwrap();
        head.fill(1);
        let mut tail = head.split_off(40);
        tail.fill(2);
        let shared = head.share();
        let again = shared.slice(10..20);
        let shared = shared.into_unique().expect_err("still shared");
        assert_eq!(again[..], [1; 10]);
        drop(again);
        let mut head = shared.into_unique().expect("last handle, though the block has another part");
        let stranger = arena.alloc(10).unwrap();
        let stranger = head.join(stranger).expect_err("not adjacent");
        head.join(tail).unwrap();
        assert_eq!((head.len(), head[39], head[40]), (100, 1, 2));
        drop((stranger, head));
        assert_eq!(arena.free(), total);
    }
}
