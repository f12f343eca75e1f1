//! Unsafe because binding a thread to a core is a system call.
#![allow(unsafe_code)]

use std::io;

/// Binds the calling thread to one core.
pub fn pin_to_core(core: usize) -> io::Result<()> {
    pin_to_cores(&[core])
}

/// Binds the calling thread, and those it will start, to some cores.
#[cfg(target_os = "linux")]
pub fn pin_to_cores(cores: &[usize]) -> io::Result<()> {
    // SAFETY: a zeroed set is the empty set; CPU_SET checks nothing, so the bound is checked here.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        for &core in cores {
            if core >= 8 * size_of_val(&set) {
                return Err(io::Error::other(format!("no core {core}")));
            }
            libc::CPU_SET(core, &mut set);
        }
        match libc::sched_setaffinity(0, size_of_val(&set), &set) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Other systems do not bind threads to cores; the scheduler decides.
#[cfg(not(target_os = "linux"))]
pub fn pin_to_cores(_cores: &[usize]) -> io::Result<()> {
    Ok(())
}
