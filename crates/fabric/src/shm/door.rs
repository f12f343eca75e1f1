use std::io;
use std::os::unix::net::{SocketAddr, UnixListener};

/// A unix listener whose name, where it is a path, goes with it.
pub(crate) struct Door {
    pub(crate) listener: UnixListener,
    #[cfg(not(target_os = "linux"))]
    name: String,
}

impl Door {
    pub(crate) fn open(name: &str) -> io::Result<Self> {
        let listener = UnixListener::bind_addr(&address(name)?)?;
        Ok(Self {
            listener,
            #[cfg(not(target_os = "linux"))]
            name: name.to_string(),
        })
    }
}

#[cfg(not(target_os = "linux"))]
impl Drop for Door {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(path(&self.name));
    }
}

#[cfg(target_os = "linux")]
pub(crate) fn address(name: &str) -> io::Result<SocketAddr> {
    use std::os::linux::net::SocketAddrExt;
    SocketAddr::from_abstract_name(format!("tandem-{name}"))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn address(name: &str) -> io::Result<SocketAddr> {
    SocketAddr::from_pathname(path(name))
}

#[cfg(not(target_os = "linux"))]
fn path(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("tandem-{name}"))
}
