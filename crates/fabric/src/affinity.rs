//! Unsafe because binding a thread to a core, and asking which ones it may use, are system calls.
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

/// The cores that this process may use, by the system's numbers. The first are of different physical cores; those that share one
/// with an earlier one (hardware threads) come after.
#[cfg(target_os = "linux")]
pub fn usable_cores() -> Vec<usize> {
    // SAFETY: an all-zero set is a valid `cpu_set_t`, and the call writes at most its size.
    let set = unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        if libc::sched_getaffinity(0, size_of_val(&set), &mut set) != 0 {
            return Vec::new();
        }
        set
    };
    // SAFETY: numbers below the set's size.
    let usable = (0..libc::CPU_SETSIZE as usize).filter(|core| unsafe { libc::CPU_ISSET(*core, &set) });
    let siblings = |core: usize| {
        let path = format!("/sys/devices/system/cpu/cpu{core}/topology/thread_siblings_list");
        std::fs::read_to_string(path).unwrap_or_else(|_| core.to_string())
    };
    spread(usable, siblings)
}

/// Other systems do not bind threads to cores.
#[cfg(not(target_os = "linux"))]
pub fn usable_cores() -> Vec<usize> {
    Vec::new()
}

/// The first of every physical core, then the second of each, and so on.
#[cfg_attr(not(target_os = "linux"), allow(dead_code))]
fn spread(usable: impl Iterator<Item = usize>, siblings: impl Fn(usize) -> String) -> Vec<usize> {
    let mut before = std::collections::HashMap::new();
    let mut cores: Vec<(usize, usize)> = usable
        .map(|core| {
            let turn = before.entry(siblings(core)).or_insert(0);
            *turn += 1;
            (*turn, core)
        })
        .collect();
    cores.sort_unstable();
    cores.into_iter().map(|(_, core)| core).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardware_threads_of_one_core_come_last() {
        // Siblings are neighbours on some machines, and half the machine apart on others.
        assert_eq!(spread(0..8, |core| (core / 2).to_string()), [0, 2, 4, 6, 1, 3, 5, 7]);
        assert_eq!(spread(0..8, |core| (core % 4).to_string()), [0, 1, 2, 3, 4, 5, 6, 7]);
        // In a cpuset that begins anywhere and has both threads of some cores only.
        assert_eq!(spread([5, 6, 7, 9].into_iter(), |core| (core / 2).to_string()), [5, 6, 9, 7]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn every_usable_core_can_be_bound_to() {
        let usable = usable_cores();
        assert!(!usable.is_empty());
        std::thread::spawn(move || {
            for core in &usable {
                pin_to_core(*core).unwrap();
                assert_eq!(usable_cores(), [*core]);
            }
        })
        .join()
        .unwrap();
    }
}
