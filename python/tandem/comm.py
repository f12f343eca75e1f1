"""A group of processes, and what they can do together with NumPy arrays."""

from __future__ import annotations

import hashlib
import math
import weakref
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _tandem

Op = Literal["sum", "max", "min"]
Array = NDArray[Any]

# What can be reduced, and what the library calls it.
REDUCED = {np.dtype(np.float32): "float32", np.dtype(np.float16): "float16"}
MEMORY_BYTES = 256 << 20
TIMEOUT_S = 60.0


def init(
    rank: int | None = None,
    world: int | None = None,
    *,
    addresses: Sequence[str] | None = None,
    secret: str | None = None,
    memory_bytes: int = MEMORY_BYTES,
    timeout: float = TIMEOUT_S,
) -> Comm:
    """Meets the other ranks, and returns this rank's membership in the group.

    Under ``tandem launch`` no argument is needed. Otherwise every process gives its ``rank`` out of ``world``, where each rank listens
    (``addresses``, ``host:port`` each) and a ``secret`` that all share. A secret is good for one group: choose a new one for each.

    ``memory_bytes`` is the registered memory for arrays; pages cost memory only once written. A collective that waits longer than
    ``timeout`` seconds for another rank raises :class:`PeerLost`; a rank that dies is noticed at once.
    """
    if rank is None:
        launched = _tandem.Comm.launched(timeout)
        if launched is None:
            raise RuntimeError("this process was not started by `tandem launch`: give rank, world, addresses and secret")
        if world is not None and world != launched.size:
            raise ValueError(f"`tandem launch` started {launched.size} ranks, not {world}")
        return Comm(launched)
    if addresses is None or secret is None:
        launched = _tandem.Comm.launched(timeout)
        if launched is None:
            raise ValueError("addresses and secret are needed where `tandem launch` did not start the ranks")
        if (rank, world if world is not None else launched.size) != (launched.rank, launched.size):
            raise ValueError(f"`tandem launch` made this rank {launched.rank} of {launched.size}")
        return Comm(launched)
    if world is not None and world != len(addresses):
        raise ValueError(f"{world} ranks, but {len(addresses)} addresses")
    key = hashlib.sha256(b"tandem group\0" + secret.encode()).digest()
    return Comm(_tandem.Comm.meet(rank, list(addresses), key, memory_bytes, timeout))


class Comm:
    """This rank's membership in a group.

    Every rank makes the same calls in the same order. Arrays from :meth:`zeros` lie in registered memory and are used in place; any other
    array works too, and is copied there and back. Whatever the links, every rank gets the same bits.
    """

    def __init__(self, inner: _tandem.Comm) -> None:
        self._inner = inner
        self._memories: weakref.WeakValueDictionary[int, _tandem.Memory] = weakref.WeakValueDictionary()
        # The array that was used last and its memory: asking an array for its address takes longer than a short sum.
        self._last: tuple[weakref.ref[Array], weakref.ref[_tandem.Memory]] | None = None
        self._scratch: _tandem.Memory | None = None

    @property
    def rank(self) -> int:
        """This rank's number, from 0."""
        return self._inner.rank

    @property
    def size(self) -> int:
        """How many ranks there are."""
        return self._inner.size

    def link(self, rank: int) -> str | None:
        """What the link to that rank is made of: ``shm``, ``verbs`` or ``tcp``; None for this rank itself."""
        return self._inner.link(rank)

    def set_timeout(self, seconds: float) -> None:
        """How long a collective may wait for another rank from now on."""
        self._inner.timeout = seconds

    def zeros(self, shape: int | Sequence[int], dtype: DTypeLike = np.float32) -> Array:
        """An array of zeros in registered memory, which collectives use where it lies."""
        kind = np.dtype(dtype)
        if kind.hasobject:
            raise TypeError("arrays of Python objects cannot be sent")
        count = shape if isinstance(shape, int) else math.prod(shape)
        memory = self._inner.allocate(max(count * kind.itemsize, 1))
        array = _view(memory, kind, count).reshape(shape)
        self._memories[memory.address] = memory
        return array

    def all_reduce(self, array: Array, op: Op = "sum") -> None:
        """Everyone's arrays, added element by element (or their maximum or minimum); all get the result, in place.

        Of float32 and float16; half floats are added as float32 and rounded once.
        """
        memory = self._lend(array)
        kind = REDUCED.get(array.dtype)
        if kind is None:
            raise TypeError(f"found an array of {array.dtype}, expected float32 or float16")
        self._inner.all_reduce(memory, array.size, kind, op)
        self._take(array, memory)

    def all_gather(self, array: Array) -> Array:
        """Everyone's arrays, stacked by rank: shape ``(size, *array.shape)``. All must have the same shape and type."""
        gathered = self.zeros((self.size, *array.shape), array.dtype)
        gathered[self.rank] = array
        if array.nbytes:
            self._inner.all_gather(self._lend(gathered), [array.nbytes] * self.size)
        return gathered

    def all_gather_into(self, array: Array) -> None:
        """As :meth:`all_gather`, in place and without copies: ``array`` has a row for each rank, and this rank's own is filled."""
        if array.ndim == 0 or len(array) != self.size:
            raise ValueError(f"found {len(array) if array.ndim else 0} rows, expected one for each of {self.size} ranks")
        memory = self._lend(array)
        self._inner.all_gather(memory, [array.nbytes // self.size] * self.size)
        self._take(array, memory)

    def broadcast(self, array: Array, root: int = 0) -> None:
        """The array of rank ``root`` to everyone, in place. All must have the same size."""
        memory = self._lend(array, filled=self.rank == root)
        self._inner.broadcast(memory, array.nbytes, root)
        self._take(array, memory)

    def send(self, array: Array, to: int) -> None:
        """Sends the array to rank ``to``, which calls :meth:`receive`."""
        self._inner.send(self._lend(array), array.nbytes, to)

    def receive(self, array: Array, source: int) -> None:
        """Receives into ``array`` what rank ``source`` sends, which must be of the same size."""
        memory = self._lend(array, filled=False)
        self._inner.receive(memory, array.nbytes, source)
        self._take(array, memory)

    def barrier(self) -> None:
        """Waits until every rank is here."""
        self._inner.barrier()

    def _memory(self, array: Array) -> _tandem.Memory | None:
        """The registered memory that begins with this array, if one does."""
        if not array.flags.c_contiguous:
            return None
        memory = self._memories.get(array.__array_interface__["data"][0])
        return memory if memory is not None and array.nbytes <= len(memory) else None

    def _lend(self, array: Array, *, filled: bool = True) -> _tandem.Memory:
        if self._last is not None and self._last[0]() is array:
            memory = self._last[1]()
            if memory is not None:
                return memory
        if not isinstance(array, np.ndarray):
            raise TypeError(f"found {type(array).__name__}, expected a NumPy array")
        if array.dtype.hasobject:
            raise TypeError("arrays of Python objects cannot be sent")
        memory = self._memory(array)
        if memory is not None:
            self._last = (weakref.ref(array), weakref.ref(memory))
            return memory
        if self._scratch is None or len(self._scratch) < array.nbytes:
            self._scratch = None
            self._scratch = self._inner.allocate(max(array.nbytes, 1))
        if filled:
            _view(self._scratch, array.dtype, array.size)[:] = array.reshape(-1)
        return self._scratch

    def _take(self, array: Array, memory: _tandem.Memory) -> None:
        if memory is self._scratch:
            array[...] = _view(memory, array.dtype, array.size).reshape(array.shape)


def _view(memory: _tandem.Memory, dtype: np.dtype[Any], count: int) -> Array:
    return np.frombuffer(memoryview(memory), dtype=dtype, count=count)
