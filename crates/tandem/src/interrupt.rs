//! What Ctrl-C and SIGTERM do: they end the program at once, unless somebody listens who can end more gracefully.

use crate::failure;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

static LISTENERS: AtomicUsize = AtomicUsize::new(0);
static RAISED: AtomicBool = AtomicBool::new(false);

static GRACE_MS: AtomicU64 = AtomicU64::new(0);

/// While one is alive, Ctrl-C raises a flag instead of ending the program; a second Ctrl-C ends it.
#[derive(Debug)]
pub struct Listener;

impl Listener {
    /// Whoever listens has `grace` to end before the program ends without it: it may be stuck in a read.
    pub fn new(grace: Duration) -> Listener {
        GRACE_MS.store(grace.as_millis() as u64, Ordering::SeqCst);
        RAISED.store(false, Ordering::SeqCst);
        LISTENERS.fetch_add(1, Ordering::SeqCst);
        Listener
    }

    pub fn is_raised(&self) -> bool {
        RAISED.load(Ordering::SeqCst)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        LISTENERS.fetch_sub(1, Ordering::SeqCst);
        RAISED.store(false, Ordering::SeqCst);
    }
}

pub fn install() {
    // Fails only where a handler is installed already; then that one rules.
    let _ = ctrlc::set_handler(|| {
        if LISTENERS.load(Ordering::SeqCst) == 0 || RAISED.swap(true, Ordering::SeqCst) {
            std::process::exit(failure::INTERRUPTED_CODE.into());
        }
        // The next signal is heard only once this handler has returned, so the waiting is done elsewhere.
        std::thread::spawn(end_after_grace);
    });
}

/// For a process that ends with the one that started it: whoever signals the whole group, as a terminal and a service
/// manager do, means that one.
pub fn leave_to_parent() {
    let _ = ctrlc::set_handler(|| {});
}

fn end_after_grace() {
    let until = Instant::now() + Duration::from_millis(GRACE_MS.load(Ordering::SeqCst));
    while RAISED.load(Ordering::SeqCst) {
        if Instant::now() > until {
            failure::print(
                "interrupted",
                Some("what is finished is kept; run the same command again to go on"),
            );
            std::process::exit(failure::INTERRUPTED_CODE.into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}
