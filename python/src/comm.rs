//! One rank's membership in a group, for Python.

use std::net::{SocketAddr, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use half::f16;
use pyo3::create_exception;
use pyo3::exceptions::{PyConnectionError, PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tandem_collectives::{Group, GroupError, GroupOptions, Op};
use tandem_fabric::local::Seat;
use tandem_fabric::{Attended, Buf, Deadline, LinkTerms, Lobby, Meeting, Rank};

use crate::memory::Memory;

create_exception!(
    tandem,
    PeerLost,
    PyConnectionError,
    "Another rank is gone, or silent for longer than the timeout. `rank` says which one. The group is dead: form a new one without it."
);

/// How long ranks wait for each other to begin.
const MEETING: Duration = Duration::from_secs(60);

#[pyclass(frozen, module = "tandem")]
pub struct Comm {
    group: Mutex<Group>,
    /// After a failure nothing more is lent: arrays may still look at what a buffer was.
    dead: AtomicBool,
    #[pyo3(get)]
    rank: u16,
    #[pyo3(get)]
    size: usize,
}

#[pymethods]
impl Comm {
    /// The place that `tandem launch` gave this process; None if it was started otherwise.
    #[staticmethod]
    fn launched(py: Python<'_>, timeout_s: f64) -> PyResult<Option<Comm>> {
        let Some(seat) = Seat::from_env() else { return Ok(None) };
        let timeout = seconds(timeout_s)?;
        py.detach(|| {
            let attended = seat.attend(Deadline::after(MEETING)).map_err(meeting_failed)?;
            Comm::form(attended, Rank(seat.rank), timeout).map(Some)
        })
    }

    /// Meets the other ranks: `addresses[i]` is where rank i listens.
    #[staticmethod]
    fn meet(
        py: Python<'_>,
        rank: u16,
        addresses: Vec<String>,
        secret: [u8; 32],
        memory_bytes: usize,
        timeout_s: f64,
    ) -> PyResult<Comm> {
        let timeout = seconds(timeout_s)?;
        let addresses = addresses.iter().map(|address| resolved(address)).collect::<PyResult<Vec<_>>>()?;
        let Some(own) = addresses.get(usize::from(rank)).and_then(|own| own.first()) else {
            return Err(PyValueError::new_err(format!("rank {rank} of {} has no address", addresses.len())));
        };
        let cannot =
            |error| PyConnectionError::new_err(format!("rank {rank} cannot listen at {own}: {error}"));
        let lobby = Lobby::at(*own).map_err(cannot)?;
        let meeting = Meeting::under(secret, addresses, LinkTerms::default());
        py.detach(|| {
            let attended = meeting
                .attend(lobby, Rank(rank), memory_bytes, Deadline::after(MEETING))
                .map_err(meeting_failed)?;
            Comm::form(attended, Rank(rank), timeout)
        })
    }

    /// Registered memory, all zero.
    fn allocate(&self, bytes: usize) -> PyResult<Memory> {
        if self.dead.load(Ordering::Relaxed) {
            return Err(PyRuntimeError::new_err("this group has failed: form a new one"));
        }
        let arena = self.lock().arena().clone();
        let buf = arena.alloc_zeroed::<u8>(bytes);
        buf.map(|buf| Memory::new(buf, arena)).map_err(|error| PyMemoryError::new_err(error.to_string()))
    }

    /// The kind of link to that rank: `shm`, `tcp` or `verbs`.
    fn link(&self, rank: u16) -> Option<String> {
        self.lock().kind(Rank(rank)).map(|kind| kind.to_string())
    }

    #[setter]
    fn set_timeout(&self, timeout_s: f64) -> PyResult<()> {
        self.lock().set_timeout(seconds(timeout_s)?);
        Ok(())
    }

    fn all_reduce(
        &self,
        py: Python<'_>,
        memory: &Memory,
        count: usize,
        dtype: &str,
        op: &str,
    ) -> PyResult<()> {
        let op = match op {
            "sum" => Op::Sum,
            "max" => Op::Max,
            "min" => Op::Min,
            other => return Err(PyValueError::new_err(format!("found `{other}`, expected sum, max or min"))),
        };
        self.run(py, memory, |group, buf| match dtype {
            "float32" => group.all_reduce::<f32>(buf, count, op),
            "float16" => group.all_reduce::<f16>(buf, count, op),
            other => Err(GroupError::Usage(format!("{other} cannot be reduced: float32 and float16 can"))),
        })
    }

    fn all_gather(&self, py: Python<'_>, memory: &Memory, lens: Vec<usize>) -> PyResult<()> {
        self.run(py, memory, |group, buf| group.all_gather(buf, &lens))
    }

    fn broadcast(&self, py: Python<'_>, memory: &Memory, bytes: usize, root: u16) -> PyResult<()> {
        self.run(py, memory, |group, buf| group.broadcast(buf, bytes, Rank(root)))
    }

    fn send(&self, py: Python<'_>, memory: &Memory, bytes: usize, to: u16) -> PyResult<()> {
        self.run(py, memory, |group, buf| group.send(buf, bytes, Rank(to)))
    }

    fn receive(&self, py: Python<'_>, memory: &Memory, bytes: usize, source: u16) -> PyResult<()> {
        self.run(py, memory, |group, buf| group.recv(buf, bytes, Rank(source)))
    }

    fn barrier(&self, py: Python<'_>) -> PyResult<()> {
        let done = py.detach(|| self.lock().barrier());
        done.map_err(|error| failed(py, error))
    }
}

impl Comm {
    fn form(attended: Attended, rank: Rank, timeout: Duration) -> PyResult<Comm> {
        let Attended { arena, links, pulse } = attended;
        let links: Vec<_> = links.into_iter().map(|link| link.map(|it| it.link)).collect();
        let size = links.len();
        let options = GroupOptions { timeout, ..GroupOptions::default() };
        let mut group = Group::form(rank, links, &arena, options)
            .map_err(|error| PyConnectionError::new_err(error.to_string()))?;
        group.watch(pulse);
        Ok(Comm { group: Mutex::new(group), dead: AtomicBool::new(false), rank: rank.0, size })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Group> {
        self.group.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Other threads of Python run meanwhile.
    fn run(
        &self,
        py: Python<'_>,
        memory: &Memory,
        work: impl FnOnce(&mut Group, &mut Buf) -> Result<(), GroupError> + Send,
    ) -> PyResult<()> {
        let done = py.detach(|| {
            let (mut group, mut buf) = (self.lock(), memory.lock());
            if !memory.is(&buf) {
                return Err(GroupError::Usage("this array was lost with a collective that failed".into()));
            }
            let done = work(&mut group, &mut buf);
            if !memory.is(&buf) {
                self.dead.store(true, Ordering::Relaxed);
            }
            done
        });
        done.map_err(|error| failed(py, error))
    }
}

fn failed(py: Python<'_>, error: GroupError) -> PyErr {
    match error {
        GroupError::RankLost { rank, .. } => {
            let lost = PeerLost::new_err(error.to_string());
            // Only a plain object would refuse a member.
            let _ = lost.value(py).setattr("rank", rank.0);
            lost
        }
        GroupError::Usage(_) | GroupError::Mismatch { .. } | GroupError::NoLink { .. } => {
            PyValueError::new_err(error.to_string())
        }
        GroupError::Arena(_) => PyMemoryError::new_err(error.to_string()),
        GroupError::Link(_) => PyRuntimeError::new_err(error.to_string()),
    }
}

fn meeting_failed(error: impl std::fmt::Display) -> PyErr {
    PyConnectionError::new_err(error.to_string())
}

fn seconds(timeout_s: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(timeout_s)
        .ok()
        .filter(|timeout| !timeout.is_zero())
        .ok_or_else(|| PyValueError::new_err(format!("a timeout of {timeout_s} s is none")))
}

fn resolved(address: &str) -> PyResult<Vec<SocketAddr>> {
    let found = address.to_socket_addrs().map(Iterator::collect::<Vec<_>>);
    match found {
        Ok(found) if !found.is_empty() => Ok(found),
        Ok(_) => Err(PyValueError::new_err(format!("{address} has no address"))),
        Err(error) => Err(PyValueError::new_err(format!("{address}: {error}; expected host:port"))),
    }
}
